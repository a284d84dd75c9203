import LibC

/// The process that was started for a hook, and everything it has started since and not moved elsewhere.
struct ProcessGroup: Sendable, Hashable {
    /// The process identifier of the leader, which is the identifier of the group and of its session too.
    let leader: Int32

    /// Asks every member to end.
    func terminate() {
        _ = kill(-leader, SIGTERM)
        // A stopped process takes its TERM only when it goes on.
        _ = kill(-leader, SIGCONT)
    }

    /// Ends every member.
    func end() {
        _ = kill(-leader, SIGKILL)
    }

    /// Waits until no member is running, or for as long as KILL may take to have its effect.
    ///
    /// Nothing announces the end of a process group, hence the polling; it happens only when a command was ended and
    /// its descendants are slower than itself.
    func outlast(patience: Duration, isKilled: () -> Bool) async {
        var left = patience
        while isRunning, left > .zero {
            try? await Task.sleep(for: Self.poll, clock: .suspending)
            if isKilled() { left -= Self.poll }
        }
    }

    /// Waits until the leader has ended, by looking again and again.
    func waitForLeader() async {
        while !hasLeaderEnded { try? await Task.sleep(for: Self.poll, clock: .suspending) }
    }

    private static let poll = Duration.milliseconds(10)

    /// Whether the leader has ended. It must not have been reaped yet, or its number might be another's by now.
    var hasLeaderEnded: Bool {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
        return info.si_signo != 0
    }
}

#if os(Linux)
    extension ProcessGroup {
        /// Whether any member is running still. The kernel gives the number of a group to nobody else before that.
        var isRunning: Bool {
            // EPERM: there are members, but of another user.
            guard kill(-leader, 0) == 0 || errno != ESRCH else { return false }
            return !isOfZombiesOnly
        }

        /// Whether all members have ended and merely wait for whoever inherited them to notice. In a container whose
        /// first process reaps nobody, they wait for ever.
        private var isOfZombiesOnly: Bool {
            guard let directory = opendir("/proc") else { return false }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map { $0 } }
                guard let process = Int32(String(decoding: name, as: UTF8.self)),
                    let status = Self.status(of: process)
                else { continue }
                if status.group == leader, status.state != "Z", status.state != "X" { return false }
            }
            return true
        }

        /// The state and the group from `/proc/PID/stat`: `1234 (name) S 1 1234 …`, where the name may hold anything.
        private static func status(of process: Int32) -> (state: Substring, group: Int32)? {
            let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = read(file, &bytes, bytes.count)
            guard count > 0 else { return nil }
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            guard let nameEnd = text.lastIndex(of: ")") else { return nil }
            let fields = text[text.index(after: nameEnd)...].split(separator: " ", maxSplits: 3)
            guard fields.count > 2, let group = Int32(fields[2]) else { return nil }
            return (fields[0], group)
        }
    }
#else
    extension ProcessGroup {
        /// Whether any member is running still. Signals do not reach zombies here (EPERM if there are no others).
        var isRunning: Bool { kill(-leader, 0) == 0 }
    }
#endif

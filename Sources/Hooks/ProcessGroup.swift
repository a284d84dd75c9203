import LibC

/// A child process that leads a process group, and the processes it has started since that have not left the group.
///
/// It is valid until the leader is reaped. Until then the kernel gives the group's number to no other process or group.
struct ProcessGroup: Sendable {
    /// The process identifier of the leader, which is the identifier of the group and of its session too.
    let leader: Int32
    #if os(Linux)
        /// A member that was running at the last look.
        private var member: Int32?
    #endif

    /// The group of a process that was started as its leader.
    init(leader: Int32) {
        self.leader = leader
    }

    /// Sends TERM to every member.
    func terminate() {
        _ = LibC.kill(-leader, SIGTERM)
        // A stopped process takes its TERM only when it goes on.
        _ = LibC.kill(-leader, SIGCONT)
    }

    /// Sends KILL to every member.
    func kill() {
        _ = LibC.kill(-leader, SIGKILL)
    }

    /// Whether the leader has ended.
    var hasLeaderEnded: Bool {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
        return info.si_signo != 0
    }
}

#if os(Linux)
    extension ProcessGroup {
        /// Whether a member is running. Where that cannot be found out, one is.
        ///
        /// Signal 0 does not tell: it reaches zombies, and the leader is one until it is reaped. Further zombies stay for
        /// ever where the first process of a container reaps no orphans. So a member is searched for in `/proc`; until that
        /// one has ended, the next looks are at it alone.
        mutating func isRunning() -> Bool {
            if let member, isRunning(member) { return true }
            guard let directory = opendir("/proc") else { return true }
            defer { closedir(directory) }
            member = nil
            while let entry = readdir(directory), member == nil {
                let process = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { atoi($0) }
                }
                // What is no number is zero here.
                if process > 0, isRunning(process) { member = process }
            }
            return member != nil
        }

        private func isRunning(_ process: Int32) -> Bool {
            getpgid(process) == leader && !Self.hasEnded(process)
        }

        /// Reads the state from `/proc/PID/stat`: `1234 (name) S 1 1234 …`, where the name may hold anything.
        private static func hasEnded(_ process: Int32) -> Bool {
            let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return errno == ENOENT }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = read(file, &bytes, bytes.count)
            guard count > 0, let nameEnd = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return true }
            let state = bytes[(nameEnd + 1)..<count].first { $0 != UInt8(ascii: " ") }
            return state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
        }
    }
#else
    extension ProcessGroup {
        /// Whether a member is running. Signals do not reach zombies here (EPERM if there are no others).
        func isRunning() -> Bool { LibC.kill(-leader, 0) == 0 }
    }
#endif

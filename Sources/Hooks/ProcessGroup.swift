import LibC

/// The process group of a child process, which is its leader.
///
/// It is valid until the leader is reaped. Until then, the kernel does not reuse the identifier of the group.
struct ProcessGroup: Sendable {
    /// The process identifier of the leader, which also identifies the group and its session.
    let leader: Int32
    #if os(Linux)
    /// A member that was running at the last check.
    private var member: Int32?
    #endif

    /// Creates the group of a process that was started as its leader.
    init(leader: Int32) {
        self.leader = leader
    }

    /// Sends SIGTERM to every member.
    func terminate() {
        _ = LibC.kill(-leader, SIGTERM)
        // A stopped process receives SIGTERM only after it continues.
        _ = LibC.kill(-leader, SIGCONT)
    }

    /// Sends SIGKILL to every member.
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
    /// Returns whether a member is running; true if that cannot be determined.
    ///
    /// Signal 0 cannot be used: it also reaches zombies, and the leader is one until it is reaped. Other zombies
    /// remain forever if the first process of a container does not reap orphans. So this searches `/proc` for a
    /// running member, and later calls check only that member until it has ended.
    mutating func isRunning() -> Bool {
        if let member, isRunning(member) { return true }
        guard let directory = opendir("/proc") else { return true }
        defer { closedir(directory) }
        member = nil
        while let entry = readdir(directory), member == nil {
            let process = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { atoi($0) }
            }
            // Entries that are not numbers are zero here.
            if process > 0, isRunning(process) { member = process }
        }
        return member != nil
    }

    private func isRunning(_ process: Int32) -> Bool {
        getpgid(process) == leader && !Self.hasEnded(process)
    }

    /// Reads the state from `/proc/PID/stat`: `1234 (name) S 1 1234 …`, where the name may contain any characters.
    private static func hasEnded(_ process: Int32) -> Bool {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT }
        defer { close(file) }
        guard let bytes = try? readPiece(from: file, limit: 512),
            let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return true }
        let state = bytes[(nameEnd + 1)...].first { $0 != UInt8(ascii: " ") }
        return state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    }
}
#else
extension ProcessGroup {
    /// Returns whether a member is running. On this system, signals do not reach zombies (EPERM if there are only
    /// zombies).
    func isRunning() -> Bool { LibC.kill(-leader, 0) == 0 }
}
#endif

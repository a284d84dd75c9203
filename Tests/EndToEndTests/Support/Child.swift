import Foundation
import Synchronization

/// A child process in its own session. Releasing the last reference kills it.
final class Child: Sendable {
    /// The child's standard streams.
    enum Streams: Sendable {
        /// Files; standard input is `/dev/null` by default.
        case files(input: String = "/dev/null", output: String, errors: String)
        /// The terminal at this path, which becomes the session's controlling terminal.
        case terminal(String)
    }

    /// Held while a program starts and while a script is written: a script whose open file a new process has inherited
    /// cannot be run ("Text file busy").
    static let spawning = Mutex(())

    let id: pid_t
    private let exitStatus = Mutex<Int32?>(nil)

    /// Starts a program. A name without a slash is looked up in `PATH`.
    init(_ words: [String], in folder: String, environment: [String: String] = [:], streams: Streams) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch streams {
        case .files(let input, let output, let errors):
            posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        case .terminal(let path):
            // The first terminal that a session leader opens becomes the controlling terminal.
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        // Closes descriptors of other tests: an inherited pipe would never reach its end. One above the limit is an error.
        let end = min(4_096, Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))))
        for descriptor in 3..<end { posix_spawn_file_actions_addclose(&actions, descriptor) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // 0x80 is POSIX_SPAWN_SETSID, which the C importer does not provide.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let variables = Program.environment(home: folder).merging(environment) { $1 }.map { "\($0)=\($1)" }
        let inFolder = ["sh", "-c", #"cd "$0" && exec "$@""#, folder] + words
        var id: pid_t = 0
        let code = Self.withStrings(inFolder) { words in
            Self.withStrings(variables) { variables in
                Self.spawning.withLock { _ in posix_spawn(&id, "/bin/sh", &actions, &attributes, words, variables) }
            }
        }
        guard code == 0 else { throw TestFailure(description: "\(words): \(String(cString: strerror(code)))") }
        self.id = id
    }

    deinit {
        guard status == nil else { return }
        kill(-id, SIGKILL)
        kill(-id, SIGCONT)
        waitpid(id, nil, 0)
    }

    /// The exit status, or 128+n after signal n; nil while the child runs.
    var status: Int32? {
        exitStatus.withLock { exitStatus in
            if let exitStatus { return exitStatus }
            var status: Int32 = 0
            guard waitpid(id, &status, WNOHANG) == id else { return nil }
            let signal = status & 0x7F
            exitStatus = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            return exitStatus
        }
    }

    /// Waits until the child exits.
    ///
    /// - Returns: The exit status, or 128+n after signal n.
    func end(within limit: Duration = .seconds(8)) async throws -> Int32 {
        try await eventually("end of the program", within: limit) { status }
    }

    /// Sends a signal to the child.
    func send(_ signal: Int32) {
        kill(id, signal)
    }

    private static func withStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        return body(pointers)
    }
}

/// The kernel's letter for a process's state (`proc_pid_stat(5)`); nil for a process that has ended, reaped or not.
func state(of process: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
    let state = text.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    return state == "Z" || state == "X" ? nil : state
}

/// The number of open descriptors of a process; zero for a process that has ended.
func descriptorCount(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
}

/// The soft limit of open descriptors of a process; nil for a process that has ended.
func descriptorLimit(of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
}

/// The resident memory of a process, in KiB; nil for a process that has ended.
func residentMemory(of process: Int32) -> Int? {
    memory("VmRSS", of: process)
}

/// The peak resident memory of a process, in KiB; nil for a process that has ended.
func peakMemory(of process: Int32) -> Int? {
    memory("VmHWM", of: process)
}

/// A field of `proc_pid_status(5)`, in KiB.
private func memory(_ field: String, of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
}

import ReachProbing
import ReachSystem

/// The process state at the start that the program changes for its own use. It is restored before a command replaces the
/// process.
struct InitialProcessState: Sendable {
    /// The state at the start. `main` reads it before anything else.
    static let atStart = InitialProcessState()

    /// The signals that were ignored. Hooks and `exec:` commands ignore them too.
    let ignoredSignals: Set<Int32>
    private let blocked: Set<Int32>
    private let limit = DescriptorLimit.current
    private let capabilities = InheritedCapabilities()
    /// The open descriptors; nil if the system does not list them.
    private let descriptors = Self.openDescriptors()

    private init() {
        ignoredSignals = Set(Self.signals.filter { Self.handling(of: $0) == .ignored })
        var mask = sigset_t()
        sigemptyset(&mask)
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        blocked = Set(Self.signals.filter { sigismember(&mask, $0) == 1 })
        // While SIGCHLD is ignored, the kernel reaps children itself and discards their exit status.
        if ignoredSignals.contains(SIGCHLD) { _ = signal(SIGCHLD, SIG_DFL) }
        // Exceeding the file size limit is then an error of the write, which is reported.
        _ = signal(SIGXFSZ, SIG_IGN)
        // Before a second thread exists, since capabilities are per thread.
        capabilities.drop()
    }

    /// Whether the signal was ignored at the start, as `nohup` and shells set it for background jobs. The program must then
    /// survive it.
    func ignores(_ signal: Int32) -> Bool {
        ignoredSignals.contains(signal)
    }

    /// Restores signals, descriptor limit and capabilities, and marks descriptors opened since the start as close-on-exec. A
    /// pending signal that was not handled ends the process here.
    func restore() {
        for number in Self.signals
        where ignoredSignals.contains(number) || Self.handling(of: number) != .standard {
            _ = signal(number, ignoredSignals.contains(number) ? SIG_IGN : SIG_DFL)
        }
        limit.apply()
        capabilities.restore()
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in blocked { sigaddset(&mask, signal) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // Some descriptors of libraries lack FD_CLOEXEC, for example those that SwiftNIO event loops wait on. Twice and
        // last, since a thread that reads the trusted authorities may still open one.
        for _ in 0..<2 {
            for descriptor in descriptors.flatMap({ Self.openDescriptors()?.subtracting($0) }) ?? [] {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
        }
    }

    private static func openDescriptors() -> Set<Int32>? {
        guard let folder = opendir("/dev/fd") else { return nil }
        defer { closedir(folder) }
        var found: Set<Int32> = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // The listing contains the descriptor of the folder itself.
            if let number = Int32(name), number != dirfd(folder) { found.insert(number) }
        }
        return found
    }

    private enum Handling {
        case standard
        case ignored
        case handled
    }

    private static let signals: Range<Int32> = 1..<65

    private static func handling(of signal: Int32) -> Handling {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return .standard }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #elseif canImport(Musl)
        let handler = action.__sa_handler.sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        // Handlers are compared by address; SIG_DFL and SIG_IGN are 0 and 1.
        return switch unsafeBitCast(handler, to: Int.self) {
        case unsafeBitCast(SIG_DFL, to: Int.self): .standard
        case unsafeBitCast(SIG_IGN, to: Int.self): .ignored
        default: .handled
        }
    }
}

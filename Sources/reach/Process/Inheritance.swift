import LibC
import Probing

/// What this process was started with and has changed since for its own use: a command that takes its place finds it as it
/// was.
struct Inheritance: Sendable {
    /// What it was at the start of the program, which looks here before it does anything else.
    static let atStart = Inheritance()

    /// The signals that were ignored: hooks and commands of `exec:` ignore them too.
    let ignoredSignals: Set<Int32>
    private let blocked: Set<Int32>
    private let limit = DescriptorLimit.current
    private let capabilities = InheritedCapabilities()
    /// The descriptors that were open; nil where the system does not say.
    private let descriptors = Self.openDescriptors()

    private init() {
        ignoredSignals = Set(Self.signals.filter { Self.handling(of: $0) == .ignored })
        var mask = sigset_t()
        sigemptyset(&mask)
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        blocked = Set(Self.signals.filter { sigismember(&mask, $0) == 1 })
        // Where SIGCHLD is ignored, the kernel reaps children itself and keeps no exit status.
        if ignoredSignals.contains(SIGCHLD) { _ = signal(SIGCHLD, SIG_DFL) }
        // Before there is another thread, since each has capabilities of its own.
        capabilities.drop()
    }

    /// Whether whoever started the program wants it to survive this signal, as `nohup` does and a shell for its jobs in
    /// the background.
    func ignores(_ signal: Int32) -> Bool {
        ignoredSignals.contains(signal)
    }

    /// Puts the signals and the limit of descriptors back, and has the system close what was opened meanwhile when a command
    /// takes this process's place. A signal that came meanwhile and that nobody has taken ends the process here.
    func restore() {
        // Not everything that a library opens closes itself: of SwiftNIO's event loops, what they wait by does not.
        for descriptor in descriptors.flatMap({ Self.openDescriptors()?.subtracting($0) }) ?? [] {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
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
    }

    private static func openDescriptors() -> Set<Int32>? {
        guard let folder = opendir("/dev/fd") else { return nil }
        defer { closedir(folder) }
        var found: Set<Int32> = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Among them is the descriptor of the folder itself, for as long as this takes.
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
        // Handlers are compared by their addresses; these two are the numbers 0 and 1.
        return switch unsafeBitCast(handler, to: Int.self) {
        case unsafeBitCast(SIG_DFL, to: Int.self): .standard
        case unsafeBitCast(SIG_IGN, to: Int.self): .ignored
        default: .handled
        }
    }
}

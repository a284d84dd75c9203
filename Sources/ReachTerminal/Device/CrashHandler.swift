import ReachSystem
import Synchronization

/// Restores the terminal when the program traps, or when a signal without another handler ends it. Otherwise the crash
/// report would go to the alternate screen, and the shell would be left without echo.
///
/// A signal handler may only use memory that is already allocated and async-signal-safe calls. These are therefore the only
/// unsafe globals of the program. They are written while no handler is installed.
enum CrashHandler {
    /// The signals of a crash; a Swift trap is SIGILL or SIGTRAP.
    private static let traps = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
    private static let highestSignal = 64
    /// Whether the program has crashed. From then on, only the handler writes to the terminal.
    static let hasCrashed = Atomic(false)
    /// Whether the window has a title of the program.
    static let hasTitle = Atomic(false)
    /// The attempts of the handler to write, ten milliseconds apart.
    private static let attempts = 50

    /// The modes to restore.
    nonisolated(unsafe) private static let modes =  // a handler cannot lock
        UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The former handlers, indexed by signal number.
    nonisolated(unsafe) private static let former =  // a handler cannot lock
        UnsafeMutablePointer<sigaction>.allocate(capacity: highestSignal + 1)
    /// The signals that are handled now.
    nonisolated(unsafe) private static var handled: [Int32] = []  // written beside the handlers themselves
    /// The terminal's descriptor; -1 while the terminal is restored.
    nonisolated(unsafe) private static var descriptor: Int32 = -1  // a handler cannot lock
    /// The descriptors of the capture of standard error; -1 while there is none.
    nonisolated(unsafe) private static var capture = noCapture  // a handler cannot lock
    private static let noCapture: (file: Int32, original: Int32, output: Int32) = (-1, -1, -1)
    /// The buffer that the handler copies the captured bytes through.
    nonisolated(unsafe) private static let buffer =  // a handler cannot allocate
        UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)

    /// Installs the handlers, until `remove()`.
    ///
    /// - Parameters:
    ///   - device: the terminal's descriptor, which must stay open until then.
    ///   - saved: the modes to restore.
    ///   - running: the capture of standard error to end.
    static func install(for device: Int32, restoring saved: termios, ending running: StandardErrorCapture?) {
        modes.initialize(to: saved)
        descriptor = device
        capture = running.map { ($0.file, $0.original, $0.output) } ?? noCapture
        _ = buffer
        // Signals that are ignored or have another handler are left alone.
        handled = traps + otherEndingSignals.filter(isDefault)
        for signal in handled {
            former[Int(signal)] = sigaction()
            var action = makeAction()
            sigaction(signal, &action, former + Int(signal))
        }
    }

    /// Restores the former handlers.
    static func remove() {
        guard descriptor >= 0 else { return }
        for signal in handled {
            sigaction(signal, former + Int(signal), nil)
        }
        descriptor = -1
    }

    /// Whether a signal has the default action.
    private static func isDefault(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #elseif canImport(Glibc)
        let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
        let handler = action.__sa_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self)
    }

    private static func makeAction() -> sigaction {
        var action = sigaction()
        // After a stack overflow, the handler needs the alternate stack, if there is one.
        action.sa_flags = Int32(truncatingIfNeeded: SA_ONSTACK)
        #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
        #elseif canImport(Glibc)
        action.__sigaction_handler.sa_handler = handler
        #elseif canImport(Musl)
        action.__sa_handler.sa_handler = handler
        #endif
        return action
    }

    private static let handler: @convention(c) (Int32) -> Void = { signal in
        // Another thread may be writing a frame: let it finish the present write; it starts no other.
        hasCrashed.store(true, ordering: .sequentiallyConsistent)
        poll(nil, 0, 2)
        tcsetattr(descriptor, TCSANOW, modes)
        let hasTitle = hasTitle.load(ordering: .sequentiallyConsistent)
        // The terminal may be busy with that write, or stuck for good.
        for _ in 0..<attempts {
            guard write(descriptor, ScreenCodes.leave.utf8Start, ScreenCodes.leave.utf8CodeUnitCount) < 0 else {
                let title = ScreenCodes.restoreTitle
                if hasTitle { _ = write(descriptor, title.utf8Start, title.utf8CodeUnitCount) }
                break
            }
            poll(nil, 0, 10)
        }
        if capture.file >= 0 {
            StandardErrorCapture.end(
                from: capture.file,
                to: capture.original,
                printingOn: capture.output,
                through: buffer
            )
        }
        // The runtime's own handler, if there is one, then prints its report on a restored terminal. The signal is blocked
        // until this handler returns.
        sigaction(signal, former + Int(signal), nil)
        raise(signal)
    }
}

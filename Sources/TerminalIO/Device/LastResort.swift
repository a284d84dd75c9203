import LibC
import Synchronization

/// Gives the terminal back when the program traps, or when a signal ends it that nothing else handles: otherwise the
/// report would go to the alternate screen, and the shell would be left without echo.
///
/// A handler may use nothing but memory that is there already and calls that are safe in a signal: hence the only
/// unsafe globals of the program. They are written while no handler is installed.
enum LastResort {
    /// The signals of a program that stops itself; a Swift trap is SIGILL or SIGTRAP.
    private static let traps = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
    /// The other signals that end a program by default.
    private static var others: [Int32] {
        let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
        #if os(Linux)
            // SIGSTKFLT, SIGIO and SIGPWR; then those of real time, of which the C library refuses its own.
            return common + [16, 29, 30] + Array(32...64)
        #else
            return common
        #endif
    }
    private static let highestSignal = 64
    /// Whether the program has trapped: from then on, nobody but the handler writes.
    static let hasStruck = Atomic(false)
    /// How often the handler tries to write, ten milliseconds apart.
    private static let attempts = 50

    /// The modes to give back.
    nonisolated(unsafe) private static let modes =  // a handler cannot lock
        UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// What handled the signals before, at the place of each signal's number.
    nonisolated(unsafe) private static let former =  // a handler cannot lock
        UnsafeMutablePointer<sigaction>.allocate(capacity: highestSignal + 1)
    /// The signals that are handled here at present.
    nonisolated(unsafe) private static var handled: [Int32] = []  // written beside the handlers themselves
    /// The terminal; -1 while none is taken.
    nonisolated(unsafe) private static var descriptor: Int32 = -1  // a handler cannot lock
    /// The file that standard error is kept in, and where it led before; -1 while it is not.
    nonisolated(unsafe) private static var detour: (file: Int32, original: Int32) = (-1, -1)  // a handler cannot lock
    /// What a handler copies that file through.
    nonisolated(unsafe) private static let buffer =  // a handler cannot allocate
        UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)

    /// Guards a terminal, until `remove()`.
    ///
    /// - Parameters:
    ///   - device: the terminal, which stays open until then.
    ///   - saved: the modes to give back.
    ///   - running: the detour of standard error to end.
    static func install(for device: Int32, restoring saved: termios, ending running: ErrorDetour?) {
        modes.initialize(to: saved)
        descriptor = device
        detour = running.map { ($0.file, $0.original) } ?? (-1, -1)
        _ = buffer
        // What is ignored, or handled elsewhere in the program, stays so.
        handled = traps + others.filter(isDefault)
        for signal in handled {
            former[Int(signal)] = sigaction()
            var action = makeAction()
            sigaction(signal, &action, former + Int(signal))
        }
    }

    /// Puts back what handled those signals before.
    static func remove() {
        guard descriptor >= 0 else { return }
        for signal in handled {
            sigaction(signal, former + Int(signal), nil)
        }
        descriptor = -1
    }

    /// Whether the system's own action is what a signal leads to.
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
        // A stack that overflowed leaves no room for a handler, so the other one is used where there is one.
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
        // Another thread may be about to paint: this moment is for what it has begun, and then it paints no more.
        hasStruck.store(true, ordering: .sequentiallyConsistent)
        poll(nil, 0, 2)
        tcsetattr(descriptor, TCSANOW, modes)
        // That thread may hold the terminal's lock still, or the terminal be stuck for good.
        for _ in 0..<attempts {
            guard write(descriptor, ScreenCodes.leave.utf8Start, ScreenCodes.leave.utf8CodeUnitCount) < 0 else { break }
            poll(nil, 0, 10)
        }
        if detour.file >= 0 { ErrorDetour.end(from: detour.file, to: detour.original, through: buffer) }
        // The runtime's own handler, if there is one, reports the trap on a whole terminal. The signal is held back until
        // this one returns.
        sigaction(signal, former + Int(signal), nil)
        raise(signal)
    }
}

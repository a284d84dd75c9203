@preconcurrency import Dispatch
import Monitoring
import UnixSignals

#if canImport(Darwin)
    import Darwin
#endif

/// The signals that the program answers itself. They are trapped before anything that a signal must not leave half done.
struct Signals: Sendable {
    /// What ends the program, what reads the settings again, and what the terminal tells.
    private static let trapped: [UnixSignal] = [.sigint, .sigterm, .sighup, .sigquit, .sigusr1, .sigwinch, .sigcont]
    /// So many wait for one who does not look.
    private static let room = 1_000

    /// The signals in the order in which they come.
    let sequence: AsyncStream<UnixSignal>

    /// Traps them all: none that comes from now on is lost.
    init() async {
        let (sequence, come) = AsyncStream.makeStream(of: UnixSignal.self, bufferingPolicy: .bufferingNewest(Self.room))
        self.sequence = sequence
        let queue = DispatchQueue(label: "reach.signals")
        let sources = Self.trapped.map { signal in
            #if canImport(Darwin)
                // There, what a signal does by itself comes first.
                Darwin.signal(signal.rawValue, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
            source.setEventHandler { come.yield(signal) }
            return source
        }
        come.onTermination = { _ in sources.forEach { $0.cancel() } }
        // They are registered on another thread, all in one go.
        await withCheckedContinuation { trapped in
            let registered = DispatchGroup()
            for source in sources {
                registered.enter()
                source.setRegistrationHandler { registered.leave() }
                source.resume()
            }
            registered.notify(queue: queue) { trapped.resume() }
        }
    }
}

extension UnixSignal {
    /// Whether the signal asks a program to end.
    var isEnding: Bool {
        self == .sigint || self == .sigterm || self == .sighup || self == .sigquit
    }
}

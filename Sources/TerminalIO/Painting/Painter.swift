import Dispatch
public import Screen
import Synchronization

/// Shows frames. It never makes the caller wait: what the terminal takes at once, the caller writes itself, as it costs more to
/// wake somebody for it. For the rest there is a writer, which sends the newest frame once the terminal has taken the last,
/// and skips those in between.
public final class Painter: Sendable {
    private let mailbox: Mutex<Mailbox>
    private let encoder: Encoder
    private let attempt: @Sendable ([UInt8]) -> Int
    private let sink: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The writer: one piece of work at a time, and no thread while there is none.
    private let writer = DispatchQueue(label: "reach.painter", qos: .userInteractive)

    /// A painter.
    ///
    /// - Parameters:
    ///   - color: what colours it may use.
    ///   - characters: what characters.
    ///   - isHeld: whether it waits for `release()` before it paints.
    ///   - attempt: sends of the bytes what the terminal takes at once, and says how many that were.
    ///   - sink: sends bytes to the terminal, as long as that takes; false if not all of them went out.
    init(
        color: ColorSupport,
        characters: CharacterSupport = .unicode,
        isHeld: Bool = false,
        attempt: @escaping @Sendable ([UInt8]) -> Int = { _ in 0 },
        sink: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
    ) {
        self.mailbox = Mutex(Mailbox(isHeld: isHeld))
        self.encoder = Encoder(color: color, characters: characters)
        self.attempt = attempt
        self.sink = sink
    }

    /// Shows a frame as soon as the terminal has taken the one before, unless a newer one comes until then. Nothing is
    /// written for a frame that looks like the one on the screen.
    public func paint(_ frame: Frame) {
        if mailbox.withLock({ $0.put(frame) }) { start() }
    }

    /// Paints the newest frame again, whole: something else may have written on the screen.
    public func repaint() {
        if mailbox.withLock({ $0.forget() }) { start() }
    }

    /// Waits until everything that was to be painted has gone out.
    func flush() {
        writer.sync {}
    }

    /// Stops painting, and waits until what is being written is out: after that, the sink is not called.
    func hold() {
        mailbox.withLock { $0.hold() }
        flush()
    }

    /// Paints again, all of the newest frame at first.
    func release() {
        if mailbox.withLock({ $0.release() }) { start() }
    }

    /// Sends bytes between two frames, unless held.
    func send(_ bytes: [UInt8]) {
        if mailbox.withLock({ $0.put(bytes) }) { start() }
    }

    /// Called by the one who made it necessary, while nobody writes: the queue is empty, and so this is done here and now.
    private func start() {
        writer.sync {
            while let work = mailbox.withLock({ $0.take() }) {
                let bytes = bytes(of: work)
                let count = bytes.isEmpty ? 0 : attempt(bytes)
                guard count == bytes.count else {
                    writer.async { [self] in goOn(work, bytes[count...]) }
                    return
                }
                mailbox.withLock { $0.finish(work, isShown: true) }
            }
        }
    }

    /// Writes the rest of a piece of work, and then whatever there is.
    private func goOn(_ begun: Mailbox.Work, _ rest: ArraySlice<UInt8>) {
        var next = (work: begun, bytes: rest)
        while true {
            let isShown = next.bytes.isEmpty || sink(next.bytes)
            let work = mailbox.withLock { mailbox in
                mailbox.finish(next.work, isShown: isShown)
                return mailbox.take()
            }
            guard let work else { return }
            next = (work, bytes(of: work)[...])
        }
    }

    private func bytes(of work: Mailbox.Work) -> [UInt8] {
        work.codes + (work.frame.map { encoder.encode($0, over: work.old) } ?? [])
    }
}

import Dispatch
public import Screen
import Synchronization

/// Shows frames. It never makes the caller wait: a writer of its own sends the newest frame once the terminal has taken
/// the last, and skips those in between.
public final class Painter: Sendable {
    private let mailbox: Mutex<Mailbox>
    private let encoder: Encoder
    private let sink: @Sendable ([UInt8]) -> Bool
    /// The writer: one piece of work at a time, and no thread while there is none.
    private let writer = DispatchQueue(label: "reach.painter", qos: .userInteractive)

    /// A painter.
    ///
    /// - Parameters:
    ///   - color: what colours it may use.
    ///   - characters: what characters.
    ///   - isHeld: whether it waits for `release()` before it paints.
    ///   - sink: sends bytes to the terminal, as long as that takes; false if not all of them went out.
    init(
        color: ColorSupport,
        characters: CharacterSupport = .unicode,
        isHeld: Bool = false,
        sink: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.mailbox = Mutex(Mailbox(isHeld: isHeld))
        self.encoder = Encoder(color: color, characters: characters)
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
        writer.async { [self] in
            if mailbox.withLock({ !$0.isHeld }) { _ = sink(bytes) }
        }
    }

    private func start() {
        writer.async { [self] in
            while let work = mailbox.withLock({ $0.take() }) {
                let bytes = encoder.encode(work.frame, over: work.old)
                let isShown = bytes.isEmpty || sink(bytes)
                mailbox.withLock { $0.finish(work, isShown: isShown) }
            }
        }
    }
}

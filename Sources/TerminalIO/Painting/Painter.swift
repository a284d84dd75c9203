import Dispatch
public import Screen
import Synchronization

/// Shows frames on a terminal without blocking the caller. The caller itself writes as much as the terminal accepts at once,
/// since waking another thread costs more. A writer on a queue writes the rest, then the newest frame, and skips the frames
/// in between.
public final class Painter: Sendable {
    private let mailbox: Mutex<Mailbox>
    private let encoder: Encoder
    private let tryWrite: @Sendable ([UInt8]) -> Int
    private let write: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The writer's queue, which needs no thread while there is nothing to write.
    private let writer = DispatchQueue(label: "reach.painter", qos: .userInteractive)

    /// Creates a painter.
    ///
    /// - Parameters:
    ///   - color: the colours that it may use.
    ///   - characters: the characters that it may use.
    ///   - isHeld: whether it paints nothing before `release()`.
    ///   - tryWrite: writes what the terminal accepts without blocking, and returns how many bytes that were.
    ///   - write: writes all bytes and may block; false if the terminal is gone.
    init(
        color: ColorSupport,
        characters: CharacterSupport = .unicode,
        isHeld: Bool = false,
        tryWrite: @escaping @Sendable ([UInt8]) -> Int = { _ in 0 },
        write: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
    ) {
        self.mailbox = Mutex(Mailbox(isHeld: isHeld))
        self.encoder = Encoder(color: color, characters: characters)
        self.tryWrite = tryWrite
        self.write = write
    }

    /// Shows a frame as soon as the terminal has accepted the previous one, unless a newer one comes before. Nothing is
    /// written for a frame that equals the one on the screen.
    public func paint(_ frame: Frame) {
        if mailbox.withLock({ $0.enqueue(frame) }) { start() }
    }

    /// Paints the whole newest frame again, since something else may have written on the screen.
    public func repaint() {
        if mailbox.withLock({ $0.invalidate() }) { start() }
    }

    /// Waits until everything is written.
    func flush() {
        writer.sync {}
    }

    /// Stops painting and waits for the present write. Nothing is written after that.
    func hold() {
        mailbox.withLock { $0.hold() }
        flush()
    }

    /// Paints again, beginning with the whole newest frame.
    ///
    /// - Parameter codes: bytes that are sent before it.
    func release(after codes: [UInt8] = []) {
        if mailbox.withLock({ $0.release(after: codes) }) { start() }
    }

    /// Sends bytes between two frames, unless held.
    func send(_ bytes: [UInt8]) {
        if mailbox.withLock({ $0.enqueue(bytes) }) { start() }
    }

    /// Starts the writer. It is not running, so its queue is empty and this runs on the caller's thread at once.
    private func start() {
        writer.sync {
            while let item = mailbox.withLock({ $0.next() }) {
                let bytes = bytes(of: item)
                let count = bytes.isEmpty ? 0 : tryWrite(bytes)
                guard count == bytes.count else {
                    writer.async { [self] in finish(item, bytes[count...]) }
                    return
                }
                mailbox.withLock { $0.finish(item, isShown: true) }
            }
        }
    }

    /// Writes the rest of an item, and then all further ones.
    private func finish(_ begun: Mailbox.Item, _ rest: ArraySlice<UInt8>) {
        var next = (item: begun, bytes: rest)
        while true {
            let isShown = next.bytes.isEmpty || write(next.bytes)
            let item = mailbox.withLock { mailbox in
                mailbox.finish(next.item, isShown: isShown)
                return mailbox.next()
            }
            guard let item else { return }
            next = (item, bytes(of: item)[...])
        }
    }

    private func bytes(of item: Mailbox.Item) -> [UInt8] {
        item.codes + (item.frame.map { encoder.encode($0, over: item.old) } ?? [])
    }
}

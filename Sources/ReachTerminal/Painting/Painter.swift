import Dispatch
public import ReachScreen
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
    ///   - isPaused: whether it paints nothing before `resume()`.
    ///   - tryWrite: writes what the terminal accepts without blocking, and returns how many bytes that were.
    ///   - write: writes all bytes and may block; false if the terminal is gone.
    init(
        color: ColorSupport,
        characters: CharacterSupport = .unicode,
        isPaused: Bool = false,
        tryWrite: @escaping @Sendable ([UInt8]) -> Int = { _ in 0 },
        write: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
    ) {
        self.mailbox = Mutex(Mailbox(isPaused: isPaused))
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
    func pause() {
        mailbox.withLock { $0.pause() }
        flush()
    }

    /// Paints again, beginning with the whole newest frame.
    ///
    /// - Parameter codes: bytes that are sent before it.
    func resume(after codes: [UInt8] = []) {
        if mailbox.withLock({ $0.resume(after: codes) }) { start() }
    }

    /// Sends bytes between two frames, unless paused.
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

/// The state machine that decides what is written next: control codes, and the newest frame as a difference from the last
/// one that was written completely.
///
/// It holds one waiting frame and no queue, so that a slow terminal skips frames. There is one writer; the functions that
/// make it necessary return whether to start it.
struct Mailbox: Sendable {
    /// One item for the writer.
    struct Item: Sendable {
        /// Control codes, written before the frame.
        let codes: [UInt8]
        /// The frame to show; nil if there are only codes.
        let frame: Frame?
        /// The frame on the terminal; nil if unknown.
        let old: Frame?
    }

    /// The newest frame, written or not.
    private var newest: Frame?
    /// Whether the newest frame is still to be written.
    private var isWaiting = false
    /// Codes that are still to be written.
    private var codes: [UInt8] = []
    /// The frame on the terminal; nil if unknown.
    private var shown: Frame?
    /// Whether the writer is running.
    private var isWriting = false
    /// Whether the terminal will show something else than the item that is being written.
    private var isInvalidated = false
    /// Whether nothing may be written, because the terminal is restored.
    private(set) var isPaused: Bool

    init(isPaused: Bool = false) {
        self.isPaused = isPaused
    }

    /// Enqueues a frame; it replaces a waiting one.
    ///
    /// - Returns: Whether to start the writer.
    mutating func enqueue(_ frame: Frame) -> Bool {
        newest = frame
        isWaiting = true
        return start()
    }

    /// Enqueues codes, unless paused.
    ///
    /// - Returns: Whether to start the writer.
    mutating func enqueue(_ more: [UInt8]) -> Bool {
        guard !isPaused else { return false }
        codes += more
        return start()
    }

    /// Makes the newest frame be written again as a whole.
    ///
    /// - Returns: Whether to start the writer.
    mutating func invalidate() -> Bool {
        shown = nil
        isInvalidated = isWriting
        isWaiting = newest != nil
        return start()
    }

    /// Stops writing until ``resume()``; waiting codes are dropped.
    mutating func pause() {
        isPaused = true
        codes = []
    }

    /// Ends ``pause()``, if it was called. The content of the terminal is then unknown.
    ///
    /// - Parameter codes: codes that are written before the frame, instead of waiting ones.
    /// - Returns: Whether to start the writer.
    mutating func resume(after codes: [UInt8] = []) -> Bool {
        isPaused = false
        self.codes = codes
        return invalidate()
    }

    /// Removes and returns the next item; nil ends the writer.
    mutating func next() -> Item? {
        guard hasItem else {
            isWriting = false
            return nil
        }
        defer {
            codes = []
            isWaiting = false
            isInvalidated = false
        }
        return Item(codes: codes, frame: isWaiting ? newest : nil, old: shown)
    }

    /// Records that the writer is done with an item.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - isShown: whether it was written completely.
    mutating func finish(_ item: Item, isShown: Bool) {
        shown = isShown && !isInvalidated ? item.frame ?? shown : nil
    }

    private var hasItem: Bool { !isPaused && (isWaiting || !codes.isEmpty) }

    private mutating func start() -> Bool {
        guard hasItem, !isWriting else { return false }
        isWriting = true
        return true
    }
}

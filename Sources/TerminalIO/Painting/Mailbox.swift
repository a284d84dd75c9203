import Screen

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
    /// Whether nothing may be written, because the terminal is not taken.
    private(set) var isHeld: Bool

    init(isHeld: Bool = false) {
        self.isHeld = isHeld
    }

    /// Enqueues a frame; it replaces a waiting one.
    ///
    /// - Returns: Whether to start the writer.
    mutating func enqueue(_ frame: Frame) -> Bool {
        newest = frame
        isWaiting = true
        return start()
    }

    /// Enqueues codes, unless held.
    ///
    /// - Returns: Whether to start the writer.
    mutating func enqueue(_ more: [UInt8]) -> Bool {
        guard !isHeld else { return false }
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

    /// Stops writing until ``release()``; waiting codes are dropped.
    mutating func hold() {
        isHeld = true
        codes = []
    }

    /// Ends ``hold()``, if it was called. The content of the terminal is then unknown.
    ///
    /// - Parameter codes: codes that are written before the frame, instead of waiting ones.
    /// - Returns: Whether to start the writer.
    mutating func release(after codes: [UInt8] = []) -> Bool {
        isHeld = false
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

    private var hasItem: Bool { !isHeld && (isWaiting || !codes.isEmpty) }

    private mutating func start() -> Bool {
        guard hasItem, !isWriting else { return false }
        isWriting = true
        return true
    }
}

import Screen

/// Decides what goes out next: codes that somebody sends, and the newest frame that there is, over the last one that really
/// went out.
///
/// It holds one frame that waits and no queue, so that a slow terminal skips frames. One writer takes frames; whoever
/// makes it necessary is told to start it.
struct Mailbox: Sendable {
    /// What the writer is to write.
    struct Work: Sendable {
        /// Goes out before the frame.
        let codes: [UInt8]
        /// The frame to show; nil where there are codes only.
        let frame: Frame?
        /// What the terminal shows; nil if that is not known.
        let old: Frame?
    }

    /// The newest frame, painted or not.
    private var newest: Frame?
    /// Whether the newest frame waits to be painted.
    private var isWaiting = false
    /// Codes that wait to be sent.
    private var codes: [UInt8] = []
    /// What the terminal shows; nil if that is not known.
    private var shown: Frame?
    /// Whether a writer is at work.
    private var isWriting = false
    /// Whether what is being written will not be what the terminal shows.
    private var isSpoilt = false
    /// Whether nothing may be written, because the terminal is not ours.
    private(set) var isHeld: Bool

    init(isHeld: Bool = false) {
        self.isHeld = isHeld
    }

    /// Puts a frame in, in the place of one that waits.
    ///
    /// - Returns: Whether to start the writer.
    mutating func put(_ frame: Frame) -> Bool {
        newest = frame
        isWaiting = true
        return start()
    }

    /// Puts codes in, unless held.
    ///
    /// - Returns: Whether to start the writer.
    mutating func put(_ more: [UInt8]) -> Bool {
        guard !isHeld else { return false }
        codes += more
        return start()
    }

    /// Lets the newest frame be painted anew, over nothing.
    ///
    /// - Returns: Whether to start the writer.
    mutating func forget() -> Bool {
        shown = nil
        isSpoilt = isWriting
        isWaiting = newest != nil
        return start()
    }

    /// Lets the writer find nothing until ``release()``; codes that wait are dropped.
    mutating func hold() {
        isHeld = true
        codes = []
    }

    /// Ends ``hold()``; what the terminal shows is not known any more.
    ///
    /// - Returns: Whether to start the writer.
    mutating func release() -> Bool {
        isHeld = false
        return forget()
    }

    /// Takes the next piece of work; nil ends the writer.
    mutating func take() -> Work? {
        guard hasWork else {
            isWriting = false
            return nil
        }
        defer {
            codes = []
            isWaiting = false
            isSpoilt = false
        }
        return Work(codes: codes, frame: isWaiting ? newest : nil, old: shown)
    }

    /// Notes that the writer is done with a piece of work.
    ///
    /// - Parameters:
    ///   - work: what was taken.
    ///   - isShown: whether all of it went out.
    mutating func finish(_ work: Work, isShown: Bool) {
        shown = isShown && !isSpoilt ? work.frame ?? shown : nil
    }

    private var hasWork: Bool { !isHeld && (isWaiting || !codes.isEmpty) }

    private mutating func start() -> Bool {
        guard hasWork, !isWriting else { return false }
        isWriting = true
        return true
    }
}

import LibC
import Synchronization

/// The query for the background of the terminal, and whether an answer may still come.
final class BackgroundQuery: Sendable {
    /// The query (xterm's control sequences, OSC 11), and one for the attributes of the terminal (DA1). Terminals answer in
    /// order, and all of them answer the second: after that, no answer to the first will come.
    static let code = "\u{1B}]11;?\u{7}\u{1B}[c"

    private let open = Mutex(OpenQuery())

    /// Records that the query is sent.
    func markSent() {
        open.withLock { $0.send(at: .now) }
    }

    /// Records that the terminal reported its background.
    ///
    /// - Returns: Whether that was awaited.
    func receiveBackground() -> Bool {
        open.withLock { $0.receiveBackground(at: .now) }
    }

    /// Records that the terminal reported its attributes.
    func receiveAttributes() {
        open.withLock { $0.receiveAttributes() }
    }

    /// Waits for an outstanding answer, at most half a second, before the terminal is restored: the shell would read it as
    /// input.
    func waitForAnswer() {
        let begin = ContinuousClock.now
        while begin.duration(to: .now) < .milliseconds(500), open.withLock({ $0.isOpen(at: .now) }) { poll(nil, 0, 2) }
    }
}

/// Which answers to a query are outstanding.
struct OpenQuery: Sendable {
    /// How long the terminal may take to answer at all. One that is silent for longer does not answer.
    static let longest = Duration.seconds(2)
    /// How long after the first answer the second one may come. They are sent together.
    static let longestGap = Duration.milliseconds(100)

    /// The time until which the next answer may come; nil if none is awaited.
    private var deadline: ContinuousClock.Instant?
    private var awaitsBackground = false

    /// Whether an answer may still come.
    func isOpen(at now: ContinuousClock.Instant) -> Bool {
        deadline.map { now < $0 } ?? false
    }

    mutating func send(at now: ContinuousClock.Instant) {
        deadline = now + Self.longest
        awaitsBackground = true
    }

    /// Returns whether the background was awaited.
    mutating func receiveBackground(at now: ContinuousClock.Instant) -> Bool {
        guard awaitsBackground else { return false }
        awaitsBackground = false
        deadline = now + Self.longestGap
        return true
    }

    mutating func receiveAttributes() {
        deadline = nil
    }
}

import LibC
import Synchronization

/// Tracks whether the terminal has answered the query for its background.
final class BackgroundQuery: Sendable {
    /// The query (xterm's control sequences, OSC 11).
    static let code = "\u{1B}]11;?\u{7}"
    /// How long a local terminal takes to answer at most.
    static let timeout = Duration.milliseconds(100)

    private let sent = Mutex<ContinuousClock.Instant?>(nil)

    /// Records that the query is sent.
    func markSent() {
        sent.withLock { $0 = .now }
    }

    /// Records that an answer came.
    ///
    /// - Returns: Whether an answer was awaited.
    func receiveAnswer() -> Bool {
        sent.withLock { sent in
            defer { sent = nil }
            return sent != nil
        }
    }

    /// Waits for an outstanding answer, at most until ``timeout`` after the query, before the terminal is restored: the
    /// shell would read it as input.
    func waitForAnswer() {
        while let time = sent.withLock(\.self), time.duration(to: .now) < Self.timeout { poll(nil, 0, 2) }
    }
}

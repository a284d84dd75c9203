import LibC
import Synchronization

/// Keeps account of whether the terminal still owes an answer.
final class BackgroundQuestion: Sendable {
    /// Asks for the background (xterm's control sequences, OSC 11).
    static let code = "\u{1B}]11;?\u{7}"
    /// What a terminal nearby takes at most.
    static let patience = Duration.milliseconds(100)

    private let asked = Mutex<ContinuousClock.Instant?>(nil)

    /// Notes that the terminal is being asked.
    func ask() {
        asked.withLock { $0 = .now }
    }

    /// Notes that an answer came.
    ///
    /// - Returns: Whether one was asked for and still missing.
    func takeAnswer() -> Bool {
        asked.withLock { asked in
            defer { asked = nil }
            return asked != nil
        }
    }

    /// Waits for the answer before the terminal is given back, until the patience since the question is over: a shell
    /// would take it for something typed.
    func settle() {
        while let time = asked.withLock(\.self), time.duration(to: .now) < Self.patience { poll(nil, 0, 2) }
    }
}

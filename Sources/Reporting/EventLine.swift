public import Monitoring
import ReachBasics

/// An event as a line of text for `watch`: the time in UTC, the target, and the event.
///
/// ```
/// 2026-11-20T14:02:19.114Z  NAS  down after 3 losses: refused (was up 3h02m)
/// ```
public struct EventLine: Sendable, Hashable {
    /// The line without its line end. It contains no control characters, whatever a peer sent.
    public let text: String

    /// The line of a transition.
    public init(_ transition: Transition, of name: String, wall: WallTime, redaction: Redaction = Redaction()) {
        let before = transition.before.map { " (\($0))" } ?? ""
        self.init(at: transition.time, name, redaction.text(transition.summary + before), wall: wall)
    }

    /// A line about a target.
    ///
    /// - Parameters:
    ///   - time: the time of the event, since the start of the program.
    ///   - name: the name of the target.
    ///   - words: the event.
    ///   - wall: the wall time of the program's start.
    public init(at time: Duration, _ name: String, _ words: String, wall: WallTime) {
        text = "\(wall.timestamp(at: time))  \(name.printable)  \(words.printable)"
    }
}

extension String {
    /// The text with U+FFFD in place of control and bidirectional control characters, so that it stays one line and cannot
    /// control a terminal.
    public var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControlling ? "\u{FFFD}" : $0 }))
    }

    /// The text as ``printable``, with its lines.
    public var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }
}

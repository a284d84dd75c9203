public import Monitoring

/// What happened, as a line of text for `watch`: the time in UTC, the target, and the event in words.
///
/// ```
/// 2026-11-20T14:02:19.114Z  NAS  down after 3 losses: connection refused (was up 3h02m)
/// ```
public struct EventLine: Sendable, Hashable {
    /// The line, without its end. Nothing in it is a control character, whatever a peer sent.
    public let text: String

    /// The line of a transition.
    public init(_ transition: Transition, of name: String, wall: WallTime, redaction: Redaction = Redaction()) {
        let before = transition.before.map { " (\($0))" } ?? ""
        self.init(at: transition.time, name, redaction.text(transition.summary + before), wall: wall)
    }

    /// A line about a target.
    ///
    /// - Parameters:
    ///   - time: when it happened, since the start of the program.
    ///   - name: whom it is about.
    ///   - words: what happened.
    ///   - wall: the wall time of the program's start.
    public init(at time: Duration, _ name: String, _ words: String, wall: WallTime) {
        text = "\(wall.timestamp(at: time))  \(name.printable)  \(words.printable)"
    }
}

extension String {
    /// The text with a replacement for every control character, and for those that turn a line around, so that a line
    /// stays a line and a terminal a terminal.
    public var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isObeyed ? "\u{FFFD}" : $0 }))
    }
}

import ReachBasics

/// A line that was entered at a prompt, as the history file keeps it for the next run.
public struct HistoryLine: Sendable, Hashable {
    /// What a line was for.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// A filter of the targets.
        case filter
        /// A command for a target.
        case command
        /// The reason of an acknowledgement or of a silence.
        case reason
    }

    /// The maximum number of lines that are kept for each purpose.
    public static let capacity = LineHistory.capacity

    /// What the line was for.
    public let purpose: Purpose
    /// The line as it was typed.
    public let text: String

    /// Creates a line; nil if the text is empty, too long for a prompt, or has control characters.
    public init?(_ purpose: Purpose, _ text: String) {
        let isTyped = !text.isEmpty && text.count <= LineEditor.limit
        guard isTyped, !text.unicodeScalars.contains(where: { $0.isControl }) else {
            return nil
        }
        self.purpose = purpose
        self.text = text
    }

    /// Whether the line is saved. As in shells, a line that begins with a blank is not.
    var isKept: Bool { !text.hasPrefix(" ") }
}

/// The history of a prompt: distinct entered lines, the newest last.
struct LineHistory: Sendable, Hashable {
    /// The maximum number of lines.
    static let capacity = 200

    private(set) var lines: [String] = []

    /// Adds an entered line, and removes an earlier equal one.
    mutating func remember(_ line: String) {
        guard !line.isEmpty else { return }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > Self.capacity { lines.removeFirst() }
    }
}

/// A line that was entered at a prompt, as it is kept for the next run.
public struct PastLine: Sendable, Hashable {
    /// What a line was for.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// Which targets are shown.
        case filter
        /// What a target is to run.
        case command
    }

    /// More of a purpose than this nobody goes back.
    public static let capacity = LineHistory.capacity

    /// What it was for.
    public let purpose: Purpose
    /// The line as it was typed.
    public let text: String

    /// A line; nil for what cannot have been typed: nothing, more than a prompt takes, and control characters.
    public init?(_ purpose: Purpose, _ text: String) {
        let isTyped = !text.isEmpty && text.count <= LineEditor.limit
        guard isTyped, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return nil
        }
        self.purpose = purpose
        self.text = text
    }

    /// Whether it is to be kept: as in shells, a blank before it says that it is not.
    var isKept: Bool { !text.hasPrefix(" ") }
}

import ReachBasics
import ReachMonitoring
import ReachScreen

/// The open prompt or question, and the histories of filters, commands and reasons.
struct Prompts: Sendable {
    private(set) var current: Prompt?
    /// The open question; no prompt is open meanwhile.
    private(set) var question: Confirmation?
    private var filters = LineHistory()
    private var commands = LineHistory()
    private var reasons = LineHistory()

    /// Adds an entered line, of this run or an earlier one, to its history.
    mutating func remember(_ text: String, for purpose: EnteredLine.Purpose) {
        switch purpose {
        case .filter: filters.remember(text)
        case .command: commands.remember(text)
        case .reason: reasons.remember(text)
        }
    }

    /// Adds the lines of earlier runs, the newest last, before those that were entered meanwhile.
    mutating func recall(_ lines: [EnteredLine]) {
        let entered = (filters.lines, commands.lines, reasons.lines)
        for line in lines { remember(line.text, for: line.purpose) }
        entered.0.forEach { filters.remember($0) }
        entered.1.forEach { commands.remember($0) }
        entered.2.forEach { reasons.remember($0) }
    }

    /// Opens the prompt for a filter.
    mutating func openFilterPrompt(text: String) {
        current = Prompt(.filter, text: text, history: filters.lines)
    }

    /// Opens the prompt for a command.
    ///
    /// - Parameter suggestions: commands for completion, with lower priority than the history.
    mutating func openCommandPrompt(for targets: [Target.ID], named name: String, suggestions: some Sequence<String>) {
        var history = LineHistory()
        for line in suggestions { history.remember(line) }
        for line in commands.lines { history.remember(line) }
        current = Prompt(
            .command(targets, of: name),
            history: history.lines.filter { !$0.contains { $0.isNewline } }
        )
    }

    /// Opens the prompt for the reason of an acknowledgement.
    mutating func openReasonPrompt(for targets: [Target.ID], named name: String, isAcknowledged: Bool) {
        current = Prompt(.reason(targets, of: name, isAcknowledged: isAcknowledged), history: reasons.lines)
    }

    /// Opens the prompt for the reason of a silence.
    mutating func openSilencePrompt(
        _ matcher: LabelMatcher,
        named name: String,
        _ targets: [Target.ID],
        isAcknowledged: Bool
    ) {
        current = Prompt(
            .silence(matcher, of: name, targets, isAcknowledged: isAcknowledged),
            history: reasons.lines
        )
    }

    /// Opens the palette.
    mutating func openPalette() {
        current = Prompt(.action, history: [])
    }

    /// Selects a row of the palette.
    mutating func select(choice: Int) {
        current?.choice = choice
    }

    /// Opens the prompt for a new target.
    mutating func openTargetPrompt(below neighbour: String?) {
        current = Prompt(.target(below: neighbour), history: [])
    }

    /// Opens the prompt for the name of a new settings file.
    mutating func openFilePrompt() {
        current = Prompt(.file, text: "dashboard.toml", history: [])
    }

    /// Handles a key in the open prompt.
    ///
    /// - Returns: Whether the key has a meaning there.
    mutating func handle(_ key: Key) -> Bool {
        current?.handle(key) ?? false
    }

    /// Opens a question.
    mutating func ask(_ question: Confirmation) {
        current = nil
        self.question = question
    }

    /// Closes the prompt or the question.
    mutating func close() {
        current = nil
        question = nil
    }

    /// Shows a problem with the entered line.
    mutating func show(problem: String) {
        current?.problem = problem
    }
}

/// A line that was entered at a prompt, as the history file keeps it for the next run.
public struct EnteredLine: Sendable, Hashable {
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

import Monitoring
import Screen

/// The open prompt or question, and the histories of filters, commands and reasons.
struct Prompts: Sendable {
    private(set) var current: Prompt?
    /// The open question; no prompt is open meanwhile.
    private(set) var question: Confirmation?
    private var filters = LineHistory()
    private var commands = LineHistory()
    private var reasons = LineHistory()

    /// Adds an entered line, of this run or an earlier one, to its history.
    mutating func remember(_ text: String, for purpose: HistoryLine.Purpose) {
        switch purpose {
        case .filter: filters.remember(text)
        case .command: commands.remember(text)
        case .reason: reasons.remember(text)
        }
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

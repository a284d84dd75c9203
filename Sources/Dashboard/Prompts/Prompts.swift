import Monitoring
import Screen

/// The line that is being typed, and the lines that were entered before.
struct Prompts: Sendable {
    private(set) var current: Prompt?
    private var filters = LineHistory()
    private var commands = LineHistory()

    /// Adds a line that was entered, in this run or an earlier one.
    mutating func remember(_ text: String, for purpose: PastLine.Purpose) {
        switch purpose {
        case .filter: filters.remember(text)
        case .command: commands.remember(text)
        }
    }

    /// Opens the prompt for a filter.
    mutating func askForFilter(from text: String) {
        current = Prompt(.filter, text: text, earlier: filters.lines)
    }

    /// Opens the prompt for a command.
    ///
    /// - Parameter offered: commands to complete from, after those that were entered.
    mutating func askForCommand(of targets: [Target.ID], called name: String, offered: some Sequence<String>) {
        var earlier = LineHistory()
        for line in offered { earlier.remember(line) }
        for line in commands.lines { earlier.remember(line) }
        current = Prompt(
            .command(targets, of: name),
            earlier: earlier.lines.filter { !$0.contains { $0.isNewline } }
        )
    }

    /// Edits the line.
    ///
    /// - Returns: Whether the key edits.
    mutating func take(_ key: Key) -> Bool {
        current?.take(key) ?? false
    }

    /// Closes the prompt.
    mutating func close() {
        current = nil
    }

    /// Shows what is wrong with the line.
    mutating func complain(_ problem: String) {
        current?.complaint = problem
    }
}

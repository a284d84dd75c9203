import ReachMonitoring
import ReachScreen

/// The line of an open prompt: label, text with cursor, completion, and a hint or problem.
struct PromptLine {
    let context: ViewContext
    let prompt: Prompt

    /// The minimum width of the text.
    private static let minimumWidth = 8

    private var appearance: Appearance { context.appearance }

    /// Returns the segments for a width.
    ///
    /// * A long text is truncated at its start, so that the cursor is visible.
    /// * A problem is always visible, if necessary instead of the text after the cursor.
    /// * A hint is shown only if at least half of it fits.
    func segments(width: Int) -> [Segment] {
        let label = Segment(label, appearance[.accent])
        let hint = hint
        let hasProblem = prompt.problem != nil
        let free = max(Self.minimumWidth, width - label.text.displayWidth - (hasProblem ? hint.text.displayWidth : 0))
        let (line, completion) = (prompt.line, prompt.completion)
        let characters = Array(line.text)
        let under =
            line.cursor < characters.count
            ? String(characters[line.cursor]) : completion.first.map { String($0) } ?? " "
        let before = String(characters[..<line.cursor])
            .truncatedAtStart(toColumns: free - under.displayWidth, ellipsis: ellipsis)
        let left = free - (before + under).displayWidth
        let after = String(characters.dropFirst(line.cursor + 1))
        let rest = hasProblem ? "" : String(completion.dropFirst())
        let showsHint = hasProblem || (after + rest).displayWidth + hint.text.displayWidth / 2 <= left
        var cursor = appearance[.text]
        cursor.attributes.insert(.reversed)
        return [
            label, Segment(before, appearance[.text]), Segment(under, cursor),
            Segment(hasProblem ? after.truncated(toColumns: left, ellipsis: ellipsis) : after, appearance[.text]),
            Segment(rest, appearance[.faint]),
        ] + (showsHint ? [hint] : [])
    }

    private var ellipsis: Character { appearance.glyphs.ellipsis }

    private var label: String {
        switch prompt.purpose {
        case .filter: "filter: "
        case .action: "action: "
        case .command(let ids, let name) where reachable(of: ids) == ids.count:
            ids.count == 1 ? "run now, \(name) is reachable: " : "run now for each of \(name), all reachable: "
        case .command(let ids, let name):
            ids.count == 1 ? "run once \(name) is reachable: " : "run once for each of \(name) when reachable: "
        case .reason(_, let name, _): "acknowledge \(name): "
        case .silence(_, let name, _, _): "silence \(name): "
        case .target: "add target: "
        case .file: "write to file: "
        }
    }

    /// Whether targets are those of a fleet, about which there may be alerts elsewhere.
    private func isOfFleet(_ ids: [Target.ID]) -> Bool {
        ids.allSatisfy { id in context.roster[id].map { !$0.target.question.method.probes } ?? false }
    }

    /// The number of targets for which a command runs at once.
    private func reachable(of ids: [Target.ID]) -> Int {
        ids.count { id in context.roster[id].map { $0.health.isReachable && $0.isProbed } ?? false }
    }

    /// What enter does with a command for targets.
    private func effect(on ids: [Target.ID]) -> String {
        switch reachable(of: ids) {
        case 0: "arms it"
        case ids.count: "runs it now"
        case let count: "runs it now for \(count), arms it for \(ids.count - count)"
        }
    }

    private var hint: Segment {
        if let problem = prompt.problem { return Segment("   \(problem)", appearance[.down]) }
        let text =
            switch prompt.purpose {
            case .filter: "enter keeps it, esc clears it"
            case .action: "enter performs it, esc closes"
            case .reason(let ids, _, isAcknowledged: false) where prompt.line.text.isEmpty && isOfFleet(ids):
                "acknowledged here only: no [alertmanager] in the settings"
            case .silence(_, _, _, let isAcknowledged) where prompt.line.text.isEmpty:
                isAcknowledged ? "a new reason, or enter to remove it here" : "2h: reason, for example 4h: new switch"
            case .silence:
                prompt.completion.isEmpty ? "enter shows the silence, esc cancels" : "tab completes, enter shows it"
            case .reason(_, _, let isAcknowledged) where prompt.line.text.isEmpty:
                isAcknowledged ? "a new reason, or enter to remove it" : "reason, for example 2h: new switch ordered"
            case .reason:
                prompt.completion.isEmpty ? "enter acknowledges, esc cancels" : "tab completes, enter acknowledges"
            case .command(let ids, _):
                prompt.completion.isEmpty
                    ? "enter \(effect(on: ids)), esc cancels" : "tab completes, enter \(effect(on: ids))"
            case .target: "URL, HOST or HOST:PORT, then a name; enter adds it"
            case .file: "enter writes it, esc cancels"
            }
        return Segment("   \(text)", appearance[.faint])
    }
}

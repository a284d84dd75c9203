import Monitoring
import Reporting
import Screen

/// The hook rules of the settings as a table: target, events, action and conditions.
struct HookListing {
    /// The lines of the table, the header first; empty when there is no rule.
    let lines: [String]

    init(_ targets: [Target]) {
        var rows: [[String]] = []
        for target in targets {
            for rule in target.hooks {
                // With `family = "both"`, a target has two rows and the same rules twice.
                let row = [
                    target.name, rule.eventText, rule.action.description, rule.conditions.joined(separator: ", "),
                ]
                if !rows.contains(row) { rows.append(row) }
            }
        }
        guard !rows.isEmpty else {
            lines = []
            return
        }
        let table = [["TARGET", "ON", "RUNS", "CONDITIONS"]] + rows.map { $0.map(\.printable) }
        let widths = (0..<3).map { column in table.map { $0[column].displayWidth }.max() ?? 0 }
        lines = table.map { row in
            let cells = zip(row, widths).map { $0.padded(toColumns: min($1, Self.maxWidth)) }
            return (cells + [row[3]]).joined(separator: "  ")
        }
    }

    /// The maximum width of a column. A longer command shifts the rest of its own line only.
    private static let maxWidth = 48
}

extension HookRule {
    /// The events of the rule, in the order of the manual.
    fileprivate var eventText: String {
        HookEvent.settable.filter(events.contains).map(\.rawValue).joined(separator: ", ")
    }

    /// The conditions of the rule besides its events, by their settings keys.
    fileprivate var conditions: [String] {
        var texts: [String] = []
        if isOnce { texts.append("once") }
        if firesAtStart { texts.append("at_start") }
        if let within { texts.append("within \(within.settingsText)") }
        if minDown > .zero { texts.append("min_down \(minDown.settingsText)") }
        if cooldown > .zero { texts.append("cooldown \(cooldown.settingsText)") }
        if retries > 0 { texts.append("retries \(retries)") }
        if skipsAcknowledged { texts.append("unless_acknowledged") }
        if runsWhileFlapping { texts.append("while_flapping") }
        if !allowsCellular { texts.append("not by cellular") }
        texts.append("timeout \(timeout.settingsText)")
        return texts
    }
}

import Monitoring
import Screen

extension Model {
    /// Copies the selected row to the clipboard; for a group, the rows of its targets. Terminals do not report whether
    /// they allow it.
    mutating func copyRow() -> [Effect] {
        let targets = selectedTargets
        guard !targets.isEmpty else { return [] }
        let what = targets.count == 1 ? "the row" : "the rows"
        showStatus("copied \(what) of \(Self.name(of: targets)), if the terminal allows it")
        let shown = shown
        let rows = targets.map { shown.copyText(of: shown.roster[$0.id] ?? $0) }
        return [.copy(rows.joined(separator: "\n"))]
    }

    /// The row as text, with the column heading before each figure that needs one.
    private func copyText(of state: TargetState) -> String {
        let row = TableRow(state: state, model: self, methodWidth: 0)
        let health = row.segments(of: .health, width: 200).map(\.text).joined()
        var parts = [state.target.label, state.target.question.url, health]
        if !state.isPausedOrBlocked {
            let statistics = state.statistics
            if let last = statistics.last { parts.append("last \(last.roundTripText)") }
            if let percentile = statistics.percentile(95) { parts.append("p95 \(percentile.roundTripText)") }
            if let loss = statistics.loss { parts.append("loss \(loss.percentText)") }
        }
        return (parts + ["for \((now - state.since).spanText)"]).joined(separator: "  ")
    }
}

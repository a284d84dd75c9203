import Monitoring
import Screen

extension Model {
    /// Hands the selected row to the clipboard; of a group, the rows of its targets. Whether the terminal lets a program
    /// do that, nobody tells.
    mutating func copyRow() -> [Effect] {
        let targets = selectedTargets
        guard !targets.isEmpty else { return [] }
        let rows = targets.count == 1 ? "the row" : "the rows"
        say("copied \(rows) of \(Self.name(of: targets)), if the terminal lets programs copy")
        return [.copy(targets.map(words).joined(separator: "\n"))]
    }

    /// What the row says, with the headings' words where a figure alone says nothing.
    private func words(_ standing: Standing) -> String {
        let row = TableRow(standing: standing, model: self, methodWidth: 0)
        let health = row.segments(of: .health, width: 200).map(\.text).joined()
        var words = [standing.target.label, standing.target.question.url, health]
        if !standing.isOutOfUse {
            let statistics = standing.statistics
            if let last = statistics.last { words.append("last \(last.roundTripText)") }
            if let percentile = statistics.percentile(95) { words.append("p95 \(percentile.roundTripText)") }
            if let loss = statistics.loss { words.append("loss \(loss.percentText)") }
        }
        return (words + ["for \((now - standing.since).spanText)"]).joined(separator: "  ")
    }
}

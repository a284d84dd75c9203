import Monitoring
import Screen

/// The line below a chart that shows lost probes: the height of each character is their share.
struct LossRail: Sendable, Hashable {
    /// The share of lost probes of each character, 0…1; nil without probes.
    let shares: [Double?]

    /// Creates the rail of the columns of a chart.
    init(_ columns: [ChartColumn], columnsPerCell: Int) {
        shares = stride(from: 0, to: columns.count, by: columnsPerCell).map { start in
            let cell = columns[start..<min(columns.count, start + columnsPerCell)]
            // A repeated column is no further probe.
            let own = cell.filter { !$0.isRepeated && !$0.isBlank }
            let (losses, replies) = (own.isEmpty ? cell[...] : own[...]).reduce((0, 0)) {
                ($0.0 + $1.losses, $0.1 + $1.replies)
            }
            return losses + replies == 0 ? nil : Double(losses) / Double(losses + replies)
        }
    }

    /// Returns the cells of the rail.
    func cells(appearance: Appearance) -> [Cell] {
        shares.map { share in
            guard let share, let role = Role(loss: share) else { return .blank }
            return Cell(narrow: appearance.glyphs.losses.element(ofShare: share), appearance[role])
        }
    }
}

extension Role {
    /// The role of a share of lost probes, as in the table's column of losses; nil without a loss.
    init?(loss share: Double) {
        guard share > 0 else { return nil }
        self = share < 0.1 ? .degraded : .down
    }
}

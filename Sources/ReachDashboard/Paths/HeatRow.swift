import ReachMonitoring
import ReachScreen

/// Round trips and losses along a time axis: a cell for each slice of time, coloured by its median round trip.
///
/// ```
/// ████▓▓████████████×××××
/// ```
struct HeatRow: Sendable, Hashable {
    /// The cells, oldest first.
    let columns: [ChartColumn]
    /// The limit of slow round trips in nanoseconds.
    private let slow: Int64?

    /// The most targets that a row is computed from: thousands would take longer than a frame.
    private static let maxTargets = 16

    /// Creates the row of the results of a hop.
    init(_ results: some Collection<PathResult>, along axis: TimeAxis) {
        var roundTrips = [[Int64]](repeating: [], count: axis.count)
        var losses = [Int](repeating: 0, count: axis.count)
        for result in results {
            let column = axis.column(of: result.sent)
            guard roundTrips.indices.contains(column) else { continue }
            if let roundTrip = result.roundTrip {
                roundTrips[column].append(roundTrip.nanoseconds)
            } else {
                losses[column] += 1
            }
        }
        columns = zip(roundTrips, losses).map { ChartColumn(nanoseconds: $0, losses: $1) }
        slow = nil
    }

    /// Creates the row of the samples of the targets at some positions: of failing ones first if they are many.
    init(_ positions: [Int], of states: TargetStates, along axis: TimeAxis) {
        var chosen = positions
        if positions.count > Self.maxTargets {
            let summaries = states.targetSummaries
            let failing = positions.lazy.filter { summaries[$0].health.isFailure }.prefix(Self.maxTargets)
            let others = positions.lazy.filter { !summaries[$0].health.isFailure }.prefix(Self.maxTargets)
            chosen = Array((Array(failing) + Array(others)).prefix(Self.maxTargets))
        }
        let rows = chosen.map { ChartColumn.columns(of: states[$0], along: axis, repeatsNewest: false) }
        columns = (0..<axis.count).map { column in
            ChartColumn(
                nanoseconds: rows.compactMap { $0[column].medianNanoseconds },
                losses: rows.count { $0[column].losses > 0 }
            )
        }
        let limits = Set(chosen.map { states[$0].target.thresholds.slow?.nanoseconds })
        slow = limits.count == 1 ? limits.first ?? nil : nil
    }

    /// The usual round trip in nanoseconds: the lower quartile of the cells.
    private var usual: Int64 {
        let sorted = columns.compactMap(\.medianNanoseconds).sorted()
        return sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 4]
    }

    /// The cells of the row.
    ///
    /// - Parameters:
    ///   - isFault: whether losses are a fault of the path. Otherwise they concern only a router's own answers, and do not
    ///     stand out.
    ///   - cursor: the cell of the time cursor.
    func cells(isFault: Bool, cursor: Int? = nil, _ appearance: Appearance) -> [Cell] {
        let (usual, glyphs) = (usual, appearance.glyphs)
        var cells = columns.map { column -> Cell in
            guard let loss = column.loss else { return .blank }
            let level = column.medianNanoseconds.map { HeatScale.level(of: $0, usual: usual, slow: slow) }
            guard let level else { return Cell(narrow: glyphs.loss, appearance[isFault ? .down : .waiting]) }
            guard let role = Role(loss: loss), isFault, let part = glyphs.partLosses.last else {
                return Cell(narrow: appearance.heatGlyph(ofLevel: level), appearance.heat.styles[level])
            }
            return Cell(narrow: part, appearance[role])
        }
        if let cursor, cells.indices.contains(cursor) {
            let character = cells[cursor] == .blank ? glyphs.edge : cells[cursor].character
            cells[cursor] = Cell(narrow: character, appearance[.accent])
        }
        return cells
    }
}

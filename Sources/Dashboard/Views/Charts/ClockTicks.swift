import Monitoring

/// The ticks of a time axis at round times of the day, with their labels.
struct ClockTicks: Sendable, Hashable {
    /// A tick and its label.
    struct Tick: Sendable, Hashable {
        /// The index of the character.
        let cell: Int
        /// The time of day: `14:02:30`, or `14:02` if all ticks are at whole minutes.
        let label: String
    }

    /// The distances between ticks in seconds.
    private static let distances: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600]
    /// The least number of blanks between two labels.
    private static let gap = 3

    /// The ticks, oldest first. The label of each ends before the right edge.
    let ticks: [Tick]

    /// Creates the ticks of an axis: as many as their labels have room for.
    init(_ axis: TimeAxis, wall: WallTime) {
        let cell = axis.step * axis.columnsPerCell
        let width = { (distance: Int64) in distance % 60 == 0 ? 5 : 8 }
        let distance = Self.distances.first { .seconds($0) >= cell * (width($0) + Self.gap) }
        guard let distance else {
            ticks = []
            return
        }
        let bounds = wall.start + axis.start(ofColumn: 0)...wall.start + axis.start(ofColumn: axis.count)
        ticks = Self.times(in: bounds, distance: distance, zone: wall.zone).compactMap { time in
            let time = time - wall.start
            return axis.cell(of: time).map {
                Tick(cell: $0, label: String(wall.timeOfDay(at: time).prefix(width(distance))))
            }
        }.filter { $0.cell - $0.label.count / 2 + $0.label.count <= axis.cells }
    }

    /// The times since 1970 at which the local time is a multiple of so many seconds. Where its offset changes, two of them
    /// may be closer together.
    private static func times(in bounds: ClosedRange<Duration>, distance: Int64, zone: ZoneOffsets) -> [Duration] {
        let start = bounds.lowerBound.components
        var second = start.attoseconds > 0 ? start.seconds + 1 : start.seconds
        var times: [Duration] = []
        while .seconds(second) <= bounds.upperBound {
            let rest = zone.local(.seconds(second)).components.seconds % distance
            if rest == 0 { times.append(.seconds(second)) }
            second += distance - rest
        }
        return times
    }

    /// Returns the rule of a base line with the ticks in it.
    func rule(cells: Int, glyphs: Glyphs) -> String {
        var rule = [Character](repeating: glyphs.rule, count: cells)
        for tick in ticks { rule[tick.cell] = glyphs.tick }
        return String(rule)
    }

    /// Returns the line of the labels, each below the middle of its tick.
    ///
    /// - Parameters:
    ///   - margin: the number of columns left of the first character.
    ///   - cells: the number of characters.
    func labels(margin: Int, cells: Int) -> String {
        var text = ""
        for tick in ticks {
            let start = margin + tick.cell - tick.label.count / 2
            guard start >= text.count, start + tick.label.count <= margin + cells else { continue }
            text += String(repeating: " ", count: start - text.count) + tick.label
        }
        return text
    }
}

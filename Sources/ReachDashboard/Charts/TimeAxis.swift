import ReachBasics
import ReachMonitoring

/// The time axis of a chart: a time span, divided into equal columns.
///
/// Columns begin at multiples of their length in wall time, so that a column keeps its probes while the chart scrolls, and
/// columns of whole seconds begin with those of the clock. If several columns share a character, characters begin at fixed
/// times too. The length of a column is a figure of at most two digits, such as 0.5 s or 15 s, and there are only as many
/// characters as cover the span.
struct TimeAxis: Sendable, Hashable {
    /// The spans that the user can select, shortest first.
    static let spans: [Duration] = [.seconds(60), .seconds(300), .seconds(900), .seconds(3_600)]
    /// The longer spans of the details, whose probes are read of the history: 6 hours, a day, 7 days and 30 days.
    static let storedSpans: [Duration] = [.seconds(21_600), .seconds(86_400), .seconds(604_800), .seconds(2_592_000)]

    /// The time that the columns cover, with less than a character more.
    let span: Duration
    /// A time within the newest column, since the start of the program.
    private(set) var until: Duration
    /// The number of columns.
    let count: Int
    /// The number of columns per character.
    let columnsPerCell: Int
    /// The time that one column covers.
    let step: Duration
    /// The same in nanoseconds.
    private let nanoseconds: Int64
    /// The time from a beginning of all columns to the start of the program, in nanoseconds.
    private let origin: Int64
    /// The ordinal of the oldest column, counted from that beginning.
    private var first = 0

    /// Creates an axis that ends at `until`, with at least one character, all of them filled with columns.
    ///
    /// - Parameters:
    ///   - origin: the wall time of the program's start, counted from any whole hour.
    ///   - cells: the maximum number of characters; the axis has up to an eleventh less.
    init(_ span: Duration, until: Duration, origin: Duration = .zero, cells: Int, columnsPerCell: Int = 1) {
        self.span = span
        self.origin = origin.nanoseconds
        self.until = until
        self.columnsPerCell = max(1, columnsPerCell)
        nanoseconds = Self.step(span.nanoseconds, count: Int64(max(1, cells) * self.columnsPerCell))
        step = .nanoseconds(nanoseconds)
        let cell = nanoseconds * Int64(self.columnsPerCell)
        count = max(1, Int((span.nanoseconds + cell - 1) / cell)) * self.columnsPerCell
        end(at: until)
    }

    /// Lets the axis end at another time, without a change of its columns.
    mutating func end(at until: Duration) {
        self.until = until
        let newest = Int((until.nanoseconds + origin).floorDivided(by: nanoseconds * Int64(columnsPerCell)))
        first = (newest + 1) * columnsPerCell - count
    }

    /// Whether the probes of the axis are read of the history.
    var isStored: Bool { span > Self.spans[Self.spans.count - 1] }

    /// The columns in wall time.
    func period(wall: WallTime) -> ChartPeriod {
        ChartPeriod(from: wall.start + start(ofColumn: 0), step: step, count: count)
    }

    /// The number of characters.
    var cells: Int { count / columnsPerCell }

    /// Returns the column of a time: negative before the oldest column, at least `count` after the newest.
    func column(of time: Duration) -> Int {
        column(ofNanoseconds: time.nanoseconds)
    }

    /// Returns the column of a time in nanoseconds, which thousands of samples have in each frame.
    func column(ofNanoseconds time: Int64) -> Int {
        Int((time + origin).floorDivided(by: nanoseconds)) - first
    }

    /// Returns the start time of a column.
    func start(ofColumn column: Int) -> Duration {
        .nanoseconds(nanoseconds * Int64(first + column) - origin)
    }

    /// Returns the time of a column: of at most two digits, and so short that at most `count` columns, and at least ten
    /// elevenths of them, cover the span. A divisor of the span is preferred.
    private static func step(_ span: Int64, count: Int64) -> Int64 {
        for parts in stride(from: count, through: (count * 10 + 10) / 11, by: -1) where span % parts == 0 {
            var digits = span / parts
            while digits % 10 == 0, digits > 0 { digits /= 10 }
            if digits < 100 { return max(1, span / parts) }
        }
        let shortest = max(1, (span + count - 1) / count)
        var unit: Int64 = 1
        while shortest / unit >= 100 { unit *= 10 }
        return (shortest + unit - 1) / unit * unit
    }
}

extension [Duration] {
    /// Returns the next longer or shorter of these spans, which are in ascending order; the span itself if there is none.
    func next(to span: Duration, isLonger: Bool) -> Duration {
        (isLonger ? first { $0 > span } : last { $0 < span }) ?? span
    }
}

/// The ticks of a time axis at round times of the day, with their labels.
struct ClockTicks: Sendable, Hashable {
    /// A tick and its label.
    struct Tick: Sendable, Hashable {
        /// The index of the character.
        let cell: Int
        /// The time of day: `14:02:30`, or `14:02` if all ticks are at whole minutes; the day, `28 Nov`, if they are at
        /// midnight.
        let label: String
    }

    /// The distances between ticks in seconds.
    private static let distances: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
        604_800,
    ]
    /// The least number of blanks between two labels.
    private static let gap = 3

    /// The ticks, oldest first. The label of each ends before the right edge.
    let ticks: [Tick]

    /// Creates the ticks of an axis: as many as their labels have room for.
    init(_ axis: TimeAxis, wall: WallTime) {
        let cell = axis.step * axis.columnsPerCell
        let width = { (distance: Int64) in distance % 86_400 == 0 ? 6 : distance % 60 == 0 ? 5 : 8 }
        let distance = Self.distances.first { .seconds($0) >= cell * (width($0) + Self.gap) }
        guard let distance else {
            ticks = []
            return
        }
        let bounds = wall.start + axis.start(ofColumn: 0)...wall.start + axis.start(ofColumn: axis.count)
        ticks = Self.times(in: bounds, distance: distance, zone: wall.zone).compactMap { time in
            let isDay = distance % 86_400 == 0
            let label =
                isDay ? wall.zone.day(time) : String(wall.timeOfDay(at: time - wall.start).prefix(width(distance)))
            return axis.cell(of: time - wall.start).map { Tick(cell: $0, label: label) }
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
    ///   - reserved: columns of the line that stay blank.
    func labels(margin: Int, cells: Int, except reserved: [Range<Int>] = []) -> String {
        var text = ""
        for tick in ticks {
            let start = margin + tick.cell - tick.label.count / 2
            guard start >= text.count, start + tick.label.count <= margin + cells,
                !reserved.contains(where: { $0.overlaps(start - 1..<start + tick.label.count + 1) })
            else { continue }
            text += String(repeating: " ", count: start - text.count) + tick.label
        }
        return text
    }
}

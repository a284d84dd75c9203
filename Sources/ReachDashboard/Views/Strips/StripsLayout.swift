import ReachMonitoring
import ReachScreen

/// The areas of the strips: headings, the rows of the table, labels, the outages of the selected target, and the legend. The
/// outages are below the strips, on a wide screen beside them.
struct StripsLayout: Sendable, Hashable {
    let headings: Area
    /// The visible rows.
    let list: Area
    /// The labels of the slices; empty in a low terminal.
    let labels: Area
    /// The outages; empty in a low terminal.
    let outages: Area
    /// The legend; empty in a low terminal.
    let legend: Area
    /// The columns of the names.
    let names: Range<Int>
    /// The first column of the strips, and the number that they have.
    let (first, stripWidth): (Int, Int)
    /// The number of figures beside the strips, 0…3.
    let figures: Int

    /// The columns of the selection mark, the health and a blank.
    private static let margin = 3
    /// The columns of a figure with the blanks before it.
    static let figureWidth = 9
    /// The rows of the outages with their heading, at least.
    private static let minOutageRows = 5
    /// The least columns of a screen with the outages beside the strips, and the columns that these take.
    private static let (wide, outageColumns) = (160, 66)
    /// The least rows of a screen with outages beside the strips.
    private static let wideRows = 10

    /// Creates the areas.
    ///
    /// - Parameters:
    ///   - body: the area of the view.
    ///   - count: the number of rows.
    ///   - nameWidth: the width of the longest name.
    ///   - figures: the number of figures, if there is room for them.
    init(_ body: Area, count: Int, nameWidth: Int, figures wanted: Int = 3) {
        let isWide = body.columns >= Self.wide && body.rows >= Self.wideRows
        let columns = isWide ? body.columns - Self.outageColumns : body.columns
        let headingRows = body.rows < 3 ? 0 : 1
        let labelRows = body.rows < 6 ? 0 : 1
        let free = max(0, body.rows - headingRows - labelRows)
        let below = free < Self.minOutageRows * 2 ? 0 : min(max(Self.minOutageRows, free / 4), 10)
        // A blank line is above the legend.
        let listRows = min(max(1, count), isWide ? free - 2 : free - below)
        var row = body.row
        func nextArea(rows: Int) -> Area {
            defer { row += rows }
            return Area(row: row, rows: rows, columns: columns)
        }
        headings = nextArea(rows: headingRows)
        list = nextArea(rows: listRows)
        labels = nextArea(rows: labelRows)
        let rest = max(0, body.row + body.rows - row)
        let hasLegend = isWide || rest >= 6
        legend = Area(row: body.row + body.rows - 1, rows: hasLegend ? 1 : 0, columns: body.columns)
        outages =
            isWide
            ? Area(row: body.row, column: columns, rows: body.rows - 2, columns: Self.outageColumns)
            : Area(row: row, rows: rest < 3 ? 0 : hasLegend ? rest - 2 : rest, columns: columns)
        // Names of usual length get their room first.
        let limit = max(6, columns / 5, min(20, columns / 3))
        let names = min(max(6, nameWidth), limit)
        self.names = Self.margin..<Self.margin + names
        first = Self.margin + names + 2
        // The last two columns are a blank and the marks of hidden rows.
        let room = columns - first - 2
        figures = max(0, min(wanted, (room - 24) / Self.figureWidth))
        stripWidth = max(1, room - figures * Self.figureWidth)
    }

    /// The columns of the name of a row.
    func title(of row: Row) -> Range<Int> {
        if case .group(let name, _, _) = row {
            1..<min(list.columns, 4 + (name ?? "other").displayWidth)
        } else {
            names
        }
    }
}

/// The cells of strips: the slices of a period until now, stretched so that they fill a width exactly. A slice is as wide as
/// its neighbours, or a cell wider.
struct StripCells: Sendable, Hashable {
    let axis: StripAxis
    /// The number of cells, at least one for each slice.
    let count: Int

    /// The lengths of slices, shortest first: parts of a day, which begin at round times, or days.
    private static let lengths: [Duration] =
        [10, 15, 20, 30, 40, 45].map { .seconds($0) }
        + [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 24, 30, 40, 45].map { .seconds($0 * 60) }
        + [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 120, 240, 720].map { .seconds($0 * 3_600) }

    /// Creates the cells of a period with the shortest slices that fit a width.
    init(ofLast period: Duration, until end: Duration, width: Int, zone: ZoneOffsets) {
        // The ends are in one slice more, and a change of the offset may add another one.
        let fitting = Self.lengths.first { Int((period / $0).rounded(.up)) + 2 <= width }
        let length = fitting ?? Self.lengths[Self.lengths.count - 1]
        axis = StripAxis(from: end - period, until: end, step: length, zone: zone)
        count = max(width, axis.count)
    }

    /// The slice that a cell shows.
    func slice(ofCell cell: Int) -> Int { cell * axis.count / count }

    /// The first cell of a slice.
    func cell(ofSlice slice: Int) -> Int { (slice * count + axis.count - 1) / max(1, axis.count) }
}

/// The past of one target along the slices of a period.
struct StripRow: Sendable {
    let axis: StripAxis
    /// The worst state of the slice of each cell.
    let states: [WatchedSpan.State]
    /// The account of the whole period.
    let account: Availability
    private let spans: [WatchedSpan]

    /// Creates a row from the spans of a target, also those before the period.
    init(_ spans: [WatchedSpan], along cells: StripCells) {
        axis = cells.axis
        self.spans = spans
        let worst = axis.worstStates(of: spans)
        states = worst.isEmpty ? [] : (0..<cells.count).map { worst[cells.slice(ofCell: $0)] }
        account = Availability(spans, from: axis.start, until: axis.end)
    }

    /// The availability of a time until the end of the period.
    func availability(ofLast time: Duration) -> Double? {
        Availability(spans, from: axis.end - time, until: axis.end).availability
    }

    /// The outages in a slice, or in all of them, newest first.
    func outages(in slice: Range<Duration>?) -> [Availability.Outage] {
        let all = Array(account.outages.reversed())
        guard let slice else { return all }
        return all.filter { $0.start < slice.upperBound && ($0.end ?? axis.end) > slice.lowerBound }
    }

    /// When the records begin; nil if there are none.
    var recordStart: Duration? { spans.first?.start }

    /// When the records begin, if that is within a slice.
    func recordStart(in slice: Range<Duration>) -> Duration? {
        spans.first.flatMap { $0.start > slice.lowerBound && $0.start < slice.upperBound ? $0.start : nil }
    }

    /// The time of each state in a slice, worst first.
    func times(in slice: Range<Duration>) -> [(state: WatchedSpan.State, length: Duration)] {
        let times = Availability(spans, from: slice.lowerBound, until: slice.upperBound).times
        return WatchedSpan.State.worstFirst.compactMap { state in
            times[state].flatMap { $0 > .zero ? (state, $0) : nil }
        }
    }
}

/// The labels of the slices of strips, at round local times: days, or times of day.
struct StripTicks: Sendable, Hashable {
    /// A label below a slice.
    struct Tick: Sendable, Hashable {
        /// The first cell of the slice, below which the label begins.
        let cell: Int
        let label: String

        var end: Int { cell + label.count }
    }

    /// The distances between labels.
    private static let distances: [Duration] =
        [300, 600, 900, 1_800].map { .seconds($0) }
        + [1, 2, 3, 6, 12, 24, 48, 120, 240, 480, 720].map { .seconds($0 * 3_600) }
    /// The blanks between two labels.
    private static let gap = 2

    /// The labels, oldest first, of which none overlap.
    let ticks: [Tick]

    /// Creates the labels of slices: as many as have room. The last columns are left for `now`.
    init(_ cells: StripCells, zone: ZoneOffsets) {
        let axis = cells.axis
        let step = axis.step.nanoseconds
        let distance = Self.distances.first { distance in
            let length = distance.nanoseconds
            guard length % step == 0 else { return false }
            return Int(length / step) * cells.count / max(1, axis.count) >= Self.width(of: distance) + Self.gap
        }
        guard let distance else {
            ticks = []
            return
        }
        let width = Self.width(of: distance)
        var ticks: [Tick] = []
        for slice in 1..<max(1, axis.count) {
            let cell = cells.cell(ofSlice: slice)
            guard cell + width + Self.gap + 3 <= cells.count else { break }
            let time = axis.slice(slice).lowerBound
            guard zone.local(time).nanoseconds % distance.nanoseconds == 0 else { continue }
            // A change of the offset may bring two of them close together.
            if let last = ticks.last, cell < last.cell + width + 1 { continue }
            let label = width == 5 ? String(zone.timeOfDay(time).prefix(5)) : zone.day(time)
            ticks.append(Tick(cell: cell, label: String(label.drop { $0 == " " })))
        }
        self.ticks = ticks
    }

    /// The width of the labels: a time of day, or a day.
    private static func width(of distance: Duration) -> Int {
        distance < .seconds(86_400) ? 5 : 6
    }

    /// The line of the labels, with `now` at the end.
    ///
    /// - Parameter reserved: the cells that stay blank.
    func line(cells: Int, except reserved: Range<Int> = 0..<0) -> String {
        var text = ""
        for tick in ticks where !reserved.overlaps(tick.cell..<tick.end) {
            text += String(repeating: " ", count: max(0, tick.cell - text.count)) + tick.label
        }
        guard cells >= 3, !reserved.overlaps(cells - 3..<cells) else { return text }
        return text + String(repeating: " ", count: max(0, cells - 3 - text.count)) + "now"
    }
}

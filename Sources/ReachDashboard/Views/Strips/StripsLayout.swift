import ReachMonitoring
import ReachScreen

/// The areas of the strips: headings, a row for each target, labels, and the outages of the selected one.
struct StripsLayout: Sendable, Hashable {
    let headings: Area
    /// The visible rows.
    let list: Area
    /// The labels of the slices; empty in a low terminal.
    let labels: Area
    /// The outages; empty in a low terminal.
    let outages: Area
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

    /// Creates the areas.
    ///
    /// - Parameters:
    ///   - body: the area of the view.
    ///   - count: the number of targets.
    ///   - nameWidth: the width of the longest name.
    init(_ body: Area, count: Int, nameWidth: Int) {
        let headingRows = body.rows < 3 ? 0 : 1
        let labelRows = body.rows < 6 ? 0 : 1
        let free = max(0, body.rows - headingRows - labelRows)
        let wanted = free < Self.minOutageRows * 2 ? 0 : min(max(Self.minOutageRows, free / 4), 10)
        let listRows = min(max(1, count), free - wanted)
        var row = body.row
        func nextArea(rows: Int) -> Area {
            defer { row += rows }
            return Area(row: row, rows: rows, columns: body.columns)
        }
        headings = nextArea(rows: headingRows)
        list = nextArea(rows: listRows)
        labels = nextArea(rows: labelRows)
        outages = nextArea(rows: free - listRows < 3 ? 0 : free - listRows)
        // Names of usual length get their room first.
        let limit = max(6, body.columns / 5, min(20, body.columns / 3))
        let names = min(max(6, nameWidth), limit)
        self.names = Self.margin..<Self.margin + names
        first = Self.margin + names + 2
        // The last two columns are a blank and the marks of hidden rows.
        let rest = body.columns - first - 2
        figures = max(0, min(3, (rest - 24) / Self.figureWidth))
        stripWidth = max(1, rest - figures * Self.figureWidth)
    }
}

/// The past of one target along the slices of a period.
struct StripRow: Sendable {
    let axis: StripAxis
    /// The worst state of each slice.
    let states: [WatchedSpan.State]
    /// The account of the whole period.
    let account: Availability
    private let spans: [WatchedSpan]

    /// Creates a row from the spans of a target, also those before the period.
    init(_ spans: [WatchedSpan], along axis: StripAxis) {
        self.axis = axis
        self.spans = spans
        states = axis.worstStates(of: spans)
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
        /// The index of the slice below which the label begins.
        let slice: Int
        let label: String
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
    init(_ axis: StripAxis, zone: ZoneOffsets) {
        let step = axis.step.nanoseconds
        let distance = Self.distances.first { distance in
            let length = distance.nanoseconds
            return length % step == 0 && Int(length / step) >= Self.width(of: distance) + Self.gap
        }
        guard let distance else {
            ticks = []
            return
        }
        let width = Self.width(of: distance)
        var ticks: [Tick] = []
        for slice in 1..<max(1, axis.count) where slice + width + Self.gap + 3 <= axis.count {
            let time = axis.slice(slice).lowerBound
            guard zone.local(time).nanoseconds % distance.nanoseconds == 0 else { continue }
            // A change of the offset may bring two of them close together.
            if let last = ticks.last, slice < last.slice + width + 1 { continue }
            let label = width == 5 ? String(zone.timeOfDay(time).prefix(5)) : zone.day(time)
            ticks.append(Tick(slice: slice, label: String(label.drop { $0 == " " })))
        }
        self.ticks = ticks
    }

    /// The width of the labels: a time of day, or a day.
    private static func width(of distance: Duration) -> Int {
        distance < .seconds(86_400) ? 5 : 6
    }

    /// The line of the labels, with `now` at the end.
    func line(cells: Int) -> String {
        var text = ""
        for tick in ticks {
            text += String(repeating: " ", count: max(0, tick.slice - text.count)) + tick.label
        }
        guard cells >= 3 else { return text }
        return text + String(repeating: " ", count: max(0, cells - 3 - text.count)) + "now"
    }
}

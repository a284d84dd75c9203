import ReachMonitoring
import ReachScreen

/// A one-line chart of the last round trips, newest on the right.
struct Sparkline: Sendable, Hashable {
    let columns: [ChartColumn]

    init(_ state: TargetState, along axis: TimeAxis) {
        columns = ChartColumn.columns(of: state, along: axis)
    }

    /// Returns the columns as styled text, on the scale of the target's statistics. A column shows its longest round
    /// trip, narrower and in the colour of losses if some probes were lost, or that all were lost.
    func segments(slow: Duration?, _ statistics: Statistics, appearance: Appearance) -> [Segment] {
        let scale = ChartScale(statistics)
        let (glyphs, slow) = (appearance.glyphs, slow?.nanoseconds ?? .max)
        let cells = columns.map { column -> (character: Character, role: Role?) in
            let loss = column.loss.flatMap(Role.init(loss:))
            guard let roundTrip = column.maximumNanoseconds else { return (loss == nil ? " " : glyphs.loss, loss) }
            if let loss {
                let count = glyphs.partLosses.count
                return (glyphs.partLosses[scale.level(ofNanoseconds: roundTrip, count: count) ?? count - 1], loss)
            }
            guard let level = scale.level(ofNanoseconds: roundTrip, count: glyphs.levels.count) else {
                return (glyphs.clipped, .degraded)
            }
            return (glyphs.levels[level], roundTrip > slow ? .degraded : .up)
        }
        return cells.chunked(by: \.role).map { role, cells in
            Segment(String(cells.map(\.character)), role.map { appearance[$0] } ?? .plain)
        }
    }
}

/// The width of a sparkline and the time that it covers: at least a minute, in columns of equal whole seconds.
struct SparklineSpan: Sendable, Hashable {
    /// The number of characters.
    let cells: Int
    /// The number of columns per character.
    let columnsPerCell: Int
    /// The seconds that one column covers.
    private let step: Int

    /// The narrowest sparkline, if other columns need its room: a minute in columns of six seconds.
    static let narrowest = SparklineSpan(fitting: minimum)
    /// The sparkline of a narrow table: a minute in columns of five seconds.
    static let usual = SparklineSpan(fitting: 12)
    /// The sparkline of a table on a terminal of a hundred columns, at least: a minute in columns of three seconds.
    static let roomy = SparklineSpan(fitting: 20)
    /// The minimum and maximum number of characters.
    private static let (minimum, maximum) = (10, 240)

    /// The seconds that all columns cover.
    private var seconds: Int { cells * columnsPerCell * step }

    /// The time that all columns cover.
    var span: Duration { .seconds(seconds) }

    /// The heading of the column.
    var heading: String { "LAST \(seconds) s" }

    /// Creates the widest sparkline that fits a width and covers a multiple of ten seconds; the narrowest if none fits.
    init(fitting width: Int, columnsPerCell: Int = 1) {
        var cells = max(Self.minimum, min(width, Self.maximum))
        let isRound = { (cells: Int) in cells * columnsPerCell * Self.step(of: cells * columnsPerCell) % 10 == 0 }
        while cells > Self.minimum, !isRound(cells) { cells -= 1 }
        self.cells = cells
        self.columnsPerCell = columnsPerCell
        step = Self.step(of: cells * columnsPerCell)
    }

    /// Creates the sparkline that fills a width, whatever seconds it covers then.
    init(filling width: Int, columnsPerCell: Int) {
        cells = max(Self.minimum, min(width, Self.maximum))
        self.columnsPerCell = columnsPerCell
        step = Self.step(of: cells * columnsPerCell)
    }

    /// The least whole seconds with which so many columns cover a minute.
    private static func step(of columns: Int) -> Int {
        (60 + columns - 1) / columns
    }
}

extension TimeAxis {
    /// Creates the axis of a sparkline.
    init(_ sparkline: SparklineSpan, until: Duration, origin: Duration = .zero) {
        self.init(
            sparkline.span,
            until: until,
            origin: origin,
            cells: sparkline.cells,
            columnsPerCell: sparkline.columnsPerCell
        )
    }
}

extension Array {
    /// Splits the array into runs of consecutive elements with equal keys, each with its key.
    func chunked<Key: Equatable>(by key: (Element) -> Key) -> [(Key, ArraySlice<Element>)] {
        var chunks: [(Key, ArraySlice<Element>)] = []
        var start = startIndex
        while start < endIndex {
            let first = key(self[start])
            let end = self[start...].firstIndex { key($0) != first } ?? endIndex
            chunks.append((first, self[start..<end]))
            start = end
        }
        return chunks
    }
}

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
    /// The fewest and the most characters.
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

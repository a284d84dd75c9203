import Monitoring

/// The time axis of a chart: a time span, divided into equal columns.
///
/// Columns begin at multiples of their length, so that a column keeps its probes while the chart scrolls. If several
/// columns share a character, characters begin at fixed times too.
struct TimeAxis: Sendable, Hashable {
    /// The spans that the user can select, shortest first.
    static let spans: [Duration] = [.seconds(60), .seconds(300), .seconds(900), .seconds(3_600)]

    /// The time that all columns cover.
    let span: Duration
    /// A time within the newest column, since the start of the program.
    let until: Duration
    /// The number of columns.
    let count: Int
    /// The number of columns per character.
    let columnsPerCell: Int
    /// The time that one column covers.
    let step: Duration
    /// The ordinal of the oldest column, counted from the start of the program.
    private let first: Int

    /// Creates an axis that ends at `until`, with at least one character, all of them filled with columns.
    init(_ span: Duration, until: Duration, cells: Int, columnsPerCell: Int = 1) {
        self.span = span
        self.until = until
        self.columnsPerCell = max(1, columnsPerCell)
        count = max(1, cells) * self.columnsPerCell
        step = span / count
        let newest = Int((Double(Self.ordinal(of: until, step)) / Double(self.columnsPerCell)).rounded(.down))
        first = (newest + 1) * self.columnsPerCell - count
    }

    /// Returns the column of a time: negative before the oldest column, at least `count` after the newest.
    func column(of time: Duration) -> Int {
        Self.ordinal(of: time, step) - first
    }

    /// Returns the start time of a column.
    func start(ofColumn column: Int) -> Duration {
        step * (first + column)
    }

    /// Returns the ordinal of the column of a time, counted from the start of the program.
    private static func ordinal(of time: Duration, _ step: Duration) -> Int {
        Int((time / step).rounded(.down))
    }
}

import Monitoring

/// The time that a chart shows, in equal stretches: a column each.
///
/// Columns begin at fixed times, so that one that scrolls out never moves the others; where several columns share a
/// character, so do the characters.
struct TimeAxis: Sendable, Hashable {
    /// The spans that a person chooses from, shortest first.
    static let spans: [Duration] = [.seconds(60), .seconds(300), .seconds(900), .seconds(3_600)]

    /// The time that all columns cover.
    let span: Duration
    /// The moment that the newest column holds, since the start of the program.
    let until: Duration
    /// How many columns there are.
    let count: Int
    /// How many columns share a character.
    let columnsPerCell: Int
    /// The time that one column covers.
    let step: Duration
    /// Which column the oldest one is, counted from the start of the program.
    private let first: Int

    /// An axis that ends at `until`. At least one column, and as many as fill the last character.
    init(_ span: Duration, until: Duration, cells: Int, columnsPerCell: Int = 1) {
        self.span = span
        self.until = until
        self.columnsPerCell = max(1, columnsPerCell)
        count = max(1, cells) * self.columnsPerCell
        step = span / count
        let newest = Int((Double(Self.ordinal(of: until, step)) / Double(self.columnsPerCell)).rounded(.down))
        first = (newest + 1) * self.columnsPerCell - count
    }

    /// Which column a moment belongs to; negative before the oldest, `count` and more after the newest.
    func column(of time: Duration) -> Int {
        Self.ordinal(of: time, step) - first
    }

    /// When a column begins.
    func start(ofColumn column: Int) -> Duration {
        step * (first + column)
    }

    /// Which column it is, counted from the start of the program.
    private static func ordinal(of time: Duration, _ step: Duration) -> Int {
        Int((time / step).rounded(.down))
    }
}

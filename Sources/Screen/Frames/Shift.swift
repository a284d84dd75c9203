/// Cells of a row that a terminal moves to the left in one go, as those of a chart do when time goes on. What is behind them
/// stays where it is.
public struct Shift: Sendable, Hashable {
    /// The row.
    public let row: Int
    /// The columns that are moved within: the first ones give way, and as many blanks come in at the end.
    public let columns: Range<Int>
    /// How far.
    public let distance: Int
}

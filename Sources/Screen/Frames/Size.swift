/// The extent of a screen or of a part of it, in character cells.
public struct Size: Sendable, Hashable {
    /// Cells in a row.
    public var columns: Int
    /// Rows.
    public var rows: Int

    /// An extent; nothing is smaller than zero, so negative figures count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }
}

/// The size of a screen or of a part of it, in character cells.
public struct Size: Sendable, Hashable {
    /// Cells in a row.
    public var columns: Int
    /// Rows.
    public var rows: Int

    /// A size; negative numbers count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }
}

/// A position on the screen, counted from zero at the top left.
public struct Position: Sendable, Hashable {
    /// Cells from the left edge.
    public var column: Int
    /// Rows from the top.
    public var row: Int

    /// A position; it may lie outside a frame, where writing has no effect.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

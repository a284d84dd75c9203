/// A place on the screen, counted from zero at the top left.
public struct Position: Sendable, Hashable {
    /// Cells from the left edge.
    public var column: Int
    /// Rows from the top.
    public var row: Int

    /// A place; it may lie outside a frame, where writing shows nothing.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

import Screen

/// A region of the screen. It draws its part of the model into an area, and nothing outside that area.
protocol View {
    /// Draws the region.
    func draw(in area: Area, on frame: inout Frame)
}

extension Frame {
    /// Makes a rectangle blank.
    mutating func clear(_ area: Area) {
        for row in area.row..<area.row + max(0, area.rows) {
            fill(row: row, columns: area.column..<area.column + max(0, area.columns))
        }
    }
}

/// A rectangle of the screen that one view draws.
struct Area: Sendable, Hashable {
    var row: Int
    var column = 0
    var rows: Int
    var columns: Int

    var isEmpty: Bool { rows <= 0 || columns <= 0 }

    func contains(_ position: Position) -> Bool {
        (row..<row + max(0, rows)).contains(position.row)
            && (column..<column + max(0, columns)).contains(position.column)
    }
}

import Screen

/// A rectangle of the screen that one view draws.
struct Area: Sendable, Hashable {
    var row: Int
    var column = 0
    var rows: Int
    var columns: Int

    var isEmpty: Bool { rows <= 0 || columns <= 0 }
}

/// A place in the text, counted from one; columns count Unicode scalars, as the TOML parser does.
struct Location: Hashable, Comparable {
    /// The line.
    var line: Int
    /// The column.
    var column: Int

    /// The order of reading.
    static func < (one: Location, other: Location) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }
}

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

/// Where a key and its value stand; for a table with a header, both are where the header names it.
struct Place: Hashable {
    /// Where the key begins: what a misspelt key is marked at.
    let key: Location
    /// Where the value begins: what a wrong value is marked at.
    let value: Location
}

/// A position in the text, counted from one. Columns count Unicode scalars, as the TOML parser does.
struct Location: Hashable, Comparable {
    var line: Int
    var column: Int
    /// The file, as in ``SettingsPath/file``.
    var file = 0

    /// Orders positions by file, and from the start of the text to its end.
    static func < (left: Location, right: Location) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// The positions of a key and its value. For a table with a header, both are the position of its name in the header.
struct EntryLocation: Hashable {
    /// Where the key begins; reported for an unknown key.
    var key: Location
    /// Where the value begins; reported for an invalid value.
    var value: Location
}

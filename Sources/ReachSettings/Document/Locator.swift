/// Finds the position of each key in a TOML document.
///
/// TOMLKit gives no positions. The locator follows only the structure of the text: headers, keys, strings, brackets. It
/// expects text that a parser has accepted. For other text, it finds some keys and never traps.
struct Locator {
    /// The positions of each key path in the document.
    private(set) var entries: [SettingsPath: EntryLocation] = [:]
    /// The strings and keys with an escaped NUL, at which the parser's C strings would end without an error.
    private(set) var nulls: [Location] = []
    /// The keys nested deeper than ``TOMLValue/depth``.
    private(set) var tooDeep: [Location] = []

    private var cursor: TextCursor
    /// The table opened by the last header.
    private var table = SettingsPath()
    /// The number of elements found so far in each array of tables.
    private var elementCounts: [SettingsPath: Int] = [:]

    init(_ text: String) {
        cursor = TextCursor(text)
        cursor.skipToContent()
        while !cursor.isAtEnd {
            let start = cursor.index
            if cursor.peek() == "[" { readHeader() } else { readKeyValue(in: table) }
            if cursor.index == start { cursor.next() }
            cursor.skipToContent()
        }
    }

    /// Reads `[one.two]` or `[[one.two]]`.
    private mutating func readHeader() {
        cursor.next()
        let isElement = cursor.consume("[")
        let keys = readKeys()
        while cursor.consume("]") {}

        table = SettingsPath()
        for (offset, key) in keys.enumerated() {
            table = table.appending(key.text)
            record(table, EntryLocation(key: key.location, value: key.location))
            let isLast = offset == keys.count - 1
            if isElement, isLast { elementCounts[table, default: 0] += 1 }
            // A table name that belongs to an array of tables refers to its last element.
            guard let count = elementCounts[table] else { continue }
            table = table.appending(count - 1)
            record(table, EntryLocation(key: key.location, value: key.location))
        }
    }

    /// Reads `key = value` or `dotted.key = value`.
    private mutating func readKeyValue(in base: SettingsPath) {
        let keys = readKeys()
        guard cursor.consume("=") else { return }
        cursor.skipBlanks()
        var path = base
        for (offset, key) in keys.enumerated() {
            path = path.appending(key.text)
            let value = offset == keys.count - 1 ? cursor.location : key.location
            record(path, EntryLocation(key: key.location, value: value))
        }
        readValue(at: path)
    }

    private mutating func readKeys() -> [(text: String, location: Location)] {
        // One key beyond the limit is enough to report it; storing more would only make paths longer.
        let keys = Array(cursor.consumeKeys().prefix(TOMLValue.depth + 1))
        nulls += keys.filter { $0.text.utf8.contains(0) }.map(\.location)
        return keys
    }

    private mutating func readValue(at path: SettingsPath) {
        guard path.components.count <= TOMLValue.depth else {
            cursor.consume { $0 != "\n" }
            return
        }
        switch cursor.peek() {
        case "\"", "'": _ = readString()
        case "[": readArray(at: path)
        case "{": readInlineTable(at: path)
        default: cursor.consume { !",]}#\r\n".unicodeScalars.contains($0) }
        }
    }

    private mutating func readArray(at path: SettingsPath) {
        cursor.next()
        var count = 0
        cursor.skipToContent()
        while !cursor.isAtEnd, !cursor.consume("]") {
            let start = cursor.index
            let element = path.appending(count)
            record(element, EntryLocation(key: cursor.location, value: cursor.location))
            readValue(at: element)
            count += 1
            skipSeparator(from: start)
        }
    }

    private mutating func readInlineTable(at path: SettingsPath) {
        cursor.next()
        cursor.skipToContent()
        while !cursor.isAtEnd, !cursor.consume("}") {
            let start = cursor.index
            readKeyValue(in: path)
            skipSeparator(from: start)
        }
    }

    private mutating func skipSeparator(from start: Int) {
        cursor.skipToContent()
        _ = cursor.consume(",")
        if cursor.index == start { cursor.next() }
        cursor.skipToContent()
    }

    private mutating func readString() -> String {
        let location = cursor.location
        let content = cursor.consumeString()
        if content.utf8.contains(0) { nulls.append(location) }
        return content
    }

    /// Records the first occurrence of a path. Later ones only reopen a table.
    private mutating func record(_ path: SettingsPath, _ location: EntryLocation) {
        guard path.components.count <= TOMLValue.depth else { return tooDeep.append(location.key) }
        if entries[path] == nil { entries[path] = location }
    }
}

extension Unicode.Scalar {
    /// Whether a TOML key may contain this scalar without quotes.
    var isBareKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

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

/// The path from the root of a file to a value: `target`, second element, `hooks`, first element, `run`.
struct SettingsPath: Hashable {
    /// One component of a path.
    enum Component: Hashable {
        /// The key of a table.
        case key(String)
        /// The index of an array element, counted from zero.
        case index(Int)
    }

    /// The file that has the value: an index in the order in which the files are read.
    var file = 0
    private(set) var components: [Component] = []

    /// The path of the enclosing table or array; the root is its own parent.
    var parent: SettingsPath {
        SettingsPath(file: file, components: components.dropLast())
    }

    /// Returns the path of a value in this table.
    func appending(_ key: String) -> SettingsPath {
        SettingsPath(file: file, components: components + [.key(key)])
    }

    /// Returns the path of an element of this array.
    func appending(_ index: Int) -> SettingsPath {
        SettingsPath(file: file, components: components + [.index(index)])
    }
}

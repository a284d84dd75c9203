/// Finds where each key of a TOML document stands.
///
/// TOMLKit tells no positions. This follows the text's structure only – headers, keys, strings, brackets – and relies
/// on a parser to have accepted the text before; of a text that is no TOML it makes what it can, without trapping.
struct Locator {
    /// Where each key path of the document stands.
    private(set) var places: [SettingsPath: Place] = [:]
    /// The strings and keys with an escaped NUL, which the parser's C strings would silently end at.
    private(set) var nulls: [Location] = []
    /// What is deeper in the document than ``Value/depth``.
    private(set) var abysses: [Location] = []

    private var cursor: TextCursor
    /// The table that the last header opened.
    private var table = SettingsPath()
    /// How many elements each array of tables has so far.
    private var counts: [SettingsPath: Int] = [:]

    init(_ text: String) {
        cursor = TextCursor(text)
        cursor.skipToContent()
        while !cursor.isAtEnd {
            let start = cursor.index
            if cursor.peek() == "[" { readHeader() } else { readPair(in: table) }
            if cursor.index == start { cursor.next() }
            cursor.skipToContent()
        }
    }

    /// `[one.two]` or `[[one.two]]`.
    private mutating func readHeader() {
        cursor.next()
        let isElement = cursor.take("[")
        let keys = readKeys()
        while cursor.take("]") {}

        table = SettingsPath()
        for (offset, key) in keys.enumerated() {
            table = table.appending(key.text)
            note(table, Place(key: key.location, value: key.location))
            let isLast = offset == keys.count - 1
            if isElement, isLast { counts[table, default: 0] += 1 }
            // A header that names an array of tables on its way means the array's last element.
            guard let count = counts[table] else { continue }
            table = table.appending(count - 1)
            note(table, Place(key: key.location, value: key.location))
        }
    }

    /// `key = value` or `dotted.key = value`.
    private mutating func readPair(in base: SettingsPath) {
        let keys = readKeys()
        guard cursor.take("=") else { return }
        cursor.skipBlanks()
        var path = base
        for (offset, key) in keys.enumerated() {
            path = path.appending(key.text)
            let value = offset == keys.count - 1 ? cursor.location : key.location
            note(path, Place(key: key.location, value: value))
        }
        readValue(at: path)
    }

    /// The keys between dots, bare or quoted, up to what is neither.
    private mutating func readKeys() -> [(text: String, location: Location)] {
        var keys: [(String, Location)] = []
        repeat {
            cursor.skipBlanks()
            let location = cursor.location
            let key =
                switch cursor.peek() {
                case "\"", "'": readString()
                default: cursor.take { $0.isBareKey }
                }
            // One too many is enough to tell, and a path is as long as it has keys.
            if keys.count <= Value.depth { keys.append((key, location)) }
            cursor.skipBlanks()
        } while cursor.take(".")
        return keys
    }

    private mutating func readValue(at path: SettingsPath) {
        guard path.steps.count <= Value.depth else {
            cursor.take { $0 != "\n" }
            return
        }
        switch cursor.peek() {
        case "\"", "'": _ = readString()
        case "[": readArray(at: path)
        case "{": readInlineTable(at: path)
        default: cursor.take { !",]}#\r\n".unicodeScalars.contains($0) }
        }
    }

    private mutating func readArray(at path: SettingsPath) {
        cursor.next()
        var count = 0
        cursor.skipToContent()
        while !cursor.isAtEnd, !cursor.take("]") {
            let start = cursor.index
            let element = path.appending(count)
            note(element, Place(key: cursor.location, value: cursor.location))
            readValue(at: element)
            count += 1
            skipSeparator(from: start)
        }
    }

    private mutating func readInlineTable(at path: SettingsPath) {
        cursor.next()
        cursor.skipToContent()
        while !cursor.isAtEnd, !cursor.take("}") {
            let start = cursor.index
            readPair(in: path)
            skipSeparator(from: start)
        }
    }

    private mutating func skipSeparator(from start: Int) {
        cursor.skipToContent()
        _ = cursor.take(",")
        if cursor.index == start { cursor.next() }
        cursor.skipToContent()
    }

    private mutating func readString() -> String {
        let location = cursor.location
        let content = cursor.takeString()
        if content.utf8.contains(0) { nulls.append(location) }
        return content
    }

    /// The first mention counts: later ones only reopen a table.
    private mutating func note(_ path: SettingsPath, _ place: Place) {
        guard path.steps.count <= Value.depth else { return abysses.append(place.key) }
        if places[path] == nil { places[path] = place }
    }
}

extension Unicode.Scalar {
    /// Whether a TOML key may have this in it without quotes.
    fileprivate var isBareKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

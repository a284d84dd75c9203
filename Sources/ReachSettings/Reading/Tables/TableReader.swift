import ReachMonitoring

/// Reads the values of one table by key and type, and reports invalid ones.
///
/// ``reportUnknownKeys(elsewhere:)`` reports all keys that no method has read.
struct TableReader {
    /// The prefix of key names in messages: `target "NAS": `, `dashboard.`.
    var title: String
    /// The path of the table in the document.
    let path: SettingsPath
    /// Receives the problems.
    let log: ProblemLog
    var substitution: Substitution
    /// Records the keys, for the JSON Schema of the settings; nil while settings are read.
    let schema: TableSchema?
    private let values: [String: TOMLValue]
    /// The keys read so far, in this order.
    private(set) var readKeys: [String] = []

    init(
        _ values: [String: TOMLValue],
        title: String,
        at path: SettingsPath = SettingsPath(),
        substitution: Substitution,
        log: ProblemLog,
        schema: TableSchema? = nil
    ) {
        self.values = values
        self.title = title
        self.path = path
        self.substitution = substitution
        self.log = log
        self.schema = schema
    }

    /// All keys of the table, in alphabetical order.
    var keys: [String] { isDescribing ? [TableSchema.anyName] : values.keys.sorted() }

    /// Whether the table has the key, with a valid value or not.
    func has(_ key: String) -> Bool {
        values[key] != nil
    }

    /// Returns the value of a key if it is a string. This does not mark the key as read.
    func string(at key: String) -> String? {
        if case .string(let text)? = values[key] { text } else { nil }
    }

    /// Returns the value of a key as it is written, of any type. This does not mark the key as read.
    func rawValue(_ key: String) -> TOMLValue? { values[key] }

    /// Returns the value of a key if it is an array. This does not mark the key as read.
    func array(at key: String) -> [TOMLValue]? {
        if case .array(let elements)? = values[key] { elements } else { nil }
    }

    /// Reads the value of a key, of any type.
    mutating func value(_ key: String) -> TOMLValue? {
        readKeys.append(key)
        describe(key, as: .any)
        // While the schema is recorded, each table of names has one, with every key.
        if isDescribing, key == TableSchema.anyName { return .table([:]) }
        return values[key]
    }

    /// Returns the position of a value.
    func location(of key: String) -> Location? {
        log.entryLocation(of: path.appending(key))?.value
    }

    /// Reports a problem with the value of a key, at the position of `source` if given.
    func report(_ message: String, hint: String? = nil, about key: String, at source: String? = nil) {
        log.report(message, hint: hint, about: title + key, at: location(of: source ?? key), in: path.file)
    }

    /// Reports a problem with the whole table, at its beginning.
    func report(_ message: String, hint: String? = nil) {
        log.report(message, hint: hint, about: name, at: log.entryLocation(of: path)?.key, in: path.file)
    }

    /// The name of the table in messages: `target "NAS"`, `dashboard`.
    var name: String {
        String(title.dropLast(title.hasSuffix(".") ? 1 : 2))
    }

    /// Reports a value of the wrong type.
    func reportType(of key: String, found value: TOMLValue, expected: String, hint: String? = nil) {
        report("expected \(expected), found \(value.type)", hint: hint, about: key)
    }

    /// Returns a reader for a nested table.
    func reader(of table: [String: TOMLValue], title: String, at path: SettingsPath) -> TableReader {
        var nested: TableSchema?
        switch path.components.last {
        case .key(let key)?: nested = schema?.table(at: key, isElement: false)
        case .index?:
            if case .key(let key)? = path.parent.components.last { nested = schema?.table(at: key, isElement: true) }
        case nil: break
        }
        return TableReader(table, title: title, at: path, substitution: substitution, log: log, schema: nested)
    }

    /// Reports every key that was not read.
    ///
    /// - Parameter elsewhere: Hints for keys that belong to another table.
    func reportUnknownKeys(elsewhere: [String: String] = [:]) {
        for key in values.keys.sorted() where !readKeys.contains(key) {
            let location = log.entryLocation(of: path.appending(key))?.key
            let suggestion = key.suggestion(among: readKeys)
            let choices = "one of \(readKeys.joined(separator: ", "))"
            log.report(
                "unknown key \(key.quoted)",
                hint: elsewhere[key] ?? Self.hookHint(for: key) ?? suggestion ?? choices,
                about: name,
                at: location
            )
        }
    }

    /// The hint for a key of hooks in another table; nil for other keys.
    private static func hookHint(for key: String) -> String? {
        let keys = [
            "allow_cellular", "at_start", "cooldown", "min_down", "once", "retries", "unless_acknowledged",
            "unless_explained", "while_flapping", "within",
        ]
        return keys.contains(key) ? "a key of hooks: write it into a [[target.hooks]], with on and run" : nil
    }
}

extension TableReader {
    /// Reads a table; messages call its keys `tcp.send`. The table is empty if the key is missing.
    ///
    /// - Parameter example: The notation of such a table, for the hint.
    mutating func table(_ key: String, example: String) -> TableReader {
        let entries = entries(key, example: example) ?? [:]
        return reader(of: entries, title: "\(title)\(key).", at: path.appending(key))
    }

    /// Reads the options of a method from a table, if the key is set, and reports unknown keys in it.
    mutating func options(_ key: String, example: String, read: (inout TableReader) -> Void) {
        guard let entries = entries(key, example: "\(key) = \(example)") ?? (isDescribing ? [:] : nil) else { return }
        var options = reader(of: entries, title: "\(title)\(key).", at: path.appending(key))
        read(&options)
        options.reportUnknownKeys()
    }

    private mutating func entries(_ key: String, example: @autoclosure () -> String) -> [String: TOMLValue]? {
        switch value(key) {
        case nil: return nil
        case .table(let entries): return entries
        case .some(let other):
            reportType(of: key, found: other, expected: "a table", hint: "such as \(example())")
            return nil
        }
    }

    /// Reads an array of tables.
    ///
    /// - Parameters:
    ///   - header: The header of such a table, for the hint.
    ///   - title: Returns the title of an element in messages, given its number counted from one.
    mutating func tables(_ key: String, header: String, title: (Int) -> String) -> [TableReader] {
        let present = value(key)
        guard let value = isDescribing ? TOMLValue.array([.table([:])]) : present else { return [] }
        guard case .array(let elements) = value else {
            reportType(of: key, found: value, expected: "an array of tables", hint: "each begins with \(header)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            guard case .table(let table) = element else {
                let hint = "each begins with \(header)"
                report("expected a table, found \(element.type)", hint: hint, in: key, at: index)
                return nil
            }
            return reader(of: table, title: title(index + 1), at: path.appending(key).appending(index))
        }
    }

    /// Reads a table or an array of tables; messages call the keys of the second one `http.json 2.path`.
    ///
    /// - Parameter example: The notation of such a table, for the hint.
    mutating func oneOrMoreTables(_ key: String, example: String) -> [TableReader] {
        let hint = "such as \(key) = \(example)"
        let present = value(key)
        switch isDescribing ? .table([:]) : present {
        case nil:
            return []
        case .table(let entries)?:
            return [reader(of: entries, title: "\(title)\(key).", at: path.appending(key))]
        case .array(let elements)?:
            return elements.enumerated().compactMap { index, element in
                let path = path.appending(key).appending(index)
                guard case .table(let entries) = element else {
                    report("expected a table, found \(element.type)", hint: hint, in: key, at: index)
                    return nil
                }
                return reader(of: entries, title: "\(title)\(key) \(index + 1).", at: path)
            }
        case let other?:
            reportType(of: key, found: other, expected: "a table or an array of tables", hint: hint)
            return []
        }
    }
}

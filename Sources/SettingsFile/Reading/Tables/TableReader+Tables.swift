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

    private mutating func entries(_ key: String, example: @autoclosure () -> String) -> [String: Value]? {
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
        guard let value = isDescribing ? Value.array([.table([:])]) : present else { return [] }
        guard case .array(let elements) = value else {
            reportType(of: key, found: value, expected: "an array of tables", hint: "each begins with \(header)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            guard case .table(let table) = element else {
                log.report(
                    "expected a table, found \(element.type)",
                    hint: "each begins with \(header)",
                    about: self.title + key,
                    at: log.entryLocation(of: path.appending(key).appending(index))?.value
                )
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
                    let location = log.entryLocation(of: path)?.value
                    log.report("expected a table, found \(element.type)", hint: hint, about: title + key, at: location)
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

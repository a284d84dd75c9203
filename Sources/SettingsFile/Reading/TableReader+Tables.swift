extension TableReader {
    /// Takes a table, whose keys are called `tcp.send` in messages; an empty one where there is none.
    ///
    /// - Parameter example: how such a table is written, for the hint.
    mutating func table(_ key: String, such example: String) -> TableReader {
        let entries = entries(key, such: example) ?? [:]
        return reader(of: entries, title: "\(title)\(key).", at: path.appending(key))
    }

    /// Takes the options of a method: a table with keys of its own, if it is there.
    mutating func options(_ key: String, such example: String, read: (inout TableReader) -> Void) {
        guard let entries = entries(key, such: "\(key) = \(example)") else { return }
        var options = reader(of: entries, title: "\(title)\(key).", at: path.appending(key))
        read(&options)
        options.finish()
    }

    private mutating func entries(_ key: String, such example: String) -> [String: Value]? {
        switch value(key) {
        case nil: return nil
        case .table(let entries): return entries
        case .some(let other):
            report(key, is: other, insteadOf: "a table", hint: "such as \(example)")
            return nil
        }
    }

    /// Takes an array of tables.
    ///
    /// - Parameters:
    ///   - header: how such a table begins in the file, for the hint.
    ///   - title: what the element of this number, counted from one, is called in messages.
    mutating func tables(_ key: String, header: String, title: (Int) -> String) -> [TableReader] {
        guard let value = value(key) else { return [] }
        guard case .array(let elements) = value else {
            report(key, is: value, insteadOf: "an array of tables", hint: "each begins with \(header)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            guard case .table(let table) = element else {
                log.report(
                    "expected a table, found \(element.type)",
                    hint: "each begins with \(header)",
                    about: self.title + key,
                    at: log.place(of: path.appending(key).appending(index))?.value
                )
                return nil
            }
            return reader(of: table, title: title(index + 1), at: path.appending(key).appending(index))
        }
    }
}

extension TableReader {
    /// Takes a table, whose keys are called `tcp.send` in messages; an empty one where there is none.
    ///
    /// - Parameter example: how such a table is written, for the hint.
    mutating func table(_ key: String, such example: String) -> TableReader {
        var entries: [String: Value] = [:]
        switch value(key) {
        case nil: break
        case .table(let table): entries = table
        case .some(let other): report(key, is: other, insteadOf: "a table", hint: "such as \(example)")
        }
        return reader(of: entries, title: "\(title)\(key).", at: path.appending(key))
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

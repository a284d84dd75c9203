import Monitoring

extension TableReader {
    /// Reads the columns of the dashboard's table, each at most once.
    mutating func columns(_ key: String) -> [TableColumn]? {
        describe(key, as: .array(.choice(TableColumn.allCases.map(\.rawValue)), isEmptyAllowed: false))
        guard let value = value(key) else { return nil }
        guard case .array(let elements) = value else {
            reportType(of: key, found: value, expected: "an array of strings", hint: Self.columnExample)
            return nil
        }
        var columns: [TableColumn] = []
        for (index, element) in elements.enumerated() {
            guard let column = column(element, at: index, of: key) else { return nil }
            guard !columns.contains(column) else {
                report("duplicate column \"\(column.rawValue)\"", hint: "remove one of the two", in: key, at: index)
                return nil
            }
            columns.append(column)
        }
        let missing = TableColumn.allCases.filter { $0.isRequired && !columns.contains($0) }
        guard missing.isEmpty else {
            let names = missing.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            let verb = missing.count == 1 ? "is" : "are"
            report("\(names) \(verb) missing", hint: "name and health are always shown; add \(names)", about: key)
            return nil
        }
        return columns
    }

    /// Reads the column of one element.
    private func column(_ element: Value, at index: Int, of key: String) -> TableColumn? {
        guard case .string(let text) = element else {
            report("expected a string, found \(element.type)", hint: Self.columnExample, in: key, at: index)
            return nil
        }
        guard let text = substituted(text, for: key) else { return nil }
        if let column = TableColumn(rawValue: text) { return column }
        let names = TableColumn.allCases.map(\.rawValue)
        let suggestion = text.nearest(of: names).map { "did you mean \"\($0)\"?" }
        report(
            "unknown column \(text.quoted)",
            hint: suggestion ?? "one of \(names.joined(separator: ", "))",
            in: key,
            at: index
        )
        return nil
    }

    /// Reports a problem with an element of an array, at its position.
    func report(_ message: String, hint: String, in key: String, at index: Int) {
        let location = log.entryLocation(of: path.appending(key).appending(index))?.value ?? location(of: key)
        log.report(message, hint: hint, about: title + key, at: location)
    }

    private static let columnExample = "such as [\"name\", \"url\", \"health\", \"last\", \"chart\"]"
}

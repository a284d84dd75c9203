import ReachMonitoring

extension TableReader {
    /// Reads the name of a theme.
    mutating func theme(_ key: String, userThemes: [String] = []) -> ThemeChoice? {
        guard let name = text(key) else { return nil }
        let choice = ThemeChoice(name)
        guard case .user = choice, !userThemes.contains(name) else { return choice }
        reportUnknown(key, name, of: ThemeChoice.builtIn.map(\.name) + userThemes)
        return nil
    }

    /// Reads a table `[theme.NAME]`.
    mutating func userTheme() -> UserTheme {
        var theme = UserTheme()
        if let base = self.theme("base") { theme.base = base }
        for role in Role.allCases {
            if let style = style(role.name) { theme.styles[role] = style }
        }
        reportUnknownKeys()
        return theme
    }

    /// Reads a style: a colour, and words after it such as `bold`.
    private mutating func style(_ key: String) -> RoleStyle? {
        describe(key, as: .either([.integer(0...255), .string]))
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let number):
            guard let index = UInt8(exactly: number) else {
                report("\(number) is out of range", hint: "from 0 to 255", about: key)
                return nil
            }
            return RoleStyle(.index(index))
        case .string(let text):
            return substituted(text, for: key).flatMap { style($0, of: key) }
        default:
            reportType(of: key, found: value, expected: "a colour", hint: "such as \(Self.colours)")
            return nil
        }
    }

    private func style(_ text: String, of key: String) -> RoleStyle? {
        var style = RoleStyle(nil)
        var hasColor = false
        for word in text.split(separator: " ").map(String.init) {
            switch word {
            case "bold": style.isBold = true
            case "underline": style.isUnderlined = true
            default:
                guard !hasColor else {
                    report("more than one colour in \(shown(text, in: key))", hint: "write one", about: key)
                    return nil
                }
                hasColor = true
                if word == "default" { continue }
                guard let color = color(word, of: key) else { return nil }
                style.color = color
            }
        }
        if text.allSatisfy({ $0 == " " }) {
            report("no colour", hint: "such as \(Self.colours)", about: key)
            return nil
        }
        return style
    }

    private func color(_ word: String, of key: String) -> RoleStyle.Color? {
        if word.hasPrefix("#") {
            let digits = word.dropFirst()
            if digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) {
                return .rgb(value)
            }
            report(
                "invalid colour \(shown(word, in: key))",
                hint: "write six hexadecimal digits after the #",
                about: key
            )
            return nil
        }
        if let index = Self.paletteNames.firstIndex(of: word) { return .index(UInt8(index)) }
        if word.allSatisfy({ "0"..."9" ~= $0 }) {
            if let index = UInt8(word) { return .index(index) }
            report("\(shown(word, in: key)) is out of range", hint: "from 0 to 255", about: key)
            return nil
        }
        let suggestion = word.suggestion(among: Self.paletteNames + ["default", "bold", "underline"])
        let hint = suggestion ?? "such as \(Self.colours)"
        report("unknown colour \(shown(word, in: key))", hint: hint, about: key)
        return nil
    }

    /// A part of a value as messages have it: with variables, the text in the settings, since the redaction knows whole
    /// values only.
    private func shown(_ part: String, in key: String) -> String {
        (template(key) ?? part).quoted
    }

    private static let colours = "\"#fb4934\", \"bright-red\", \"red bold\" or 208"

    /// The sixteen colours of a terminal's palette, by index.
    private static let paletteNames: [String] = {
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        return names + names.map { "bright-\($0)" }
    }()
}

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
    private func column(_ element: TOMLValue, at index: Int, of key: String) -> TableColumn? {
        guard case .string(let text) = element else {
            report("expected a string, found \(element.type)", hint: Self.columnExample, in: key, at: index)
            return nil
        }
        guard let text = substituted(text, for: key) else { return nil }
        if let column = TableColumn(rawValue: text) { return column }
        let names = TableColumn.allCases.map(\.rawValue)
        let hint = text.suggestion(among: names) ?? "one of \(names.joined(separator: ", "))"
        report("unknown column \(text.quoted)", hint: hint, in: key, at: index)
        return nil
    }

    /// Reports a problem with an element of an array, at its position.
    func report(_ message: String, hint: String, in key: String, at index: Int) {
        let location = log.entryLocation(of: path.appending(key).appending(index))?.value
        log.report(message, hint: hint, about: title + key, at: location)
    }

    private static let columnExample = "such as [\"name\", \"url\", \"health\", \"last\", \"chart\"]"
}

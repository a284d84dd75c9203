import Monitoring

extension TableReader {
    /// Takes a string, with its variables replaced.
    mutating func text(_ key: String) -> String? {
        string(key).flatMap { substituted($0, for: key) }
    }

    /// A string as it may be shown to others; nil where it has no variables. This does not take the key.
    func template(_ key: String) -> String? {
        string(at: key).flatMap(substitution.template)
    }

    /// Takes a string as it is written.
    mutating func string(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else {
            report(key, is: value, insteadOf: "a string", hint: value.scalarText.map { "write \"\($0)\"" })
            return nil
        }
        return text
    }

    /// The text with its variables replaced; nil, and reported, where that is not possible.
    func substituted(_ text: String, for key: String) -> String? {
        do {
            return try substitution(text) { log.redaction.note(value: $1, of: $0) }
        } catch {
            report(error.message, hint: error.hint, about: key)
            return nil
        }
    }

    /// Takes a string that names something on the screen.
    mutating func name(_ key: String) -> String? {
        guard let name = text(key) else { return nil }
        guard let fault = Self.fault(ofName: name) else { return name }
        report(fault, about: key)
        return nil
    }

    /// Why a text is no name.
    static func fault(ofName name: String) -> String? {
        // Nearly all of them: to ask for the properties of a letter takes longer.
        if name.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), !name.isEmpty { return nil }
        if name.allSatisfy(\.isWhitespace) { return "a name cannot be empty" }
        if name.unicodeScalars.contains(where: \.isControl) { return "control character in the name" }
        return nil
    }

    /// Takes one of a few words.
    mutating func choice<Choice>(_ key: String, of type: Choice.Type) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = text(key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        let near = text.nearest(of: words).map { "did you mean \"\($0)\"?" }
        report("unknown \(key) \(text.quoted)", hint: near ?? "one of \(words.joined(separator: ", "))", about: key)
        return nil
    }

    /// Takes a regular expression, as its text.
    mutating func pattern(_ key: String) -> String? {
        guard let pattern = text(key) else { return nil }
        do {
            _ = try Regex(pattern)
            return pattern
        } catch {
            report("not a regular expression: \(error)", hint: "escape what is meant literally with \\", about: key)
            return nil
        }
    }
}

extension Value {
    /// A number, or true or false, as it would stand in a string.
    fileprivate var scalarText: String? {
        switch self {
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .boolean(let flag): String(flag)
        case .string, .date, .array, .table: nil
        }
    }
}

import ReachBasics
import ReachMonitoring

extension TableReader {
    /// Reads a string and substitutes its variables.
    mutating func text(_ key: String) -> String? {
        string(key).flatMap { substituted($0, for: key) }
    }

    /// Returns a string as it is shown in output; nil if it has no variables. This does not mark the key as read.
    func template(_ key: String) -> String? {
        string(at: key).flatMap(substitution.template)
    }

    /// A string of a list, with its position in the document.
    struct Element {
        let text: String
        let path: SettingsPath
        /// The text as it is shown in output; nil if it has no variables.
        var template: String?
    }

    /// Reads a string or an array of strings, and substitutes their variables.
    ///
    /// - Parameters:
    ///   - example: The meaning or notation of such a list, for the hint.
    ///   - hasVariables: Whether variables are substituted.
    mutating func texts(_ key: String, example: String, hasVariables: Bool = true) -> [Element]? {
        func read(_ text: String, at path: SettingsPath) -> Element? {
            guard hasVariables else { return Element(text: text, path: path) }
            return substituted(text, for: key).map {
                Element(text: $0, path: path, template: substitution.template(of: text))
            }
        }
        describe(key, as: .strings)
        switch value(key) {
        case nil:
            return nil
        case .string(let text):
            return read(text, at: path.appending(key)).map { [$0] }
        case .array(let elements):
            var texts: [Element] = []
            for (index, element) in elements.enumerated() {
                guard case .string(let text) = element else {
                    report("expected strings only", hint: example, about: key)
                    return nil
                }
                guard let string = read(text, at: path.appending(key).appending(index)) else { return nil }
                texts.append(string)
            }
            return texts
        case .some(let other):
            reportType(of: key, found: other, expected: "a string or an array of strings", hint: example)
            return nil
        }
    }

    /// Reports a problem with an element of a list, at its position.
    func report(_ message: String, hint: String? = nil, about key: String, at element: Element) {
        log.report(message, hint: hint, about: title + key, at: log.entryLocation(of: element.path)?.value)
    }

    /// Reads a string without substitution.
    mutating func string(_ key: String) -> String? {
        describe(key, as: .string)
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else {
            reportType(of: key, found: value, expected: "a string", hint: value.scalarText.map { "write \"\($0)\"" })
            return nil
        }
        return text
    }

    /// Returns the text with its variables substituted. On failure, reports the problem and returns nil.
    func substituted(_ text: String, for key: String) -> String? {
        do {
            return try substitution(text) { log.redaction.register(value: $1, of: $0) }
        } catch {
            if log.allowsUnset, let name = error.unset {
                log.unset.insert(name)
                // Names of targets are in these.
                if ["name", "url", "urls", "include"].contains(key) { log.isIncomplete = true }
            } else {
                report(error.message, hint: error.hint, about: key)
            }
            return nil
        }
    }

    /// Reads a string that is sent and never shown, and substitutes its variables and secrets.
    mutating func sentText(_ key: String) -> String? {
        let mayHaveSecrets = substitution.mayHaveSecrets
        substitution.mayHaveSecrets = true
        defer { substitution.mayHaveSecrets = mayHaveSecrets }
        return text(key)
    }

    /// Reads the name of a target or a group.
    mutating func name(_ key: String) -> String? {
        describe(key, as: .name)
        guard let name = text(key) else { return nil }
        guard let problem = Self.problem(inName: name) else { return name }
        report(problem, about: key)
        return nil
    }

    /// Returns why a name is invalid; nil if it is valid.
    static func problem(inName name: String) -> String? {
        guard name.utf8.count <= Target.maxNameLength else {
            return "a name of \(name.utf8.count) bytes – at most \(Target.maxNameLength)"
        }
        // The fast path for nearly all names: Unicode properties of scalars are slow to look up.
        if name.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), !name.isEmpty { return nil }
        if name.isBlank { return "a name cannot be empty" }
        if name.unicodeScalars.allSatisfy(\.isInvisible) { return "a name without visible characters" }
        if name.unicodeScalars.contains(where: \.isControl) { return "control character in the name" }
        return nil
    }

    /// Reads one of the raw values of a type.
    mutating func choice<Choice>(_ key: String, of type: Choice.Type) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        describe(key, as: .choice(Choice.allCases.map(\.rawValue)))
        guard let text = text(key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        reportUnknown(key, text, of: Choice.allCases.map(\.rawValue))
        return nil
    }

    /// Reports a value that is not one of the choices.
    func reportUnknown(_ key: String, _ text: String, of choices: [String]) {
        let hint = text.suggestion(among: choices) ?? "one of \(choices.joined(separator: ", "))"
        report("unknown \(key) \(text.quoted)", hint: hint, about: key)
    }

    /// Reads a regular expression, and returns its text.
    mutating func pattern(_ key: String) -> String? {
        guard let pattern = text(key) else { return nil }
        do {
            _ = try Regex(pattern)
            return pattern
        } catch {
            report("invalid regular expression: \(error)", hint: "escape literal characters with \\", about: key)
            return nil
        }
    }
}

extension TOMLValue {
    /// A number or a Boolean as the text of a string.
    fileprivate var scalarText: String? {
        switch self {
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .boolean(let flag): String(flag)
        case .string, .date, .array, .table: nil
        }
    }
}

extension Unicode.Scalar {
    /// Whether nothing is drawn for the character on its own.
    fileprivate var isInvisible: Bool {
        properties.isDefaultIgnorableCodePoint || properties.isWhitespace || properties.generalCategory == .format
    }
}

extension TableReader {
    /// Reads the name of a file, and returns its path: a relative name is relative to the file that has the key.
    mutating func file(_ key: String) -> String? {
        describe(key, as: .text(matching: #"^[^~\s]"#))
        guard let file = text(key) else { return nil }
        if let (message, hint) = Self.problem(inFileName: file) {
            report(message, hint: hint, about: key)
            return nil
        }
        return file.hasPrefix("/") ? file : log.directory(ofFile: path.file) + file
    }

    /// Returns why a text is no name of a file, and the fix; nil if it can be one.
    static func problem(inFileName file: String) -> (message: String, hint: String)? {
        guard !file.isBlank, !file.unicodeScalars.contains(where: \.isControl) else {
            return ("invalid file name \(file.quoted)", "such as \"ca.pem\", beside this file")
        }
        guard !file.hasPrefix("~") else {
            return ("\"~\" is not expanded", "${HOME}\(file.drop { $0 != "/" })")
        }
        return nil
    }

    /// Reads the name expected in the certificate of a server.
    mutating func serverName(_ key: String) -> String? {
        guard let typed = text(key) else { return nil }
        let name = (try? typed.convertedDomainName) ?? typed
        let isName = (1...253).contains(name.utf8.count) && name.utf8.allSatisfy(\.isPartOfHostName)
        guard isName || Family(ofAddress: name) != nil else {
            report("invalid server name \(name.quoted)", hint: "such as shop.example.com, without a port", about: key)
            return nil
        }
        return name
    }

    /// Reads the source address or interface of probes.
    mutating func source(_ key: String) -> String? {
        guard let source = text(key) else { return nil }
        // The kernel stores at most fifteen bytes (IFNAMSIZ without the terminating zero).
        let isInterface =
            (1...15).contains(source.utf8.count) && source.contains(where: \.isLetter)
            && !source.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "/:[]".utf8.contains($0) }
        guard isInterface || Family(ofAddress: source) != nil else {
            report(
                "\(source.quoted) is neither an address nor an interface",
                hint: "such as 192.0.2.1 or eth0",
                about: key
            )
            return nil
        }
        return source
    }
}

extension UInt8 {
    /// Whether a host name may contain this byte. The underscore violates the standard, but is in use.
    fileprivate var isPartOfHostName: Bool {
        isASCIILetterOrDigit || "-._".utf8.contains(self)
    }
}

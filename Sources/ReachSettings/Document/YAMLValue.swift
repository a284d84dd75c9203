import Yams

/// A value of a YAML document, or of a JSON text, with its position. Merge keys (`<<`) are applied.
struct YAMLValue {
    /// A member of a mapping.
    struct Member {
        let key: String
        let line: Int
        let value: YAMLValue
        /// Whether the key is a merge key, `<<` without quotation marks.
        var isMerge = false
    }

    private let node: Node

    /// Parses a text with one document.
    ///
    /// - Throws: The syntax error, with its position and cause.
    init(_ text: String, file: String) throws(SettingsFailure) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw .problems([SettingsProblem(file: file, error)])
        }
        guard let root else { throw .problems([SettingsProblem(file: file, message: "the file is empty")]) }
        node = root
    }

    private init(_ node: Node) {
        self.node = node
    }

    /// Parses the first document of a text; nil if there is none. Programs in Go read only that one.
    ///
    /// - Throws: The syntax error, with its position and cause.
    static func first(of text: String, file: String) throws(SettingsFailure) -> YAMLValue? {
        do {
            return try Parser(yaml: text).nextRoot().map { YAMLValue($0) }
        } catch {
            throw .problems([SettingsProblem(file: file, error)])
        }
    }

    /// The line, counted from one.
    var line: Int { node.mark?.line ?? 1 }

    /// The text of a scalar; nil for a mapping, a sequence and null.
    var text: String? {
        guard let scalar = node.scalar else { return nil }
        let isNull = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
        return isNull ? nil : scalar.string
    }

    /// Whether the value is a scalar without quotation marks.
    var isPlain: Bool { node.scalar?.style == .plain }

    /// Whether the value is null.
    var isNull: Bool { node.scalar != nil && text == nil }

    /// True or false; nil for another value.
    var flag: Bool? { node.bool }

    /// The size of a mapping of texts: its members and the bytes of their values.
    var sizeOfTexts: Int {
        node.mapping?.reduce(0) { $0 + 1 + ($1.value.scalar?.string.utf8.count ?? 0) } ?? 0
    }

    /// The elements of a sequence; nil for another value.
    var elements: [YAMLValue]? {
        node.sequence.map { $0.map { YAMLValue($0) } }
    }

    /// The members of a mapping; nil for another value. Its own members take precedence over merged ones.
    var members: [Member]? {
        members(depth: 0)
    }

    private func members(depth: Int) -> [Member]? {
        guard let mapping = node.mapping else { return nil }
        var members: [Member] = []
        var merged: [Member] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { continue }
            let value = YAMLValue(value)
            if name == "<<", depth < 8 {
                merged += (value.elements ?? [value]).flatMap { $0.members(depth: depth + 1) ?? [] }
            } else {
                members.append(Member(key: name, line: key.mark?.line ?? value.line, value: value))
            }
        }
        return members + merged.filter { other in !members.contains { $0.key == other.key } }
    }

    /// The members of a mapping as they are written, with merge keys and without their members; nil for another value.
    var plainMembers: [Member]? {
        node.mapping?.compactMap { key, value in
            key.scalar.map { scalar in
                let isMerge = scalar.string == "<<" && scalar.style == .plain
                return Member(
                    key: scalar.string,
                    line: key.mark?.line ?? 1,
                    value: YAMLValue(value),
                    isMerge: isMerge
                )
            }
        }
    }

    /// The value of a key of a mapping.
    subscript(key: String) -> YAMLValue? {
        members?.first { $0.key == key }?.value
    }
}

extension SettingsProblem {
    /// Creates the problem of a text that is not YAML.
    fileprivate init(file: String, _ error: any Error) {
        // JSON is a subset of YAML.
        let language = file.lowercased().hasSuffix(".json") ? "JSON" : "YAML"
        guard let error = error as? YamlError else {
            self.init(file: file, message: "invalid \(language): \(error)")
            return
        }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            // The mark of a tab or an odd character is that of the character; the context is where its part begins.
            let place = context.map { "\($0.text) from line \($0.mark.line): " } ?? ""
            // The parser's text names the function that sets its limit.
            let isTooDeep = problem.hasPrefix("Maximum nesting level reached")
            self.init(
                file: file,
                line: mark.line,
                column: mark.column,
                message: "invalid \(language): " + (isTooDeep ? "nested too deeply" : place + problem),
                hint: language == "YAML" && problem.contains("cannot start any token")
                    ? "indent with blanks, quote special characters" : nil
            )
        case .duplicatedKeysInMapping(let keys, let context):
            self.init(
                file: file,
                line: context.mark.line,
                column: context.mark.column,
                message: "invalid \(language): duplicate key \(keys.first?.quoted ?? "")",
                hint: "remove one of them"
            )
        case .reader(let problem, _, _, _):
            self.init(file: file, message: "invalid \(language): \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            self.init(file: file, message: "invalid \(language): \(error)")
        }
    }
}

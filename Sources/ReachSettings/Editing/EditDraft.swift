import ReachBasics
import ReachMonitoring

/// An edit in progress: the changes of the text, and the same changes of the document that the text has.
struct EditDraft {
    let outline: DocumentOutline
    /// The tables of the targets in this text, in order.
    let tables: [TargetDeclaration]
    /// The tables of the targets in included files, which are edited there.
    private let includedTables: [TargetDeclaration]
    /// The document with the changes.
    var document: [String: TOMLValue]
    var patch = TextPatch()

    init(_ text: String, tables: [TargetDeclaration]) throws(EditRefusal) {
        let isCut: Bool
        do throws(SyntaxProblem) {
            (document, isCut) = try TOMLValue.document(text)
        } catch {
            throw EditRefusal(error.message)
        }
        outline = DocumentOutline(text)
        self.tables = tables.filter(\.isInFirstFile)
        includedTables = tables.filter { !$0.isInFirstFile }
        let count = self.tables.count
        guard !isCut, outline.targets.count == count, targets.count == count else {
            throw EditRefusal(
                "the targets are not [[target]] tables, so they can be changed only in the file"
            )
        }
    }

    /// The text with the changes.
    var text: String { patch.applied(to: outline.scalars) }

    /// The tables of the targets.
    var targets: [[String: TOMLValue]] {
        get {
            guard case .array(let elements)? = document["target"] else { return [] }
            return elements.compactMap { if case .table(let table) = $0 { table } else { nil } }
        }
        set {
            document["target"] = newValue.isEmpty ? nil : .array(newValue.map(TOMLValue.table))
        }
    }

    /// Whether the text has sources of targets.
    private var hasSources: Bool { document["source"] != nil }

    /// The index of the table that has a target.
    private func table(of name: String) throws(EditRefusal) -> Int {
        if let index = tables.firstIndex(where: { $0.names.contains(name) }) { return index }
        guard let table = includedTables.first(where: { $0.names.contains(name) }) else {
            let place = hasSources ? " – targets of a [[source]] are changed in its list" : ""
            throw EditRefusal("no target \(name.quoted) in the file\(place)")
        }
        throw EditRefusal("\(name.quoted) is in \(table.file), which is included – change it there")
    }

    /// The index of the table that has only this target.
    private func index(of name: String) throws(EditRefusal) -> Int {
        let index = try table(of: name)
        guard !tables[index].hasList else {
            let count = tables[index].names.count
            throw EditRefusal("\(name.quoted) is one of \(count) targets of a list – change urls in the file")
        }
        return index
    }

    // MARK: Fields

    /// Returns the values of a target that can be edited.
    func fields(of name: String) throws(EditRefusal) -> TargetFields {
        let index = try index(of: name)
        var fields = TargetFields(values: [:])
        for key in TargetKey.allCases {
            guard targets[index][key.rawValue] != nil else { continue }
            // A password is not shown, unless it is a variable.
            let text = line(key, ofTarget: index).flatMap { key == .url && $0.showsPassword ? nil : $0 }
            if let text {
                fields.values[key] = text
            } else {
                fields.locked.insert(key)
            }
        }
        return fields
    }

    /// The value of a key, if it is a string on one line.
    private func line(_ key: TargetKey, ofTarget index: Int) -> String? {
        guard case .string(let text)? = targets[index][key.rawValue],
            let entry = outline.targets[index][0][key.rawValue],
            !outline.scalars[entry.value].contains("\n"), !text.unicodeScalars.contains(where: \.isControl)
        else { return nil }
        return text
    }

    // MARK: Changing

    /// Changes values of a target.
    ///
    /// - Parameters:
    ///   - isNew: whether the target is in no file yet. Otherwise, a renamed one keeps its history by its former name.
    ///   - savedNames: the names in the file of targets that were renamed since, by their present names.
    mutating func change(
        _ name: String,
        to values: [TargetKey: String],
        isNew: Bool,
        savedNames: [String: String]
    ) throws(EditRefusal) {
        let index = try index(of: name)
        let table = outline.targets[index][0]
        let oldName = line(.name, ofTarget: index) ?? name
        let isSameURL = values[.url].map { $0 == line(.url, ofTarget: index) } ?? true
        var removed: [DocumentOutline.Entry] = []
        for key in TargetKey.allCases {
            guard let value = values[key] else { continue }
            if let entry = table[key.rawValue] {
                guard let old = line(key, ofTarget: index) else {
                    throw EditRefusal(
                        "\(key.rawValue) is a list or has several lines – change it in the file"
                    )
                }
                guard value != old else { continue }
                if value.isEmpty {
                    removed.append(entry)
                } else {
                    patch.replace(entry.value, with: value.tomlString(like: outline.text(entry.value)))
                }
            } else if !value.isEmpty {
                insert(key, value, into: table)
            }
            targets[index][key.rawValue] = value.isEmpty ? nil : .string(value)
        }
        // After the insertions, which can be beside them.
        defer { for entry in removed { remove(entry) } }
        guard let newName = values[.name], newName != oldName else { return }
        let savedName = savedNames[name] ?? oldName
        let isBack = newName == savedName || targets[index][Self.formerly] == .string(newName)
        // The history knows a target by its name and URL.
        let hasFormerName = isSameURL && !isNew && !isBack && canHaveFormerName(savedName, ofTarget: index)
        if hasFormerName, targets[index][Self.formerly] != .string(savedName) {
            removed += removeFormerName(savedName)
            setFormerName(savedName, ofTarget: index)
        }
        guard !newName.isEmpty else { return }
        removed += removeFormerName(newName, since: index, savedNames)
        rename(oldName, to: newName)
    }

    /// Removes the lines of an entry. A comment in its last line stays, on its own.
    mutating func remove(_ entry: DocumentOutline.Entry) {
        let comment = outline.text(entry.value.upperBound..<entry.lines.upperBound).drop { $0 == " " || $0 == "\t" }
        guard comment.isEmpty else {
            return patch.replace(entry.keyRange.lowerBound..<entry.lines.upperBound, with: String(comment))
        }
        // There is a line before: that of the header.
        let before = outline.end(ofLineBefore: entry.lines.lowerBound)
        let after = outline.end(ofLineEnd: entry.lines.upperBound)
        // It keeps its line end where the two differ, or where no line follows.
        let isLast = after == entry.lines.upperBound
        let isSame = outline.lineEnd(at: before) == outline.lineEnd(at: entry.lines.upperBound)
        if !isLast && isSame || patch.hasInsertion(at: entry.lines.upperBound) {
            patch.replace(before..<entry.lines.upperBound, with: "")
        } else {
            patch.replace(entry.lines.lowerBound..<after, with: "")
        }
    }

    /// Inserts an entry: the name above the URL, others at the end of the table.
    private mutating func insert(_ key: TargetKey, _ value: String, into table: DocumentOutline.Section) {
        guard let last = table.entries.last, let url = table[TargetKey.url.rawValue] else { return }
        let anchor = key == .name ? url : last
        let indentation = outline.indentation(of: anchor.lines)
        let value = value.tomlString(like: outline.text(url.value))
        let line = "\(indentation)\(assignment(of: key.rawValue, like: url))\(value)"
        if key == .name {
            patch.insert(line + outline.lineEnd(at: anchor.lines.upperBound), at: anchor.lines.lowerBound)
        } else {
            patch.insert(outline.lineEnd(at: anchor.lines.upperBound) + line, at: anchor.lines.upperBound)
        }
    }

    /// A key with an equals sign, aligned like another entry.
    func assignment(of key: String, like entry: DocumentOutline.Entry?) -> String {
        guard let entry else { return "\(key) = " }
        let sign = outline.text(entry.keyRange.upperBound..<entry.value.lowerBound)
        let padding = sign.prefix { $0 != "=" }.count
        let width = max(key.count + min(1, padding), entry.keyRange.count + padding)
        let blanks = String(repeating: " ", count: width - key.count)
        return key + blanks + sign.drop { $0 != "=" }
    }

    // MARK: Adding and removing

    /// Adds a target below another one, in its group; without one, below the last; the first one at the end of the text.
    mutating func add(_ values: [TargetKey: String], below neighbour: String?) throws(EditRefusal) {
        let neighbours = outline.targets
        // A target of a source has no table to add another one below.
        let isKnown = neighbour.map { name in tables.contains { $0.names.contains(name) } } ?? false
        let isIncluded = neighbour.map { name in includedTables.contains { $0.names.contains(name) } } ?? false
        let neighbour = hasSources && !isKnown && !isIncluded ? nil : neighbour
        guard !neighbours.isEmpty else { return try addFirst(values) }
        let index = try neighbour.map { name throws(EditRefusal) in try self.table(of: name) } ?? neighbours.count - 1
        let url = neighbours[index][0][TargetKey.url.rawValue]
        var (table, lines) = newTable(values, like: url)
        if neighbour != nil, let group = neighbours[index][0]["group"], let value = targets[index]["group"] {
            lines.append(outline.text(group.keyRange.lowerBound..<group.value.upperBound))
            table["group"] = value
        }
        let outer = outline.indentation(of: neighbours[index][0].header)
        let inner = neighbours[index][0].entries.first.map { outline.indentation(of: $0.lines) } ?? outer
        let indented = lines.enumerated().map { ($0.offset == 0 ? outer : inner) + $0.element }
        let end = outline.end(ofBlock: neighbours[index][neighbours[index].count - 1].lines)
        // The line above keeps its line end, and the last new one gets it too.
        let lineEnd = outline.lineEnd(at: end)
        patch.insert((["", ""] + indented).joined(separator: lineEnd), at: end)
        if let name = values[.name] { for entry in removeFormerName(name) { remove(entry) } }
        targets.insert(table, at: index + 1)
    }

    /// Adds the first target, below a blank line.
    private mutating func addFirst(_ values: [TargetKey: String]) throws(EditRefusal) {
        guard includedTables.isEmpty else {
            throw EditRefusal("the file has no [[target]] of its own – write the first one in the file")
        }
        let (table, lines) = newTable(values)
        let (end, lineEnd) = (outline.scalars.count, outline.lineEnd)
        let text = outline.text(0..<end)
        let before =
            text.isEmpty || text.hasSuffix(lineEnd + lineEnd) ? [] : text.hasSuffix(lineEnd) ? [""] : ["", ""]
        patch.insert((before + lines + [""]).joined(separator: lineEnd), at: end)
        targets = [table]
    }

    /// Returns a table with the values of a new target, and its lines, aligned like another URL.
    private func newTable(
        _ values: [TargetKey: String],
        like url: DocumentOutline.Entry? = nil
    ) -> (table: [String: TOMLValue], lines: [String]) {
        var (table, lines): ([String: TOMLValue], [String]) = ([:], ["[[target]]"])
        for key in TargetKey.allCases {
            guard let value = values[key], !value.isEmpty else { continue }
            table[key.rawValue] = .string(value)
            lines.append(assignment(of: key.rawValue, like: url) + value.tomlString())
        }
        return (table, lines)
    }

    /// Removes the tables of a target. Comments above its header stay.
    mutating func remove(_ name: String) throws(EditRefusal) {
        let index = try index(of: name)
        for block in outline.blocks(of: outline.targets[index]) { patch.replace(block, with: "") }
        targets.remove(at: index)
    }

    // MARK: Columns

    /// Sets the columns of the table. Without a table `[dashboard]`, one is added after the last table.
    mutating func choose(_ columns: [TableColumn]) throws(EditRefusal) {
        let key = "columns"
        let strings = columns.map(\.rawValue)
        func array(like example: String = "\"") -> String {
            "[" + strings.map { $0.tomlString(like: example) }.joined(separator: ", ") + "]"
        }
        let section = outline.sections.first { $0.keys == ["dashboard"] && !$0.isElement }
        if let entry = section?[key] {
            let old = outline.text(entry.value)
            guard !old.contains("#") else { throw EditRefusal("columns has comments – change it in the file") }
            patch.replace(entry.value, with: array(like: old.contains("'") ? "'" : "\""))
        } else if let section, let last = section.entries.last {
            let line = outline.indentation(of: last.lines) + assignment(of: key, like: last) + array()
            patch.insert(outline.lineEnd(at: last.lines.upperBound) + line, at: last.lines.upperBound)
        } else if let section {
            let end = section.header.upperBound
            patch.insert("\(outline.lineEnd(at: end))\(key) = \(array())", at: end)
        } else {
            let end = outline.sections.last.map { outline.end(ofBlock: $0.lines) } ?? outline.scalars.count
            let lines = ["", "", "[dashboard]", "\(key) = \(array())"]
            patch.insert(lines.joined(separator: outline.lineEnd(at: end)), at: end)
        }
        var table: [String: TOMLValue] = [:]
        if case .table(let old)? = document["dashboard"] { table = old }
        table[key] = .array(strings.map(TOMLValue.string))
        document["dashboard"] = .table(table)
    }
}

extension String {
    /// Whether the URL contains a password that is not a variable.
    fileprivate var showsPassword: Bool { hasPassword && !contains("${") }
}

/// Replacements in a text. Ranges count Unicode scalars, do not overlap, and refer to the text before all replacements.
struct TextPatch {
    private var replacements: [(range: Range<Int>, text: String)] = []

    /// Replaces a range. Insertions at the same place keep their order.
    mutating func replace(_ range: Range<Int>, with text: String) {
        replacements.append((range, text))
    }

    mutating func insert(_ text: String, at index: Int) {
        replace(index..<index, with: text)
    }

    /// Whether a text is inserted at an index.
    func hasInsertion(at index: Int) -> Bool {
        replacements.contains { $0.range == index..<index }
    }

    /// Returns the text with all replacements; everything else is copied scalar by scalar.
    func applied(to scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        var index = 0
        let sorted = replacements.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (_, replacement) in sorted {
            view.append(contentsOf: scalars[index..<max(index, replacement.range.lowerBound)])
            view.append(contentsOf: replacement.text.unicodeScalars)
            index = max(index, replacement.range.upperBound)
        }
        view.append(contentsOf: scalars[index...])
        return String(view)
    }
}

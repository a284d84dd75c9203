import ReachMonitoring

/// Renaming of targets: the former name, and the references in other tables.
extension EditDraft {
    static let formerly = "formerly"

    /// Sets the former name of a target, below its name.
    mutating func setFormerName(_ name: String, ofTarget index: Int) {
        let table = outline.targets[index][0]
        targets[index][Self.formerly] = .string(name)
        if let entry = table[Self.formerly] {
            return patch.replace(entry.value, with: name.tomlString(like: outline.text(entry.value)))
        }
        guard let url = table[TargetKey.url.rawValue] else { return }
        let own = table[TargetKey.name.rawValue]
        let anchor = own ?? url
        let line =
            outline.indentation(of: anchor.lines) + assignment(of: Self.formerly, like: anchor)
            + name.tomlString(like: outline.text(anchor.value))
        if let own {
            patch.insert(outline.lineEnd(at: own.lines.upperBound) + line, at: own.lines.upperBound)
        } else {
            patch.insert(line + outline.lineEnd(at: url.lines.upperBound), at: url.lines.lowerBound)
        }
    }

    /// Whether a target can have this former name: no other target has the name, unless that one was renamed too.
    func canHaveFormerName(_ name: String, ofTarget index: Int) -> Bool {
        guard let owner = tables.indices.first(where: { $0 != index && tables[$0].names.contains(name) }) else {
            return true
        }
        return hasMoved(owner, from: index)
    }

    /// Whether a target got the former name of another one by a rename, and their histories differ by their URLs.
    private func hasMoved(_ owner: Int, from index: Int) -> Bool {
        let url = TargetKey.url.rawValue
        return targets[owner][Self.formerly] != nil && targets[owner][url] != targets[index][url]
    }

    /// Removes a former name once another target has the name: the history has continued already.
    ///
    /// It stays if the two were renamed since the file was written, as where two targets swap their names: a program that
    /// reads only the file then finds the history of both.
    ///
    /// - Parameters:
    ///   - owner: the target that has the name now; nil for a new one.
    ///   - savedNames: the names in the file of targets that were renamed since, by their present names.
    mutating func removeFormerName(
        _ name: String,
        since owner: Int? = nil,
        _ savedNames: [String: String] = [:]
    ) -> [DocumentOutline.Entry] {
        var removed: [DocumentOutline.Entry] = []
        for index in targets.indices where targets[index][Self.formerly] == .string(name) {
            let wasRenamed = tables[index].names.contains { savedNames[$0] == name }
            if let owner, owner != index, wasRenamed, hasMoved(owner, from: index) { continue }
            guard let entry = outline.targets[index][0][Self.formerly] else { continue }
            removed.append(entry)
            targets[index][Self.formerly] = nil
        }
        return removed
    }

    /// Renames a target in all lists of dependencies and of maintenance.
    mutating func rename(_ old: String, to new: String) {
        guard old != new else { return }
        for section in outline.sections {
            let key: String
            switch section.keys.first {
            case "target", "group", "template", "defaults", "source": key = "depends_on"
            case "maintenance": key = "targets"
            case "whose": key = "trust"
            default: continue
            }
            for entry in section.entries where entry.keys == [key] {
                for string in outline.strings(in: entry.value) where string.text == old {
                    patch.replace(string.range, with: new.tomlString(like: outline.text(string.range)))
                }
            }
        }
        document = document.mapValues { $0.renamingDependencies(from: old, to: new) }
        if case .array(let windows)? = document["maintenance"] {
            document["maintenance"] = .array(windows.map { $0.renaming(old, to: new, inList: "targets") })
        }
        if let sides = document["whose"] { document["whose"] = sides.renaming(old, to: new, inList: "trust") }
        if case .table(let defaults)? = document["defaults"] {
            document["defaults"] = .table(defaults.renamingDependencies(from: old, to: new))
        }
    }
}

extension [String: TOMLValue] {
    /// The table with a target renamed in its own list of dependencies.
    fileprivate func renamingDependencies(from old: String, to new: String) -> Self {
        renaming(old, to: new, inList: "depends_on")
    }

    /// The table with a target renamed in a name or a list of names.
    fileprivate func renaming(_ old: String, to new: String, inList key: String) -> Self {
        func renamed(_ value: TOMLValue) -> TOMLValue { value == .string(old) ? .string(new) : value }
        var table = self
        switch self[key] {
        case .array(let elements)?: table[key] = .array(elements.map(renamed))
        case let value?: table[key] = renamed(value)
        case nil: break
        }
        return table
    }
}

extension TOMLValue {
    /// The table with a target renamed in a list of names.
    fileprivate func renaming(_ old: String, to new: String, inList key: String) -> TOMLValue {
        if case .table(let table) = self { .table(table.renaming(old, to: new, inList: key)) } else { self }
    }

    /// The targets or groups, with a target renamed in their lists of dependencies.
    fileprivate func renamingDependencies(from old: String, to new: String) -> TOMLValue {
        func renamed(_ value: TOMLValue) -> TOMLValue {
            if case .table(let table) = value { .table(table.renamingDependencies(from: old, to: new)) } else { value }
        }
        return switch self {
        case .array(let elements): .array(elements.map(renamed))
        case .table(let tables): .table(tables.mapValues(renamed))
        default: self
        }
    }
}

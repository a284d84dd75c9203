package import ReachMonitoring

/// Edits the text of a settings file. Only the lines of the edited keys and tables change: every other comment, blank
/// line, quote, indentation and line end stays as it is.
///
/// An edit is made twice: in the text, and in the document that the parser reads from it. Unless the edited text has
/// exactly the edited document, the edit is refused. So a form of TOML that the editor does not know is never damaged.
package struct SettingsEditor: Sendable {
    private let reader: SettingsReader

    /// Creates an editor for the texts that a reader reads.
    package init(_ reader: SettingsReader) {
        self.reader = reader
    }

    /// Returns the text with an edit.
    ///
    /// - Parameters:
    ///   - isNew: whether the edited target is in no file yet.
    ///   - savedNames: the names in the file of targets that were renamed since, by their present names. By default, the
    ///     text is that of the file.
    /// - Throws: ``EditRefusal`` if the edit cannot be made safely. Whether the result is valid is for the reader to decide.
    package func text(
        _ text: String,
        with edit: SettingsEdit,
        isNew: Bool = false,
        savedNames: [String: String] = [:]
    ) throws(EditRefusal) -> String {
        var draft = try EditDraft(text, tables: tables(in: text))
        let before = draft.document
        switch edit {
        case .add(let values, let neighbour): try draft.add(values, below: neighbour)
        case .change(let name, let values):
            try draft.change(name, to: values, isNew: isNew, savedNames: savedNames)
        case .remove(let name): try draft.remove(name)
        case .columns(let columns): try draft.choose(columns)
        }
        let edited = draft.text
        let after = try? TOMLValue.document(edited)
        guard let after, !after.isCut, after.0 == draft.document else {
            // If the edited text is invalid TOML, this is the key that the edit changes.
            let path = TOMLValue.table(draft.document).firstDifference(from: .table(after?.0 ?? before))
            let key = path.joined(separator: ".")
            throw EditRefusal(
                "\(key) cannot be edited here, in an inline table or with dotted keys – change it in the file"
            )
        }
        return edited
    }

    /// Returns the values of a target that can be edited.
    package func fields(of name: String, in text: String) throws(EditRefusal) -> TargetFields {
        try EditDraft(text, tables: tables(in: text)).fields(of: name)
    }

    /// Returns a text with these targets, for a new file; nil if they have more than names, URLs and this interval.
    package static func text(with targets: [Target], interval: Duration? = nil) -> String? {
        let tables = targets.map { target in
            let hasOwnName = target.name != target.question.title
            let name = hasOwnName ? "name = \(target.name.tomlString())\n" : ""
            return "[[target]]\n\(name)url = \(target.question.url.tomlString())\n"
        }
        let defaults = interval.map { "[defaults]\ninterval = \"\($0.settingsText)\"\n\n" } ?? ""
        let text =
            "# The targets of reach. For a sample with every key, run: reach init -\n\n"
            + defaults + tables.joined(separator: "\n")
        let settings = try? SettingsReader(file: "", environment: [:]).settings(from: text)
        return settings?.targets == targets ? text : nil
    }

    /// The tables of the targets, in order.
    private func tables(in text: String) throws(EditRefusal) -> [TargetDeclaration] {
        let result = reader.result(of: text)
        do throws(SettingsFailure) {
            _ = try result.settings()
        } catch {
            throw EditRefusal(error)
        }
        return result.targetDeclarations
    }
}

extension TOMLValue {
    /// The path of keys to the first value, by their order, that another value does not have.
    fileprivate func firstDifference(from other: TOMLValue) -> [String] {
        switch (self, other) {
        case (.table(let own), .table(let others)):
            let keys = Set(own.keys).union(others.keys).sorted()
            guard let key = keys.first(where: { own[$0] != others[$0] }) else { return [] }
            guard let value = own[key], let otherValue = others[key] else { return [key] }
            return [key] + value.firstDifference(from: otherValue)
        case (.array(let own), .array(let others)) where own.count == others.count:
            return zip(own, others).first { $0 != $1 }.map { $0.firstDifference(from: $1) } ?? []
        default: return []
        }
    }
}

/// Why an edit cannot be made. The text of the settings stays as it is.
package struct EditRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause and the fix, in one line.
    package let description: String

    init(_ description: String) {
        self.description = description.onOneLine
    }

    /// An edit that cannot be made again in a file that has changed.
    package init(conflict refusal: EditRefusal, of edit: String) {
        self.init("the edit \"\(edit)\" cannot be kept: \(refusal) – u undoes it, then ^R")
    }

    /// The first problem of settings that an edit has made invalid. Its position is left out, since it would be one in a
    /// text that is not on disk.
    ///
    /// - Parameter target: The name of the edited target, which need not be repeated.
    package init(_ failure: SettingsFailure, of target: String? = nil) {
        switch failure {
        case .unreadable(let line), .notFound(let line):
            self.init(line)
        case .problems(let problems):
            let first = problems.first.map { problem in
                let key = target.map { problem.keyPath.dropPrefix("target \"\($0)\": ") } ?? problem.keyPath
                return [key, problem.message].filter { !$0.isEmpty }.joined(separator: ": ")
                    + (problem.hint.map { " – \($0)" } ?? "")
            }
            self.init((first ?? "") + (problems.count > 1 ? " (and \(problems.count - 1) more)" : ""))
        }
    }
}

extension String {
    fileprivate func dropPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}

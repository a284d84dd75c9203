public import ReachMonitoring

/// The state of editing: the text of the settings, and the open form.
struct EditingState: Sendable {
    /// The text of the settings; nil if they cannot be edited.
    var document: SettingsDocument?
    /// The open form.
    var form: TargetForm?
    /// Whether the open prompt or form has sent a request and waits for the result. It accepts only keys that close it, since
    /// the result closes it.
    var isWaiting = false
    /// What another program did to the file since it was read; nil if nothing.
    var conflict: FileConflict?

    init(document: SettingsDocument?) {
        self.document = document
    }

    /// The number of edits that are not in the file.
    var unsaved: Int { document?.unsaved ?? 0 }

    /// The text of the banner while the file and the unsaved edits are both new; nil otherwise.
    var bannerText: String? {
        guard let conflict, unsaved > 0, let file = document?.file else { return nil }
        return "\(file) was \(conflict) by another program: \(conflict.solution)"
    }
}

extension FileConflict: CustomStringConvertible {
    /// What happened to the file, as a participle.
    public var description: String {
        switch self {
        case .changed: "changed"
        case .emptied: "emptied"
        case .deleted: "deleted"
        }
    }

    /// What the user can do to keep the unsaved edits.
    var solution: String {
        switch self {
        case .changed: "^R reads it and keeps the unsaved edits"
        case .emptied: "W writes the text last read, with the unsaved edits"
        case .deleted: "W writes it again, with the unsaved edits"
        }
    }
}

extension Int {
    /// The number of edits in words.
    var editsText: String { self == 1 ? "1 edit" : "\(self) edits" }
}

extension SettingsEdit {
    /// The edit in words, as an event: "added NAS".
    public var summary: String {
        switch self {
        case .add(let values, _): "added \(values[.name] ?? values[.url]?.withoutUserInfo ?? "")"
        case .change(let name, _): "changed \(name)"
        case .remove(let name): "removed \(name)"
        case .columns: "chose the columns"
        }
    }

    /// The name of the target in the settings with the edit; nil if it has none of its own or is gone.
    public var target: String? {
        switch self {
        case .add(let values, _): values[.name]
        case .change(let name, let values): values[.name] ?? name
        case .remove, .columns: nil
        }
    }

    /// The edit that has the effect of undoing this one; nil if its target is gone then.
    var undone: SettingsEdit? {
        switch self {
        case .add, .columns: nil
        case .change(let name, let values):
            .change(values[.name] ?? name, [.name: name])
        case .remove(let name):
            .add([.name: name], below: nil)
        }
    }

    /// The name of the target after the edit; nil if there is none.
    public func nameAfter(in settings: Settings) -> String? {
        switch self {
        case .add(let values, _):
            return values[.name] ?? values[.url].flatMap(Question.title)
        case .change(let name, let values):
            guard let new = values[.name], !new.isEmpty else {
                return settings.targets.contains { $0.name == name }
                    ? name : values[.url].flatMap(Question.title)
            }
            return new
        case .remove, .columns:
            return nil
        }
    }
}

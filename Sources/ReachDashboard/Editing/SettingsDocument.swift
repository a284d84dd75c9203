public import ReachMonitoring

/// The text of the settings with the user's edits, and the file that it is from.
public struct SettingsDocument: Sendable, Hashable {
    /// An edit, and the text with it.
    private struct Step: Sendable, Hashable {
        let edit: SettingsEdit
        let text: String
    }

    /// The maximum number of edits that can be undone.
    private static let limit = 100

    /// The path of the file; nil if the targets are not in a file yet.
    public private(set) var file: String?
    /// The permission bits of the file, as last read; nil if it was not read.
    public private(set) var mode: UInt32?
    /// The text of the file, as last read or written.
    public private(set) var saved: String
    /// The text before all steps.
    private var base: String
    private var steps: [Step] = []
    /// The number of steps at the last write; negative if the steps since then are no longer known.
    private var writtenSteps = 0
    /// The number of edits that are not in the file.
    public private(set) var unsaved = 0

    /// Creates a document without edits.
    public init(file: String?, text: String, mode: UInt32? = nil) {
        (self.file, self.mode) = (file, mode)
        (saved, base) = (text, text)
    }

    /// The text with all edits.
    public var text: String { text(after: steps.count) }

    /// The edits that are not in the file, to make them again in another text. Empty if edits were undone that are in the
    /// file.
    public var unsavedEdits: [SettingsEdit] {
        guard isBasedOnFile else { return [] }
        return steps[writtenSteps...].map(\.edit)
    }

    /// The names in the file of the targets that unsaved edits have renamed, by their present names.
    public var savedNames: [String: String] {
        var names: [String: String] = [:]
        for edit in unsavedEdits {
            switch edit {
            case .change(let old, let values):
                guard let new = values[.name], !new.isEmpty, new != old else { continue }
                names[new] = names.removeValue(forKey: old) ?? old
            // Another target can get the name of a removed one.
            case .remove(let name): names[name] = nil
            case .add, .columns: continue
            }
        }
        return names.filter { $0.key != $0.value }
    }

    /// Whether a target was added since the text was last read or written.
    public func hasAdded(_ target: String) -> Bool {
        var name = target
        for edit in unsavedEdits.reversed() {
            switch edit {
            case .change(let old, let values) where values[.name] == name: name = old
            case .add(let values, _):
                if name == values[.name] ?? values[.url].flatMap(Question.title) { return true }
            case .change, .remove, .columns: continue
            }
        }
        return false
    }

    private var isBasedOnFile: Bool {
        (0...steps.count).contains(writtenSteps) && text(after: writtenSteps) == saved
    }

    private func text(after count: Int) -> String {
        count > 0 ? steps[count - 1].text : base
    }

    /// Adds an edit, with the text that results from it.
    public mutating func append(_ edit: SettingsEdit, text: String) {
        steps.append(Step(edit: edit, text: text))
        if steps.count > Self.limit {
            base = steps.removeFirst().text
            writtenSteps -= 1
        }
        countUnsaved()
    }

    /// Returns the document without its last edit, and that edit; nil if there is none.
    func undone() -> (SettingsDocument, SettingsEdit)? {
        guard let last = steps.last else { return nil }
        var document = self
        document.steps.removeLast()
        document.countUnsaved()
        return (document, last.edit)
    }

    /// Returns the document after its text was written to a file.
    public func written(to file: String) -> SettingsDocument {
        var document = self
        document.file = file
        document.saved = text
        document.writtenSteps = steps.count
        document.unsaved = 0
        return document
    }

    private mutating func countUnsaved() {
        unsaved = text == saved ? 0 : isBasedOnFile ? steps.count - writtenSteps : max(1, writtenSteps - steps.count)
    }
}

/// A request of the model that concerns the text of the settings.
public enum EditRequest: Sendable, Hashable {
    /// Make an edit in the text.
    case make(SettingsEdit, in: SettingsDocument)
    /// Use this document, in which the edit was undone.
    case undo(SettingsEdit, SettingsDocument)
    /// Read the values of the target with this name.
    case fields(of: String, in: SettingsDocument)
    /// Read the settings again, and make the unsaved edits of the document in them; nil without a text for editing.
    case reread(SettingsDocument?)
    /// Compare the file with the text that was read from it. Read it again if it differs and there are no unsaved edits, if
    /// it includes files, or if its last text was refused.
    case rereadIfChanged(SettingsDocument, wasRefused: Bool)
    /// Write the text to its file.
    case write(SettingsDocument)
    /// Write the text to its file, which is empty now.
    case overwriteEmpty(SettingsDocument)
    /// Write the text to a new file of this name.
    case create(SettingsDocument, file: String)
}

/// What another program did to the settings file since it was read.
public enum FileConflict: Sendable, Hashable {
    case changed
    case emptied
    case deleted
}

/// The result of an ``EditRequest``.
public enum EditResult: Sendable, Hashable {
    /// The edit was made; these are the settings with it.
    case made(SettingsEdit, SettingsDocument, Settings)
    /// The edit was undone; these are the settings without it.
    case undone(SettingsEdit, SettingsDocument, Settings)
    /// The values of a target.
    case fields(TargetFields, of: String)
    /// The file was compared and not read again: how it differs from the text that was read from it; nil if it does not.
    case compared(FileConflict?)
    /// The settings were read again, with the text for editing.
    case reread(SettingsDocument?, Settings)
    /// The text was written.
    case written(SettingsDocument)
    /// The file does not answer yet. Another result follows.
    case delayed
    /// The request failed, for this reason. Nothing has changed.
    case refused(String)
    /// The text was not written, since the file is not as it was last read.
    case conflict(FileConflict)
    /// The text was not written, for this reason.
    case notWritten(String)
}

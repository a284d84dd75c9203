public import Monitoring

/// A request of the model that concerns the text of the settings.
public enum EditRequest: Sendable, Hashable {
    /// Make an edit in the text.
    case make(SettingsEdit, in: SettingsDocument)
    /// Use this document, in which the edit was undone.
    case undo(SettingsEdit, SettingsDocument)
    /// Read the values of the target with this name.
    case fields(of: String, in: SettingsDocument)
    /// Compare the file with the text that was read from it.
    case compare(SettingsDocument)
    /// Read the file again, and make the unsaved edits in it.
    case reread(SettingsDocument)
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
    /// How the file differs from the text that was read from it; nil if it has that text.
    case compared(FileConflict?)
    /// The file was read again.
    case reread(SettingsDocument, Settings)
    /// The text was written.
    case written(SettingsDocument)
    /// The request failed, for this reason. Nothing has changed.
    case refused(String)
    /// The text was not written, since the file is not as it was last read.
    case conflict(FileConflict)
    /// The text was not written, for this reason.
    case notWritten(String)
}

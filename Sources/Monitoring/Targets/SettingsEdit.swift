/// A change of the settings file by the user: one target is added, changed or removed, or the columns are chosen.
///
/// Targets are identified by their names, so that an edit can be made again in a file that has changed meanwhile.
public enum SettingsEdit: Sendable, Hashable {
    /// Add a target with these values below another one, in its group; without one, below the last target.
    case add([TargetKey: String], below: String?)
    /// Change these values of a target; an empty value removes the key.
    case change(String, [TargetKey: String])
    /// Remove a target.
    case remove(String)
    /// Show these columns in the table.
    case columns([TableColumn])
}

/// The keys of a target that can be edited on the screen.
public enum TargetKey: String, Sendable, Hashable, CaseIterable {
    case name
    case url
    case interval
    case whenReachable = "when_reachable"
}

/// The values of a target as they are written in the settings file: variables such as `${NAME}` are not substituted.
public struct TargetFields: Sendable, Hashable {
    /// The values; keys that the target does not have are absent.
    public var values: [TargetKey: String]
    /// The keys whose values are not one line of text, such as a list. They can be changed only in the file.
    public var locked: Set<TargetKey>

    /// Creates fields.
    public init(values: [TargetKey: String], locked: Set<TargetKey> = []) {
        self.values = values
        self.locked = locked
    }
}

public import Monitoring

/// The result of a validation of settings.
public struct SettingsReport: Sendable, Hashable {
    /// The settings; nil if there are problems.
    public let settings: Settings?
    /// The problems, in the order of their files and lines.
    public let problems: [SettingsProblem]
    /// The parts that are valid and have no effect; empty if there are problems.
    public let warnings: [SettingsProblem]
    /// The variables and secrets without a value, if these are allowed. The values that have them were not checked.
    public let unset: [String]
}

/// Figures of a source of targets.
public struct SourceFigures: Sendable, Hashable {
    /// The key of the settings that the source is written with.
    let type: String
    /// The name, without secrets.
    let name: String
    /// Whether the last refresh was successful.
    let isSuccessful: Bool
    /// When the last good list was read, as the time since 1970; nil before the first one.
    let lastSuccess: Duration?
    /// The number of targets in the last good list.
    let targets: Int

    /// Creates the figures of a source.
    public init(type: String, name: String, isSuccessful: Bool, lastSuccess: Duration?, targets: Int) {
        (self.type, self.name, self.isSuccessful) = (type, name, isSuccessful)
        (self.lastSuccess, self.targets) = (lastSuccess, targets)
    }
}

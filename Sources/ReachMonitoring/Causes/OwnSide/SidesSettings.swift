/// Which answers show that the own side works: the table `[whose]` of the settings.
package struct SidesSettings: Sendable, Hashable {
    /// Whether outages of the own side are told apart from those of targets.
    package var isOn = true
    /// The names of the targets whose answers count; empty if those of all targets on the far side count.
    package var trusted: [String] = []
    /// The default gateways of this machine; nil if they are not known.
    package var gateways: [String]?
    /// The resolvers of this machine; nil if they are not known.
    package var resolvers: [String]?

    /// The settings of a table without keys that is enabled.
    package init() {}

    /// The settings of a file without the table.
    package static let off: SidesSettings = {
        var settings = SidesSettings()
        settings.isOn = false
        return settings
    }()
}

/// How the dashboard reports outages beyond its screen.
public struct AlertSettings: Sendable, Hashable {
    /// Whether the terminal's bell rings when targets go down.
    public var bell: Bool
    /// Whether the window's title counts the targets that are down.
    public var title: Bool
    /// Whether the terminal shows a desktop notification when targets go down, and when they are up again.
    public var notify: Bool

    /// Alerts with the program's defaults: the title only.
    public init(bell: Bool = false, title: Bool = true, notify: Bool = false) {
        self.bell = bell
        self.title = title
        self.notify = notify
    }
}

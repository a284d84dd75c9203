/// The validated configuration: what is watched, and how the program behaves.
public struct Settings: Sendable, Hashable {
    /// The targets in the order of the file; their names are unique.
    public var targets: [Target]
    /// How many hooks may run at the same time, over all targets.
    public var maxHooks: Int
    /// How far back the observations of each target are kept.
    public var history: Duration
    /// The colours of the screen.
    public var theme: ThemeChoice
    /// What of the settings is not shown to others.
    public var redaction = Redaction()

    /// Settings with the program's defaults.
    public init(
        targets: [Target],
        maxHooks: Int = 4,
        history: Duration = .seconds(3_600),
        theme: ThemeChoice = .auto
    ) {
        self.targets = targets
        self.maxHooks = maxHooks
        self.history = history
        self.theme = theme
    }
}

/// The theme that the settings ask for.
public enum ThemeChoice: String, Sendable, Hashable, CaseIterable {
    /// What suits the terminal.
    case auto
    /// For a dark background.
    case dark
    /// For a light background.
    case light
    /// Blue and orange in place of green and red.
    case colourBlind = "colour-blind"
    /// No colour at all.
    case mono
}

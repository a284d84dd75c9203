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

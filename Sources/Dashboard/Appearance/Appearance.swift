import Screen

/// The styles and glyphs of the screen.
public struct Appearance: Sendable, Hashable {
    /// The style of each role.
    public var theme: Theme
    /// The characters of the terminal.
    public var glyphs: Glyphs

    /// Creates an appearance from a theme and glyphs.
    public init(theme: Theme, glyphs: Glyphs) {
        self.theme = theme
        self.glyphs = glyphs
    }

    subscript(role: Role) -> Style { theme[role] }
}

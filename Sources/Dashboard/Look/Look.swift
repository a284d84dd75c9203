import Screen

/// How everything is drawn: the theme's styles and the glyphs.
public struct Look: Sendable, Hashable {
    /// Role → style.
    public var theme: Theme
    /// The characters in use.
    public var glyphs: Glyphs

    /// A look of a theme and glyphs.
    public init(theme: Theme, glyphs: Glyphs) {
        self.theme = theme
        self.glyphs = glyphs
    }

    subscript(role: Role) -> Style { theme[role] }
}

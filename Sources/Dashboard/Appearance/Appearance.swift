import Monitoring
import Screen

/// The styles and glyphs of the screen.
public struct Appearance: Sendable, Hashable {
    /// The style of each role.
    public var theme: Theme {
        didSet { gradient = Gradient(theme) }
    }
    /// The colours of round trips in the theme.
    private(set) var gradient: Gradient
    /// The characters of the terminal.
    public var glyphs: Glyphs

    /// Creates an appearance from a theme and glyphs.
    public init(theme: Theme, glyphs: Glyphs) {
        self.theme = theme
        self.glyphs = glyphs
        gradient = Gradient(theme)
    }

    subscript(role: Role) -> Style { theme[role] }
}

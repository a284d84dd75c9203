/// The theme in the settings, or of the command line.
public enum ThemeChoice: Sendable, Hashable {
    /// The theme that matches the terminal's background.
    case auto
    /// For a dark background.
    case dark
    /// For a light background.
    case light
    /// Blue and orange in place of green and red.
    case colourBlind
    /// No colour at all.
    case mono
    /// The palette of Catppuccin.
    case catppuccin
    /// The palette of gruvbox.
    case gruvbox
    /// The palette of Nord.
    case nord
    /// The palette of Solarized.
    case solarized
    /// The theme of this name in ``Settings/userThemes``.
    case user(String)

    /// The themes of the program.
    public static let builtIn: [ThemeChoice] = [
        .auto, .dark, .light, .colourBlind, .mono, .catppuccin, .gruvbox, .nord, .solarized,
    ]

    /// The theme of a name: one of the program, or else the user's.
    public init(_ name: String) {
        self = Self.builtIn.first { $0.name == name } ?? .user(name)
    }

    /// The name in the settings.
    public var name: String {
        switch self {
        case .auto: "auto"
        case .dark: "dark"
        case .light: "light"
        case .colourBlind: "colour-blind"
        case .mono: "mono"
        case .catppuccin: "catppuccin"
        case .gruvbox: "gruvbox"
        case .nord: "nord"
        case .solarized: "solarized"
        case .user(let name): name
        }
    }
}

/// A theme of the user: a theme of the program with other styles for some roles.
public struct UserTheme: Sendable, Hashable {
    /// The theme that has the styles of the other roles.
    public var base: ThemeChoice
    /// The replaced styles.
    public var styles: [Role: RoleStyle]

    /// A theme from its base and its styles.
    public init(base: ThemeChoice = .auto, styles: [Role: RoleStyle] = [:]) {
        self.base = base
        self.styles = styles
    }
}

/// The meaning of a style. Views name roles; only a theme knows colours.
public enum Role: Int, Sendable, Hashable, CaseIterable {
    /// Primary text: names, figures, events.
    case text
    /// Secondary text: units, rules, headings.
    case faint
    /// Titles, and the keys in the footer.
    case title
    /// Healthy.
    case up
    /// Slow, lossy or pending.
    case degraded
    /// Failing.
    case down
    /// Paused, blocked or unknown.
    case waiting
    /// The user's own input: a filter, a prompt, an armed hook.
    case accent

    /// The key in a theme of the settings: the name of the case.
    public var name: String { "\(self)" }
}

/// The style of a role in a user's theme.
public struct RoleStyle: Sendable, Hashable {
    /// A colour in the settings.
    public enum Color: Sendable, Hashable {
        /// One of 256: the sixteen of the terminal's palette, then xterm's cube and greys.
        case index(UInt8)
        /// An exact colour, `0xRRGGBB`.
        case rgb(UInt32)
    }

    /// The colour; nil for the terminal's default.
    public var color: Color?
    /// Whether text is bold.
    public var isBold: Bool
    /// Whether text is underlined.
    public var isUnderlined: Bool

    /// A style from a colour and attributes.
    public init(_ color: Color?, isBold: Bool = false, isUnderlined: Bool = false) {
        self.color = color
        self.isBold = isBold
        self.isUnderlined = isUnderlined
    }
}

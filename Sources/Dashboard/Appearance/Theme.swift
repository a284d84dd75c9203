public import Monitoring
public import Screen

/// The style of each role. A colour is a palette colour where that is readable on any background, and a tint elsewhere.
/// No background is painted, so that light, dark and transparent terminals stay readable.
public struct Theme: Sendable, Hashable {
    /// The terminal's background.
    public let background: Background
    /// Indexed by the role's raw value, since every segment of every row looks one up.
    private let styles: [Style]

    /// The style of a role.
    public subscript(role: Role) -> Style {
        styles[role.rawValue]
    }

    /// Creates the theme of a choice.
    ///
    /// - Parameters:
    ///   - choice: the theme; `auto` follows the background.
    ///   - background: the terminal's background.
    public init(_ choice: ThemeChoice, on background: Background = .dark) {
        switch (choice, background) {
        case (.dark, _), (.auto, .dark): self.init(Self.dark, on: .dark)
        case (.light, _), (.auto, .light): self.init(Self.light, on: .light)
        case (.colourBlind, .dark): self.init(Self.colourBlindDark, on: .dark)
        case (.colourBlind, .light): self.init(Self.colourBlindLight, on: .light)
        case (.mono, _): self.init(Self.mono, on: background)
        }
    }

    /// Creates a theme of these styles; a role without one is plain.
    init(_ styles: [Role: Style], on background: Background) {
        self.styles = Role.allCases.map { styles[$0] ?? .plain }
        self.background = background
    }

    private static let dark: [Role: Style] = [
        .faint: Style(.ash),
        .title: Style(nil, .bold),
        .up: Style(.green),
        .degraded: Style(.yellow),
        .down: Style(.red, .bold),
        .waiting: Style(.ash),
        .accent: Style(.cyan),
    ]

    private static let light: [Role: Style] = [
        .faint: Style(.slate),
        .title: Style(nil, .bold),
        .up: Style(.forest),
        .degraded: Style(.bronze),
        .down: Style(.crimson, .bold),
        .waiting: Style(.slate),
        .accent: Style(.marine),
    ]

    /// Blue for up and orange for down, which no type of colour blindness confuses.
    private static let colourBlindDark: [Role: Style] = [
        .faint: Style(.ash),
        .title: Style(nil, .bold),
        .up: Style(.sky),
        .degraded: Style(.straw),
        .down: Style(.orange, .bold),
        .waiting: Style(.ash),
        .accent: Style(.orchid),
    ]

    private static let colourBlindLight: [Role: Style] = [
        .faint: Style(.slate),
        .title: Style(nil, .bold),
        .up: Style(.marine),
        .degraded: Style(.bronze),
        .down: Style(.rust, .bold),
        .waiting: Style(.slate),
        .accent: Style(nil, .underline),
    ]

    private static let mono: [Role: Style] = [
        .title: Style(nil, .bold),
        .down: Style(nil, .bold),
        .accent: Style(nil, .underline),
    ]
}

/// The meaning of a style. Views name roles; only the theme knows colours.
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
}

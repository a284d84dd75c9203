public import Monitoring
public import Screen

/// Role → style. Palette colours where they can be read on any background, tints where not, and no painted background, so
/// that light, dark and transparent terminals stay readable.
public struct Theme: Sendable, Hashable {
    /// What its text stands on.
    public let background: Background
    /// At the place of each role's number: every part of every row asks for one.
    private let styles: [Style]

    /// The look of a role.
    public subscript(role: Role) -> Style {
        styles[role.rawValue]
    }

    /// The theme that the settings ask for.
    ///
    /// - Parameters:
    ///   - choice: the theme; `auto` goes by the background.
    ///   - background: what the terminal's text stands on.
    public init(_ choice: ThemeChoice, on background: Background = .dark) {
        switch (choice, background) {
        case (.dark, _), (.auto, .dark): self.init(Self.dark, on: .dark)
        case (.light, _), (.auto, .light): self.init(Self.light, on: .light)
        case (.colourBlind, .dark): self.init(Self.colourBlindDark, on: .dark)
        case (.colourBlind, .light): self.init(Self.colourBlindLight, on: .light)
        case (.mono, _): self.init(Self.mono, on: background)
        }
    }

    /// A theme of these styles; a role that has none is plain.
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

    /// Blue for well and orange for ill, which no sort of colour blindness confuses.
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

public import ReachMonitoring
public import ReachScreen

/// The style of each role. A colour is a palette colour where that is readable on any background, and a tint elsewhere.
/// No background is painted, so that light, dark and transparent terminals stay readable.
public struct Theme: Sendable, Hashable {
    /// The terminal's background.
    public let background: Background
    /// Indexed by the role's raw value, since every segment of every row looks one up.
    private let styles: [Style]
    /// The colours of the phases, indexed as ``Phase/allCases``.
    private let phases: [Style]
    /// The colours of a picture.
    let palette: Palette

    /// The style of a role.
    public subscript(role: Role) -> Style {
        styles[role.rawValue]
    }

    /// Creates the theme of a choice.
    ///
    /// - Parameters:
    ///   - choice: the theme; `auto` and the published palettes follow the background, as far as they have both.
    ///   - background: the terminal's background.
    ///   - userThemes: the user's own themes by name; a missing one is as `auto`.
    public init(
        _ choice: ThemeChoice,
        on background: Background = .dark,
        userThemes: [String: UserTheme] = [:]
    ) {
        switch (choice, background) {
        case (.dark, _), (.auto, .dark): self.init(Self.dark, on: .dark)
        case (.light, _), (.auto, .light): self.init(Self.light, on: .light)
        case (.colourBlind, .dark): self.init(Self.colourBlindDark, on: .dark)
        case (.colourBlind, .light): self.init(Self.colourBlindLight, phases: [], on: .light)
        case (.mono, _): self.init(Self.mono, phases: [], on: background)
        case (.catppuccin, .dark): self.init(.catppuccinMocha, on: .dark)
        case (.catppuccin, .light): self.init(.catppuccinLatte, on: .light)
        case (.gruvbox, .dark): self.init(.gruvboxDark, on: .dark)
        case (.gruvbox, .light): self.init(.gruvboxLight, on: .light)
        case (.nord, _): self.init(.nord, on: .dark)
        case (.solarized, .dark): self.init(.solarizedDark, on: .dark)
        case (.solarized, .light): self.init(.solarizedLight, on: .light)
        case (.user(let name), _):
            let theme = userThemes[name] ?? UserTheme()
            // A user's theme cannot be the base of another one.
            self.init(Theme(theme.base, on: background), replacing: theme.styles)
        }
    }

    /// Creates a theme of these styles; a role without one is plain.
    private init(
        _ styles: [Role: Style],
        phases: [Color] = [.cyan, .blue, .magenta, .yellow, .green],
        on background: Background,
        palette: Palette? = nil
    ) {
        self.styles = Role.allCases.map { styles[$0] ?? .plain }
        self.phases = phases.isEmpty ? Phase.allCases.map { _ in .plain } : phases.map { Style($0) }
        self.background = background
        self.palette = palette ?? Palette(background)
    }

    /// Creates the theme of a published palette. Text keeps the terminal's own colour, which is readable in any case.
    private init(_ colors: PublishedPalette, on background: Background) {
        let styles = Self.roleStyles(
            faint: colors.faint,
            up: colors.green,
            degraded: colors.yellow,
            down: colors.red,
            accent: Style(colors.accent)
        )
        self.init(
            styles,
            phases: [colors.cyan, colors.blue, colors.magenta, colors.yellow, colors.green],
            on: background,
            palette: Palette(
                background: colors.background,
                foreground: colors.foreground,
                sixteen: Palette(background)
            )
        )
    }

    /// Creates a theme with other styles for some roles.
    private init(_ base: Theme, replacing styles: [Role: RoleStyle]) {
        var all = base.styles
        for (role, style) in styles { all[role.rawValue] = Style(style) }
        self.styles = all
        phases = base.phases
        background = base.background
        palette = base.palette
    }

    /// The colour of a phase; plain in a theme without colours.
    func style(of phase: Phase) -> Style {
        Phase.allCases.firstIndex(of: phase).map { phases[$0] } ?? .plain
    }

    /// The colour of a line among others in a chart; plain in a theme without colours.
    func lineStyle(_ index: Int) -> Style {
        // The first ones differ most: cyan, yellow, magenta, green, blue.
        phases[[0, 3, 2, 4, 1][index % 5]]
    }

    private static func roleStyles(
        faint: Color,
        up: Color,
        degraded: Color,
        down: Color,
        accent: Style
    ) -> [Role: Style] {
        [
            .faint: Style(faint), .title: Style(nil, .bold), .up: Style(up), .degraded: Style(degraded),
            .down: Style(down, .bold), .waiting: Style(faint), .accent: accent,
        ]
    }

    private static let dark = roleStyles(faint: .ash, up: .green, degraded: .yellow, down: .red, accent: Style(.cyan))

    private static let light =
        roleStyles(faint: .slate, up: .forest, degraded: .bronze, down: .crimson, accent: Style(.marine))

    /// Blue for up and orange for down, which no type of colour blindness confuses.
    private static let colourBlindDark =
        roleStyles(faint: .ash, up: .sky, degraded: .straw, down: .orange, accent: Style(.orchid))

    private static let colourBlindLight =
        roleStyles(faint: .slate, up: .marine, degraded: .bronze, down: .rust, accent: Style(nil, .underline))

    private static let mono: [Role: Style] = [
        .title: Style(nil, .bold),
        .down: Style(nil, .bold),
        .accent: Style(nil, .underline),
    ]
}

extension Style {
    /// The style of the settings.
    fileprivate init(_ style: RoleStyle) {
        let color: Color? =
            switch style.color {
            case .index(let index): Color(index: index)
            case .rgb(let value): Color(value)
            case nil: nil
            }
        var attributes: Attributes = style.isBold ? .bold : []
        if style.isUnderlined { attributes.insert(.underline) }
        self.init(color, attributes)
    }
}

/// Selects the theme from the command line, the settings and the terminal's background.
struct ThemeSelection: Sendable {
    /// The theme of the command line; it overrides the settings.
    private let forced: ThemeChoice?
    private var choice = ThemeChoice.auto
    private var userThemes: [String: UserTheme] = [:]
    private var background: Background

    init(forced: ThemeChoice?, background: Background) {
        self.forced = forced
        self.background = background
    }

    var theme: Theme { Theme(forced ?? choice, on: background, userThemes: userThemes) }

    mutating func apply(_ settings: Settings) {
        choice = settings.theme
        userThemes = settings.userThemes
    }

    /// Records the background that the terminal has reported.
    ///
    /// - Returns: Whether it differs from the previous one.
    mutating func update(_ background: Background) -> Bool {
        defer { self.background = background }
        return self.background != background
    }
}

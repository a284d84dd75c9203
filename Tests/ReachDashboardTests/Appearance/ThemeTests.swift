import Foundation
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The contrast of each role of each theme.
@Suite struct ThemeTests {
    /// xterm's palette since 1996, the one with the lowest contrasts: pale on white, and dim blue on black.
    private static let xterm: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    /// Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
    private static func contrast(_ one: RGB, _ other: RGB) -> Double {
        let luminance = { (color: RGB) in
            zip([color.red, color.green, color.blue], [0.2126, 0.7152, 0.0722]).reduce(0.0) { sum, part in
                let value = Double(part.0) / 255
                return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
        let (first, second) = (luminance(one), luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    static let cases: [(ThemeChoice, Background)] = [
        (.dark, .dark), (.light, .light), (.colourBlind, .dark), (.colourBlind, .light), (.mono, .dark),
        (.mono, .light), (.catppuccin, .dark), (.catppuccin, .light), (.gruvbox, .dark), (.gruvbox, .light),
        (.nord, .dark), (.solarized, .dark), (.solarized, .light),
    ]

    /// The themes of published palettes, and the least contrast of their roles against the background of the palette: 4.5
    /// where its colours allow it.
    static let published: [(ThemeChoice, Background, Double)] = [
        (.catppuccin, .dark, 4.5), (.catppuccin, .light, 2.3), (.gruvbox, .dark, 4.2), (.gruvbox, .light, 3.3),
        (.nord, .dark, 3), (.solarized, .dark, 3.2), (.solarized, .light, 2.9),
    ]

    private static let own = cases.filter { choice, _ in !published.contains { $0.0 == choice } }

    @Test(arguments: own, Role.allCases)
    func `every role has enough contrast`(theme: (choice: ThemeChoice, background: Background), role: Role) {
        guard let color = Theme(theme.choice, on: theme.background)[role].foreground else { return }
        let paper = RGB(theme.background == .light ? 0xFFFFFF : 0x000000)
        if let tint = color.tint { #expect(Self.contrast(tint.rgb, paper) >= 4.5, "\(role): \(color)") }
        // WCAG requires 3 for large letters or if symbols convey the same, as here. On white, the green and the yellow of this
        // palette have less: a colour that says something else would be worse, and symbols and words say it too.
        let base = color.tint?.base ?? color
        let contrast = Self.contrast(RGB(Self.xterm[Int(base.paletteIndex)]), paper)
        let isPale = (base == .green || base == .yellow) && theme.background == .light
        #expect(contrast >= (isPale ? 1.6 : 3), "\(role): \(base) has \(contrast)")
        let palette = Palette(theme.background)
        #expect(Self.contrast(palette[color], palette.background) >= 4, "\(role) in a picture: \(color)")
    }

    @Test(arguments: published)
    func `a published palette has its contrast`(choice: ThemeChoice, background: Background, least: Double) throws {
        let theme = Theme(choice, on: background)
        #expect(Background(theme.palette.background) == background)
        let contrasts = Role.allCases.compactMap { role in
            theme[role].foreground.map { Self.contrast(theme.palette[$0], theme.palette.background) }
        }
        let lowest = try #require(contrasts.min())
        // Not much above either: a stated contrast that is too low would let a worse colour pass.
        #expect(lowest >= least && lowest < least * 1.3, "\(lowest)")
        #expect(Self.contrast(theme.palette.foreground, theme.palette.background) >= 4.1)
    }

    @Test(arguments: cases)
    func `each health has its own colour`(choice: ThemeChoice, background: Background) {
        guard choice != .mono else { return }
        let theme = Theme(choice, on: background)
        let forms: [(Color) -> Color] = [
            { $0 }, { $0.tint.map { Color(index: $0.index) } ?? $0 }, { $0.tint?.base ?? $0 },
        ]
        for form in forms {
            let colors = [Role.up, .degraded, .down, .waiting].compactMap { theme[$0].foreground.map(form) }
            #expect(Set(colors).count == 4)
        }
    }

    /// The hue in degrees, as in HSV.
    private static func hue(_ color: RGB) -> Double {
        let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        let hue =
            most == red
            ? (green - blue) / (most - least)
            : most == green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least)
        return (hue * 60 + 360).truncatingRemainder(dividingBy: 360)
    }

    @Test(arguments: cases)
    func `each health has its hue, with any number of colours`(choice: ThemeChoice, background: Background) throws {
        guard choice != .mono else { return }
        let theme = Theme(choice, on: background)
        let colors = try [Role.up, .degraded, .down].map { try #require(theme[$0].foreground) }
        let isBlue = choice == .colourBlind
        let bases = colors.map { $0.tint?.base ?? $0 }
        #expect((isBlue ? [.blue, .brightBlue] : [.green, .brightGreen]).contains(bases[0]), "\(bases)")
        #expect([.yellow, .brightYellow].contains(bases[1]), "\(bases)")
        #expect([.red, .brightRed].contains(bases[2]), "\(bases)")
        for form in [{ $0 }, { $0.tint.map { Color(index: $0.index) } ?? $0 }] as [(Color) -> Color] {
            let hues = colors.map { Self.hue(theme.palette[form($0)]) }
            // The greens of gruvbox and Solarized are nearly yellow, their yellows nearly orange.
            #expect(isBlue ? (195...225).contains(hues[0]) : (55...165).contains(hues[0]), "\(hues)")
            #expect((29...57).contains(hues[1]) && abs(hues[0] - hues[1]) >= 11, "\(hues)")
            #expect(hues[2] >= 325 || hues[2] <= 34, "\(hues)")
            let distance = abs(hues[2] - hues[1])
            // Orange and yellow for the colour-blind differ in brightness as well.
            #expect(min(distance, 360 - distance) >= (isBlue ? 9 : 11), "\(hues)")
        }
    }

    @Test func `a palette for dark backgrounds alone is used on both`() {
        #expect(Theme(.nord, on: .light) == Theme(.nord, on: .dark))
        #expect(Theme(.gruvbox, on: .light) != Theme(.gruvbox, on: .dark))
    }

    @Test func `a theme of the user replaces styles of its base`() {
        let mine = UserTheme(
            base: .gruvbox,
            styles: [
                .up: RoleStyle(.rgb(0x00AF5F)), .down: RoleStyle(.index(9), isBold: true, isUnderlined: true),
                .accent: RoleStyle(.index(208)), .faint: RoleStyle(nil),
            ]
        )
        for background in Background.allCases {
            let theme = Theme(.user("mine"), on: background, userThemes: ["mine": mine])
            let base = Theme(.gruvbox, on: background)
            #expect(theme[.up] == Style(Color(0x00AF5F)))
            #expect(theme[.down] == Style(.brightRed, [.bold, .underline]))
            #expect(theme[.accent] == Style(Color(index: 208)))
            #expect(theme[.faint] == .plain)
            #expect(theme[.degraded] == base[.degraded])
            #expect(theme.style(of: .connect) == base.style(of: .connect))
        }
        #expect(Theme(.user("gone"), on: .light) == Theme(.auto, on: .light))
    }

    @Test func `settings read again change the theme of the user, also that of the command line`() {
        for override in [nil, ThemeChoice.user("mine")] {
            var scene = Scene([.make("NAS")], theme: override)
            for color in [RoleStyle.Color.rgb(0x112233), .rgb(0x445566)] {
                var settings = Settings(targets: [.make("NAS")], theme: override == nil ? .user("mine") : .nord)
                settings.userThemes["mine"] = UserTheme(styles: [.up: RoleStyle(color)])
                scene.send(.settings(settings))
                guard case .rgb(let value) = color else { continue }
                #expect(scene.model.appearance[.up] == Style(Color(value)))
            }
        }
    }

    @Test func `auto follows the reported background`() {
        #expect(Theme(.auto, on: .light) == Theme(.light, on: .dark))
        #expect(Theme(.auto, on: .dark) == Theme(.dark, on: .light))
        var scene = Scene([.make("NAS")])
        scene.model.markPainted()
        let before = scene.model.draw()
        scene.send(.background(.light))
        #expect(scene.model.staleness == .urgent)
        #expect(scene.model.draw() != before)
        #expect(scene.model.draw().text == before.text)
        scene.model.markPainted()
        scene.send(.background(.light))
        #expect(scene.model.staleness == .fresh)
    }

    @Test func `a selected theme overrides the reported background`() {
        var scene = Scene([.make("NAS")], theme: .dark)
        let before = scene.model.draw()
        scene.send(.background(.light))
        #expect(scene.model.draw() == before)
    }
}

extension Theme {
    /// A theme with a unique colour for each role, so that the roles can be recovered from a picture.
    static let roles = Theme(
        .user("roles"),
        userThemes: [
            "roles": UserTheme(
                base: .dark,
                styles: [
                    .text: RoleStyle(.index(7)), .faint: RoleStyle(.index(8)), .title: RoleStyle(.index(15)),
                    .up: RoleStyle(.index(10)), .degraded: RoleStyle(.index(11)), .down: RoleStyle(.index(9)),
                    .waiting: RoleStyle(.index(12)), .accent: RoleStyle(.index(13)),
                ]
            )
        ]
    )

    /// The role of a style of ``roles``.
    private static func role(of style: Style) -> Role? {
        Role.allCases.first { roles[$0].foreground == style.foreground }
    }

    /// The phases by their colours in ``roles``.
    private static let phases: [Color: Phase] = [
        .cyan: .resolve, .blue: .connect, .magenta: .tls, .yellow: .processing, .green: .transfer,
    ]

    /// Converts a style of ``roles`` to this theme.
    func style(for style: Style) -> Style {
        guard let foreground = style.foreground else { return style }
        if let style = gradientStyle(for: style) { return style }
        if let phase = Self.phases[foreground] {
            return Style(self.style(of: phase).foreground, style.attributes)
        }
        guard let role = Self.role(of: style) else { return style }
        return Style(self[role].foreground, self[role].attributes.union(style.attributes))
    }

    /// The legend of the letters.
    static let legend = """
        . text  - faint  t title  u up  : up, dimmed  U up, bold  s slow  S slow, bold  d down  w waiting  a accent
        1 resolve  2 connect  3 tls  4 processing  5 transfer  # reversed  @ reversed in its colour
        """

    /// Returns the letter of a style of ``roles``.
    static func letter(of style: Style) -> Character {
        guard let foreground = style.foreground else { return style.attributes.contains(.reversed) ? "#" : " " }
        guard !style.attributes.contains(.reversed) else { return "@" }
        if let letter = gradientLetter(of: style) { return letter }
        guard let role = role(of: style) else {
            let index = phases[foreground].flatMap(Phase.allCases.firstIndex)
            return index.map { Character("\($0 + 1)") } ?? "?"
        }
        switch (role, style.attributes) {
        case (.text, []): return "."
        case (.faint, []): return "-"
        case (.title, []): return "t"
        case (.up, []): return "u"
        case (.up, .faint): return ":"
        case (.up, .bold): return "U"
        case (.degraded, []): return "s"
        case (.degraded, .bold): return "S"
        case (.down, []): return "d"
        case (.waiting, []): return "w"
        case (.accent, []): return "a"
        default: return "?"
        }
    }
}

import Screen

@testable import Dashboard

extension Theme {
    /// A theme with a unique colour for each role, so that the roles can be recovered from a picture.
    static let roles = Theme(
        [
            .text: Style(.white), .faint: Style(.brightBlack), .title: Style(.brightWhite), .up: Style(.brightGreen),
            .degraded: Style(.brightYellow), .down: Style(.brightRed), .waiting: Style(.brightBlue),
            .accent: Style(.brightMagenta),
        ],
        on: .dark
    )

    /// The role of a style of ``roles``.
    private static func role(of style: Style) -> Role? {
        Role.allCases.first { roles[$0].foreground == style.foreground }
    }

    /// Converts a style of ``roles`` to this theme. Phases have their own colours, except in themes without colours.
    func style(for style: Style) -> Style {
        guard let foreground = style.foreground else { return style }
        guard let role = Self.role(of: style) else {
            return Style(self[.accent].foreground == nil ? nil : foreground, style.attributes)
        }
        return Style(self[role].foreground, self[role].attributes.union(style.attributes))
    }

    /// The legend of the letters.
    static let legend = """
        . text  - faint  t title  u up  : up, dimmed  U up, bold  s slow  d down  w waiting  a accent
        1 resolve  2 connect  3 tls  4 processing  5 transfer  # reversed  @ reversed in its colour
        """

    /// Returns the letter of a style of ``roles``.
    static func letter(of style: Style) -> Character {
        guard let foreground = style.foreground else { return style.attributes.contains(.reversed) ? "#" : " " }
        guard !style.attributes.contains(.reversed) else { return "@" }
        guard let role = role(of: style) else {
            let phases: [Color: Character] = [.cyan: "1", .blue: "2", .magenta: "3", .yellow: "4", .green: "5"]
            return phases[foreground] ?? "?"
        }
        switch (role, style.attributes) {
        case (.text, []): return "."
        case (.faint, []): return "-"
        case (.title, []): return "t"
        case (.up, []): return "u"
        case (.up, .faint): return ":"
        case (.up, .bold): return "U"
        case (.degraded, []): return "s"
        case (.down, []): return "d"
        case (.waiting, []): return "w"
        case (.accent, []): return "a"
        default: return "?"
        }
    }
}

import Monitoring
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

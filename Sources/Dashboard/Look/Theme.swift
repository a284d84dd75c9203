public import Monitoring
public import Screen

/// Role → style. Sixteen palette colours and no painted background, so that light, dark and transparent terminals
/// stay readable.
public struct Theme: Sendable, Hashable {
    private let styles: [Role: Style]

    /// The look of a role.
    public subscript(role: Role) -> Style {
        styles[role] ?? .plain
    }

    /// The theme that the settings ask for.
    public init(_ choice: ThemeChoice) {
        var styles: [Role: Style] = [
            .text: .plain,
            .faint: Style(.brightBlack),
            .title: Style(nil, .bold),
            .up: Style(.green),
            .degraded: Style(.yellow),
            .down: Style(.red, .bold),
            .waiting: Style(.brightBlack),
            .accent: Style(.cyan),
        ]
        switch choice {
        case .auto, .dark, .light:
            break
        case .colourBlind:
            styles[.up] = Style(.blue)
            styles[.degraded] = Style(.cyan)
            styles[.down] = Style(.yellow, .bold)
            styles[.accent] = Style(.magenta)
        case .mono:
            styles = [
                .text: .plain, .faint: .plain, .title: Style(nil, .bold), .up: .plain, .degraded: .plain,
                .down: Style(nil, .bold), .waiting: .plain, .accent: Style(nil, .underline),
            ]
        }
        self.styles = styles
    }
}

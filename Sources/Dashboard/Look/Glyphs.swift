import Monitoring

/// The characters that the screen is drawn with: Unicode's, or ASCII's for terminals that have no others.
public struct Glyphs: Sendable, Hashable {
    let up: Character
    let degraded: Character
    let down: Character
    let blocked: Character
    let paused: Character
    /// Stands beside the health that changes too often.
    let flapping: Character
    let unknown: Character
    let loss: Character
    /// A column of a sparkline whose value is above the scale.
    let clipped: Character
    /// The columns of a sparkline, lowest first.
    let levels: [Character]
    let rule: Character
    let unfolded: Character
    let folded: Character
    let selection: Character
    let ellipsis: Character
    let ascending: Character
    let descending: Character
    /// Stands where there is no figure.
    let none: Character
    let hook: Character
    let fault: Character
    let cursor: Character

    /// Circles, blocks and box drawing.
    public static let unicode = Glyphs(
        up: "●",
        degraded: "◐",
        down: "○",
        blocked: "◌",
        paused: "‖",
        flapping: "~",
        unknown: "?",
        loss: "×",
        clipped: "▲",
        levels: Array("▁▂▃▄▅▆▇█"),
        rule: "─",
        unfolded: "▾",
        folded: "▸",
        selection: "▸",
        ellipsis: "…",
        ascending: "▲",
        descending: "▼",
        none: "–",
        hook: "⚑",
        fault: "!",
        cursor: "▏"
    )

    /// What the fonts of Linux's console have, which are those of the IBM PC with few more (code page 437).
    public static let console = Glyphs(
        up: "•",
        degraded: "◘",
        down: "○",
        blocked: "·",
        paused: "=",
        flapping: "~",
        unknown: "?",
        loss: "x",
        clipped: "▲",
        levels: Array("_▄█"),
        rule: "─",
        unfolded: "▼",
        folded: "►",
        selection: "►",
        ellipsis: "~",
        ascending: "▲",
        descending: "▼",
        none: "-",
        hook: "*",
        fault: "!",
        cursor: "_"
    )

    /// Nothing but printable ASCII.
    public static let ascii = Glyphs(
        up: "+",
        degraded: "~",
        down: "-",
        blocked: ".",
        paused: "=",
        flapping: "~",
        unknown: "?",
        loss: "x",
        clipped: "^",
        levels: Array("_.,:-=*#"),
        rule: "-",
        unfolded: "v",
        folded: ">",
        selection: ">",
        ellipsis: "~",
        ascending: "^",
        descending: "v",
        none: "-",
        hook: "*",
        fault: "!",
        cursor: "_"
    )

    func glyph(of health: Health) -> Character {
        switch health {
        case .unknown: unknown
        case .up: up
        case .degraded: degraded
        case .down: down
        }
    }
}

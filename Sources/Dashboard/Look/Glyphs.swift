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
    /// A character for each set of the eight dots of a braille cell, by Unicode's numbers for them.
    let dots: [Character]
    /// The five shades of a stacked bar.
    let shades: [Character]
    /// A level that is worth seeing across a chart.
    let limit: Character
    /// The cells of the wall's targets that are up, from fast to slow; the first two differ by their shade.
    let cells: [Character]
    /// The same where no shade of a colour tells them apart.
    let plainCells: [Character]
    let rule: Character
    /// The edge, the corner and the marks of a chart's axes.
    let edge: Character
    let corner: Character
    let tick: Character
    let minus: Character
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
    /// The words for arrows, where there are none.
    let arrows: [Character: String]
    /// What stands for other characters that texts of ours have and the terminal lacks, each a column wide.
    let substitutes: [Character: Character]

    /// A text of ours about keys, with words for the arrows where there are none.
    func spelled(_ text: String) -> String {
        guard !arrows.isEmpty else { return text }
        return text.map { arrows[$0] ?? String($0) }.joined()
    }

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
        dots: (0..<256).map { Unicode.Scalar(0x2800 + $0).map(Character.init) ?? " " },
        shades: Array("░▒▓█▚"),
        limit: "┄",
        cells: Array("▪▪■▣"),
        plainCells: Array("▫▪□■"),
        rule: "─",
        edge: "│",
        corner: "└",
        tick: "┴",
        minus: "−",
        unfolded: "▾",
        folded: "▸",
        selection: "▸",
        ellipsis: "…",
        ascending: "▲",
        descending: "▼",
        none: "–",
        hook: "⚑",
        fault: "!",
        cursor: "▏",
        arrows: [:],
        substitutes: [:]
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
        // No more than which half of the character has dots: 0x1B is the upper one.
        dots: (0..<256).map { $0 & 0x1B == 0 ? "▄" : $0 & 0xE4 == 0 ? "▀" : "█" },
        shades: Array("░▒▓█▌"),
        limit: "-",
        cells: Array("++%■"),
        plainCells: Array(":+%■"),
        rule: "─",
        edge: "│",
        corner: "└",
        tick: "┴",
        minus: "-",
        unfolded: "▼",
        folded: "►",
        selection: "►",
        ellipsis: "~",
        ascending: "▲",
        descending: "▼",
        none: "-",
        hook: "*",
        fault: "!",
        cursor: "_",
        arrows: [:],
        substitutes: ["…": "~", "–": "-", "−": "-"]
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
        // No more than which half of the character has dots: 0x1B is the upper one.
        dots: (0..<256).map { $0 & 0x1B == 0 ? "." : $0 & 0xE4 == 0 ? "'" : ":" },
        shades: Array("rcspt"),
        limit: "-",
        cells: Array("++%#"),
        plainCells: Array(":+%#"),
        rule: "-",
        edge: "|",
        corner: "+",
        tick: "+",
        minus: "-",
        unfolded: "v",
        folded: ">",
        selection: ">",
        ellipsis: "~",
        ascending: "^",
        descending: "v",
        none: "-",
        hook: "*",
        fault: "!",
        cursor: "_",
        arrows: ["↑": "up", "↓": "down", "←": "left", "→": "right"],
        substitutes: ["…": "~", "–": "-", "−": "-"]
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

import ReachMonitoring

/// The characters of the screen: a set for Unicode terminals, one for the Linux console, and one of ASCII only.
public struct Glyphs: Sendable, Hashable {
    let up: Character
    let degraded: Character
    let down: Character
    let blocked: Character
    let paused: Character
    /// Marks the health of a flapping target.
    let flapping: Character
    /// Marks the health of an acknowledged target.
    let acknowledged: Character
    /// Marks a target whose vantage points disagree.
    let disputed: Character
    /// Marks the health of a target in maintenance.
    let maintenance: Character
    let unknown: Character
    let loss: Character
    /// The columns of a sparkline in which some of several probes were lost, lowest round trip first: narrower than
    /// ``levels``, since a part of the replies is missing.
    let partLosses: [Character]
    /// The shares of lost probes below a chart, lowest first.
    let losses: [Character]
    /// A column of a sparkline whose value is above the scale.
    let clipped: Character
    /// The columns of a sparkline, lowest first.
    let levels: [Character]
    /// A character for each combination of the eight dots of a braille cell, indexed by Unicode's dot bits.
    let dots: [Character]
    /// A thin bar of a histogram and of a phase.
    let bar: Character
    /// The longest round trip in a chart.
    let maximum: Character
    /// A horizontal line across a chart, such as the limit of slow replies.
    let limit: Character
    /// The wall's cells of targets that are up, from fast to slow.
    let cells: [Character]
    /// The cells of a heat row without colours, from short to long round trips.
    let heat: [Character]
    /// The slices of a strip: down, degraded, up, not watched.
    let slices: [Character]
    let rule: Character
    /// The left edge of a chart; ``corner`` and ``tick`` complete its axes.
    let edge: Character
    let corner: Character
    /// A line that branches off to the right.
    let branch: Character
    let tick: Character
    let minus: Character
    let unfolded: Character
    let folded: Character
    let selection: Character
    /// Marks a target for a comparison.
    let marked: Character
    let ellipsis: Character
    let ascending: Character
    let descending: Character
    /// The placeholder for a missing figure.
    let none: Character
    let hook: Character
    let fault: Character
    /// Marks an event of a path, and a changed path in charts.
    let path: Character
    /// Marks a lasting change of the usual round trips, as an event and below charts.
    let shift: Character
    /// The line of such a change in a chart.
    let dashes: Character
    /// Marks an event that is neither of a health, of a path nor of a hook.
    let event: Character
    let cursor: Character
    /// Words in place of arrows, for terminals without them.
    let arrows: [Character: String]
    /// One-column substitutes for other characters of the program's texts that the terminal lacks.
    let substitutes: [Character: Character]

    /// Whether ``dots`` are all different.
    var isBraille: Bool { dots[0x01] != dots[0x02] }

    /// Returns a text of the program with the substitutes of characters that the terminal lacks.
    public func substituted(in text: String) -> String {
        substitutes.isEmpty ? text : String(text.map { substitutes[$0] ?? $0 })
    }

    /// Returns a text about keys with the arrows replaced by words, if the terminal has no arrows.
    func spelled(_ text: String) -> String {
        guard !arrows.isEmpty else { return text }
        return text.map { arrows[$0] ?? String($0) }.joined()
    }

    /// Unicode: circles, blocks, box drawing and braille.
    public static let unicode = Glyphs(
        up: "●",
        degraded: "◐",
        down: "○",
        blocked: "◌",
        paused: "‖",
        flapping: "~",
        acknowledged: "✓",
        disputed: "≠",
        maintenance: "◊",
        unknown: "?",
        loss: "×",
        partLosses: Array("⡀⡄⡆⡇"),
        losses: Array("▁▂▃▄▅▆"),
        clipped: "▲",
        levels: Array("▁▂▃▄▅▆▇█"),
        dots: (0..<256).map { Unicode.Scalar(0x2800 + $0).map(Character.init) ?? " " },
        bar: "━",
        maximum: "⠂",
        limit: "┄",
        cells: Array("▫▪■▣"),
        heat: Array("░▒▓█"),
        slices: Array("█▆▄·"),
        rule: "─",
        edge: "│",
        corner: "└",
        branch: "├",
        tick: "┴",
        minus: "−",
        unfolded: "▾",
        folded: "▹",
        selection: "▸",
        marked: "◆",
        ellipsis: "…",
        ascending: "▲",
        descending: "▼",
        none: "–",
        hook: "⚑",
        fault: "!",
        path: "⇄",
        shift: "△",
        dashes: "┆",
        event: "·",
        cursor: "▏",
        arrows: [:],
        substitutes: [:]
    )

    /// The Linux console, whose fonts have little more than the IBM PC's code page 437.
    public static let console = Glyphs(
        up: "•",
        degraded: "◘",
        down: "○",
        blocked: "·",
        paused: "=",
        flapping: "≈",
        acknowledged: "√",
        disputed: "±",
        maintenance: "§",
        unknown: "?",
        loss: "x",
        partLosses: Array("i│"),
        losses: Array("_▄█"),
        clipped: "▲",
        levels: Array("_▄█"),
        // Only which half of the character has dots: 0x1B is the mask of the upper half.
        dots: (0..<256).map { $0 & 0x1B == 0 ? "▄" : $0 & 0xE4 == 0 ? "▀" : "█" },
        bar: "═",
        maximum: "·",
        limit: "-",
        cells: Array(":+%■"),
        heat: Array("░▒▓█"),
        slices: Array("█▄_:"),
        rule: "─",
        edge: "│",
        corner: "└",
        branch: "├",
        tick: "┴",
        minus: "-",
        unfolded: "▼",
        folded: "+",
        selection: "►",
        marked: "♦",
        ellipsis: "~",
        ascending: "▲",
        descending: "▼",
        none: "-",
        hook: "*",
        fault: "!",
        path: "↔",
        shift: "▲",
        dashes: "│",
        event: ":",
        cursor: "_",
        arrows: [:],
        substitutes: ["…": "~", "–": "-", "−": "-"]
    )

    /// Printable ASCII only.
    public static let ascii = Glyphs(
        up: "+",
        degraded: "~",
        down: "-",
        blocked: ".",
        paused: "=",
        flapping: "&",
        acknowledged: "#",
        disputed: "/",
        maintenance: "m",
        unknown: "?",
        loss: "x",
        partLosses: Array("i|"),
        losses: Array("_.:-=#"),
        clipped: "^",
        levels: Array("_.,:-=*#"),
        // Only which half of the character has dots: 0x1B is the mask of the upper half.
        dots: (0..<256).map { $0 & 0x1B == 0 ? "." : $0 & 0xE4 == 0 ? "'" : ":" },
        bar: "=",
        maximum: "'",
        limit: "-",
        cells: Array(":+%#"),
        heat: Array(":+%#"),
        slices: Array("#~_:"),
        rule: "-",
        edge: "|",
        corner: "+",
        branch: "|",
        tick: "+",
        minus: "-",
        unfolded: "v",
        folded: "+",
        selection: ">",
        marked: "*",
        ellipsis: "~",
        ascending: "^",
        descending: "v",
        none: "-",
        hook: "*",
        fault: "!",
        path: "@",
        shift: "^",
        dashes: "|",
        event: ":",
        cursor: "_",
        arrows: ["↑": "up", "↓": "down", "←": "left", "→": "right"],
        substitutes: ["…": "~", "–": "-", "−": "-", "·": "|", "µ": "u", "←": "<"]
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

extension [Character] {
    /// The character of a share of lost probes, lowest first. It grows with the square root of the share, so that a few
    /// lost probes are visible and differ from many.
    func element(ofShare share: Double) -> Character {
        self[Swift.max(0, Swift.min(count, Int((share.squareRoot() * Double(count)).rounded(.up))) - 1)]
    }
}

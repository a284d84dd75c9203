import ReachMonitoring
import ReachScreen

/// A cell of the wall. It shows the worst of its targets.
struct WallCell {
    /// The position of the worst target: failing first, then paused or blocked, then the longest round trip.
    let position: Int
    /// All targets of the cell.
    let targets: ArraySlice<Int>
    private let worst: TargetSummary
    private let level: Int
    private let levelCount: Int

    /// Creates the cell of targets, by their positions in the target states; nil without targets.
    init?(_ positions: ArraySlice<Int>, of summaries: [TargetSummary], scale: WallScale) {
        guard var position = positions.first else { return nil }
        var level = Self.level(of: summaries[position], scale)
        for other in positions.dropFirst() {
            let otherLevel = Self.level(of: summaries[other], scale)
            let (urgency, otherUrgency) = (Self.urgency(of: summaries[position]), Self.urgency(of: summaries[other]))
            if (otherUrgency, -otherLevel) < (urgency, -level) {
                (position, level) = (other, otherLevel)
            }
        }
        levelCount = scale.count
        (self.position, targets, worst, self.level) = (position, positions, summaries[position], level)
    }

    /// The level of a target that is up. It depends on the last reply only, since statistics of thousands are
    /// expensive.
    private static func level(of summary: TargetSummary, _ scale: WallScale) -> Int {
        summary.roundTrip.map(scale.level) ?? 0
    }

    /// The order of the targets of a cell, the worst first.
    private static func urgency(of summary: TargetSummary) -> Int {
        summary.needsAttention ? min(summary.urgency, Health.degraded.urgency) : summary.urgency
    }

    func glyph(_ appearance: Appearance) -> Character {
        if let mark = mark(appearance.glyphs) { return mark.glyph }
        return isUp ? Self.glyph(ofLevel: level, appearance) : worst.glyph(appearance.glyphs)
    }

    /// The mark of the target, unless it is down: then the cell is filled.
    private func mark(_ glyphs: Glyphs) -> (glyph: Character, role: Role)? {
        worst.role == .down ? nil : worst.mark(glyphs)
    }

    func style(_ appearance: Appearance) -> Style {
        if let mark = mark(appearance.glyphs) { return appearance[mark.role] }
        guard !isUp else { return Self.style(ofLevel: level, of: levelCount, appearance) }
        var style = appearance[worst.role]
        // The signs of failing targets are thin: among thousands, only a filled cell stands out.
        if worst.role == .down { style.attributes.insert(.reversed) }
        return style
    }

    private var isUp: Bool { !worst.isPausedOrBlocked && worst.health == .up }

    static func glyph(ofLevel level: Int, _ appearance: Appearance) -> Character {
        appearance.glyphs.cells[level]
    }

    /// Fast targets are dimmed, so that failing ones stand out.
    static func style(ofLevel level: Int, of count: Int, _ appearance: Appearance) -> Style {
        var style = appearance[.up]
        if level == 0 { style.attributes.insert(.faint) }
        if level == count - 1 { style.attributes.insert(.bold) }
        return style
    }
}

extension Appearance {
    /// Whether the theme has colours.
    var hasColours: Bool { self[.up].foreground != nil }

    /// The style of a target's name on the wall. Without colours, failing targets are reversed, so that they stand out.
    func wallStyle(of summary: TargetSummary) -> Style {
        var style = self[summary.role]
        if summary.role == .down, !hasColours { style.attributes.insert(.reversed) }
        return style
    }
}

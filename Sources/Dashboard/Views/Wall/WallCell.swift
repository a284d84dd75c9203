import Monitoring
import Screen

/// What a cell of the wall shows: the worst of its targets.
struct WallCell {
    /// Round trips from which on a target that is up has the next of the wall's levels.
    static let levels: [Duration] = [.milliseconds(10), .milliseconds(50), .milliseconds(200)]

    /// The place of the target that is worst off: failing first, then what is not watched, then the longest round trip.
    let position: Int
    /// All that it stands for.
    let targets: ArraySlice<Int>
    private let worst: Glance
    private let level: Int

    /// The cell of targets by their places among the standings, of which there has to be one.
    init?(_ positions: ArraySlice<Int>, of glances: [Glance]) {
        guard var position = positions.first else { return nil }
        var level = Self.level(of: glances[position])
        for other in positions.dropFirst() {
            let otherLevel = Self.level(of: glances[other])
            if (glances[other].urgency, -otherLevel) < (glances[position].urgency, -level) {
                (position, level) = (other, otherLevel)
            }
        }
        (self.position, targets, worst, self.level) = (position, positions, glances[position], level)
    }

    /// The brightness of a target that is up, from its last answer alone: statistics of thousands are not free.
    private static func level(of glance: Glance) -> Int {
        guard let roundTrip = glance.roundTrip else { return 0 }
        return levels.count { $0 <= roundTrip }
    }

    func glyph(_ look: Look) -> Character {
        isUp ? Self.glyph(ofLevel: level, look) : worst.glyph(look.glyphs)
    }

    func style(_ look: Look) -> Style {
        isUp ? Self.style(ofLevel: level, look) : look[worst.role]
    }

    private var isUp: Bool { !worst.isOutOfUse && worst.health == .up }

    static func glyph(ofLevel level: Int, _ look: Look) -> Character {
        (look[.up].foreground == nil ? look.glyphs.plainCells : look.glyphs.cells)[level]
    }

    /// Fast ones recede, so that whatever fails stands out.
    static func style(ofLevel level: Int, _ look: Look) -> Style {
        var style = look[.up]
        if level == 0 { style.attributes.insert(.faint) }
        if level == levels.count { style.attributes.insert(.bold) }
        return style
    }
}

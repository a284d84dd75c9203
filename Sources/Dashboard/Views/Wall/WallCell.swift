import Monitoring
import Screen

/// What a cell of the wall shows: the worst of its targets.
struct WallCell {
    /// Round trips from which on a target that is up has the next of the wall's levels.
    static let levels: [Duration] = [.milliseconds(10), .milliseconds(50), .milliseconds(200)]

    /// The target that is worst off: failing first, then what is not watched, then the longest round trip.
    let worst: Standing

    /// The cell of targets, of which there has to be one.
    init?(_ targets: ArraySlice<Standing>) {
        guard var index = targets.indices.first else { return nil }
        if targets.count > 1 {
            var least = Self.rank(targets[index])
            for other in targets.indices.dropFirst() {
                let rank = Self.rank(targets[other])
                if rank < least { (index, least) = (other, rank) }
            }
        }
        worst = targets[index]
    }

    private static func rank(_ standing: Standing) -> (Int, Int) {
        (standing.urgency, -level(of: standing))
    }

    /// The brightness of a target that is up, from its last answer alone: statistics of thousands are not free.
    private static func level(of standing: Standing) -> Int {
        guard let roundTrip = standing.lastReply?.roundTrip else { return 0 }
        return levels.count { $0 <= roundTrip }
    }

    func glyph(_ look: Look) -> Character {
        isUp ? Self.glyph(ofLevel: Self.level(of: worst), look) : worst.glyph(look.glyphs)
    }

    func style(_ look: Look) -> Style {
        isUp ? Self.style(ofLevel: Self.level(of: worst), look) : look[worst.role]
    }

    private var isUp: Bool { !worst.isOutOfUse && worst.health == .up }

    static func glyph(ofLevel level: Int, _ look: Look) -> Character {
        guard look[.up].foreground != nil else { return look.glyphs.plainCells[level] }
        return level < 2 ? look.glyphs.fastCell : look.glyphs.slowCell
    }

    /// Fast ones recede, so that whatever fails stands out.
    static func style(ofLevel level: Int, _ look: Look) -> Style {
        var style = look[.up]
        if level == 0 { style.attributes.insert(.faint) }
        if level == levels.count { style.attributes.insert(.bold) }
        return style
    }
}

import Monitoring
import Screen

/// The legend of the symbols and colours.
struct HelpLegend: DetailPart {
    let appearance: Appearance

    let title = "Symbols"

    func lines(width: Int) -> [[Segment]] {
        let glyphs = appearance.glyphs
        let health: [(Character, Role, String)] = [
            (glyphs.up, .up, "up"), (glyphs.degraded, .degraded, "degraded"), (glyphs.down, .down, "down"),
            (glyphs.unknown, .waiting, "unknown"), (glyphs.paused, .waiting, "paused"),
            (glyphs.blocked, .waiting, "blocked"),
        ]
        let others: [(Character, Role, String)] = [
            (glyphs.flapping, .degraded, "flapping"), (glyphs.acknowledged, .accent, "acknowledged"),
            (glyphs.disputed, .degraded, "disputed"), (glyphs.maintenance, .accent, "maintenance"),
            (glyphs.fault, .down, "fault"),
            (glyphs.hook, .accent, "hook armed or running"),
            (glyphs.loss, .down, "all probes lost"), (glyphs.partLosses.last ?? glyphs.loss, .down, "some lost"),
            (glyphs.clipped, .degraded, "above the scale"), (glyphs.maximum, .faint, "maximum of several probes"),
            (glyphs.unfolded, .title, "group"), (glyphs.folded, .title, "folded group"),
        ]
        let symbols = [health, others].flatMap { symbols in
            symbols.map { [Segment("\($0) ", appearance[$1]), Segment($2, appearance[.text])] }.flowing(
                width: width,
                gap: 2
            )
        }
        let pending = [
            Segment("up ", appearance[.up]), Segment("2/3", appearance[.degraded]),
            Segment(" two of the three losses until it is down", appearance[.text]),
        ]
        let figures = [Segment("P95, LOSS and JITTER cover the last 100 probes", appearance[.faint])]
        return symbols + [pending, figures]
    }
}

import Screen

/// What the signs and colours of the screen mean.
struct HelpLegend: DetailPart {
    let look: Look

    let title = "Signs"

    func lines(width: Int) -> [[Segment]] {
        let glyphs = look.glyphs
        let health: [(Character, Role, String)] = [
            (glyphs.up, .up, "up"), (glyphs.degraded, .degraded, "degraded"), (glyphs.down, .down, "down"),
            (glyphs.unknown, .waiting, "unknown"), (glyphs.paused, .waiting, "paused"),
            (glyphs.blocked, .waiting, "blocked: what it depends on is down"),
        ]
        let others: [(Character, Role, String)] = [
            (glyphs.flapping, .degraded, "flapping"), (glyphs.fault, .down, "cannot be asked"),
            (glyphs.hook, .accent, "hook armed or running"),
            (glyphs.loss, .down, "lost probe"), (glyphs.clipped, .degraded, "above the scale"),
        ]
        let signs = [health, others].flatMap { signs in
            signs.map { [Segment("\($0) ", look[$1]), Segment($2, look[.text])] }.flowing(width: width, gap: 2)
        }
        let pending = [
            Segment("up ", look[.up]), Segment("2/3", look[.degraded]),
            Segment(" two of the three losses that take it down", look[.text]),
        ]
        let figures = [Segment("P95, LOSS and JITTER cover the last 100 probes", look[.faint])]
        return signs + [pending, figures]
    }
}

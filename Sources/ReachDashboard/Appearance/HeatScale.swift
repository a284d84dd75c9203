import ReachMonitoring
import ReachScreen

/// The colours of heat rows: greens that grow lighter with the round trip, then yellow and orange for round trips above the
/// usual ones of the row. The colour of the role `down` is kept for losses.
struct HeatScale: Sendable, Hashable {
    /// The number of greens for usual round trips.
    static let greens = 4
    /// The number of all levels: after the greens, a little longer than usual, longer, and much longer.
    static let levels = greens + 3
    /// The lower bounds of the greens after the first.
    private static let bounds: [Int64] = [1_000_000, 4_000_000, 20_000_000]
    /// The growth above the usual round trip from which on the levels after the greens begin. It is a share of the usual
    /// round trip, so that a level means the same near and far away.
    private static let growths = [0.35, 0.7, 1.4]
    /// What is added to the usual round trip before, so that the noise of short round trips is none.
    private static let noise: Int64 = 1_000_000
    /// The share of the role `up` in each green; the rest is the background.
    private static let shares = [0.3, 0.45, 0.62, 0.82]

    /// The style of each level; plain if the theme lacks a colour.
    let styles: [Style]

    /// Creates the scale of a theme.
    init(_ theme: Theme) {
        guard let up = theme[.up].foreground, let degraded = theme[.degraded].foreground,
            let down = theme[.down].foreground
        else {
            styles = Array(repeating: .plain, count: Self.levels)
            return
        }
        let palette = theme.palette
        let color = { (role: Color, other: RGB, share: Double) in
            Style(Color(palette[role].mixed(with: other, share), base: role.tint?.base ?? role))
        }
        styles =
            Self.shares.map { color(up, palette.background, 1 - $0) }
            + [
                color(up, palette[degraded], 0.4), color(degraded, palette[degraded], 0),
                color(degraded, palette[down], 0.4),
            ]
    }

    /// The level of a round trip, in nanoseconds.
    ///
    /// - Parameters:
    ///   - usual: the usual round trip of the row.
    ///   - slow: the limit from which on it is much longer in any case.
    static func level(of roundTrip: Int64, usual: Int64, slow: Int64? = nil) -> Int {
        if let slow, roundTrip > slow { return levels - 1 }
        let growth = Double(roundTrip - usual) / Double(usual + noise)
        let above = growths.count { growth >= $0 }
        return above > 0 ? greens - 1 + above : bounds.count { $0 <= min(roundTrip, usual) }
    }
}

extension Appearance {
    /// The character of a level of heat. With colours, cells are filled; otherwise, fuller characters are longer round trips.
    func heatGlyph(ofLevel level: Int) -> Character {
        let glyphs = glyphs.heat
        guard !hasColours || glyphs[0].isASCII else { return glyphs[glyphs.count - 1] }
        return glyphs[level * glyphs.count / HeatScale.levels]
    }
}

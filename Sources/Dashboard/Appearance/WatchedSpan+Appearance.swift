import Monitoring
import Screen

extension WatchedSpan.State {
    /// The character of a slice whose worst state this is. Outages stand out without colours too.
    func glyph(_ glyphs: Glyphs) -> Character {
        switch self {
        case .down: glyphs.slices[0]
        case .degraded: glyphs.slices[1]
        case .up: glyphs.slices[2]
        case .unknown: glyphs.unknown
        case .blocked: glyphs.blocked
        case .paused: glyphs.paused
        case .maintenance: glyphs.maintenance
        case .unwatched: glyphs.slices[3]
        }
    }

    /// The role of such a slice. Time without a verdict is quiet.
    var role: Role {
        switch self {
        case .down: .down
        case .degraded: .degraded
        case .up: .up
        case .unknown, .blocked, .paused, .maintenance: .waiting
        case .unwatched: .faint
        }
    }
}

extension [WatchedSpan.State] {
    /// The cells of a strip.
    func cells(_ appearance: Appearance) -> [Cell] {
        map { Cell(narrow: $0.glyph(appearance.glyphs), appearance[$0.role]) }
    }

    /// The segments of a strip, one for each run of equal states.
    func segments(_ appearance: Appearance) -> [Segment] {
        var segments: [Segment] = []
        var first = 0
        for index in indices where index + 1 == count || self[index + 1] != self[index] {
            let text = String(repeating: self[index].glyph(appearance.glyphs), count: index + 1 - first)
            segments.append(Segment(text, appearance[self[index].role]))
            first = index + 1
        }
        return segments
    }
}

extension Role {
    /// The role of an availability, 0…1.
    init(availability: Double) {
        self = availability < 0.99 ? .down : availability < 0.999 ? .degraded : .faint
    }
}

extension Segment {
    /// An availability, or the mark of a missing figure.
    init(availability: Double?, _ appearance: Appearance) {
        if let availability {
            self.init(availability.availabilityText, appearance[Role(availability: availability)])
        } else {
            self.init(String(appearance.glyphs.none), appearance[.faint])
        }
    }
}

import Monitoring

extension Glance {
    func glyph(_ glyphs: Glyphs) -> Character {
        isPaused ? glyphs.paused : isBlocked ? glyphs.blocked : glyphs.glyph(of: health)
    }

    var role: Role {
        isOutOfUse ? .waiting : health.role
    }

    /// Failing first; what is not watched comes before what is well.
    var urgency: Int {
        isOutOfUse ? 2 : health.urgency
    }
}

extension Standing {
    func glyph(_ glyphs: Glyphs) -> Character { glance.glyph(glyphs) }

    var role: Role { glance.role }

    /// How the target is, in a word.
    var word: String {
        isPaused ? "paused" : isBlocked ? "blocked" : health.rawValue
    }

    /// Whether nothing is said of the target now: it is paused or blocked.
    var isOutOfUse: Bool { glance.isOutOfUse }
}

extension Health {
    var role: Role {
        switch self {
        case .unknown: .waiting
        case .up: .up
        case .degraded: .degraded
        case .down: .down
        }
    }

    /// Failing first.
    var urgency: Int {
        switch self {
        case .down: 0
        case .degraded: 1
        case .unknown: 3
        case .up: 4
        }
    }
}

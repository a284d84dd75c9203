import Monitoring

extension Standing {
    func glyph(_ glyphs: Glyphs) -> Character {
        isPaused ? glyphs.paused : glyphs.glyph(of: health)
    }

    var role: Role {
        isPaused ? .waiting : health.role
    }
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

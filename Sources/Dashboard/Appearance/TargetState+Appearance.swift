import Monitoring

extension TargetSummary {
    func glyph(_ glyphs: Glyphs) -> Character {
        isPaused ? glyphs.paused : isBlocked ? glyphs.blocked : glyphs.glyph(of: health)
    }

    var role: Role {
        isPausedOrBlocked || isExpectedFailure ? .waiting : health.role
    }

    /// The sort key by health: failing targets first, then disputed ones, expected failures, paused and blocked ones, unknown
    /// and up.
    var urgency: Int {
        isPausedOrBlocked ? 4 : isExpectedFailure ? 3 : isDisputed && health == .up ? 2 : health.urgency
    }

    /// Whether the target is down or degraded, and acknowledged or in maintenance. It stands out less than other failing
    /// ones.
    private var isExpectedFailure: Bool {
        isFailureExpected && health.isFailure
    }
}

extension TargetState {
    func glyph(_ glyphs: Glyphs) -> Character { targetSummary.glyph(glyphs) }

    var role: Role { targetSummary.role }

    /// The health, or `paused` or `blocked`.
    var healthName: String {
        isPaused ? "paused" : isBlocked ? "blocked" : health.rawValue
    }

    /// Whether the target is paused or blocked, so that its figures are not shown.
    var isPausedOrBlocked: Bool { targetSummary.isPausedOrBlocked }
}

extension Health {
    /// Whether the target does not reply, or not as it should.
    var isFailure: Bool { self == .down || self == .degraded }

    var role: Role {
        switch self {
        case .unknown: .waiting
        case .up: .up
        case .degraded: .degraded
        case .down: .down
        }
    }

    /// The sort key by health: failing first.
    var urgency: Int {
        switch self {
        case .down: 0
        case .degraded: 1
        case .unknown: 5
        case .up: 6
        }
    }
}

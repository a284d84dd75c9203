import ReachMonitoring
import ReachScreen

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

extension TargetSummary {
    /// Whether something besides the health needs attention: this machine cannot probe the target, or it is flapping.
    var needsAttention: Bool { !isPausedOrBlocked && (isFaulty || isFlapping) }

    /// The mark after the name of a target where there is no column for its health: it cannot be probed, or is
    /// acknowledged, in maintenance, flapping or disputed, or its outage has a common cause.
    func mark(_ glyphs: Glyphs) -> (glyph: Character, role: Role)? {
        if isPausedOrBlocked { return nil }
        if isFaulty { return (glyphs.fault, .down) }
        if isAcknowledged { return (glyphs.acknowledged, .accent) }
        if isInMaintenance { return (glyphs.maintenance, .accent) }
        if isFlapping { return (glyphs.flapping, .degraded) }
        if isExplained { return (glyphs.path, .accent) }
        return isDisputed ? (glyphs.disputed, .degraded) : nil
    }
}

extension TargetState {
    /// The mark after the name, with a blank before it; empty if there is none.
    func mark(_ appearance: Appearance) -> [Segment] {
        targetSummary.mark(appearance.glyphs).map { [Segment(" \($0.glyph)", appearance[$0.role])] } ?? []
    }

    /// Why the target is not up, in so many columns if possible, or what its last reply says.
    func cause(fitting columns: Int, at now: Duration) -> String? {
        if isPaused { return nil }
        if let blockedBy, isBlocked { return blockedBy.summary }
        if let fault { return fault.detail }
        if let acknowledgement { return acknowledgement.reason }
        if let failure { return failure.text(fitting: columns) }
        if let loss = excessLoss(fitting: columns) { return loss }
        if targetSummary.isSlow, let limit = target.thresholds.slow, !isLosing { return "> \(limit.roundTripText)" }
        guard let answer else { return remark }
        return answer.concern == nil ? detail(fitting: columns, at: now) : concern(fitting: columns)
    }
}

extension [Segment] {
    /// The lines of a chart of a target whose failure is expected: its losses do not stand out.
    func calmed(_ state: TargetState, _ appearance: Appearance) -> [Segment] {
        guard state.targetSummary.isFailureExpected else { return self }
        return map { $0.style == appearance[.down] ? Segment($0.text, appearance[.waiting]) : $0 }
    }
}

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
    /// The role of an availability, 0…1, by the one that is required.
    init(availability: Double, of sla: ServiceLevel) {
        self =
            switch sla.grade(of: availability) {
            case .met: .faint
            case .missed: .degraded
            case .farMissed: .down
            }
    }
}

extension Segment {
    /// An availability, or the mark of a missing figure.
    init(availability: Double?, of sla: ServiceLevel, _ appearance: Appearance) {
        if let availability {
            self.init(availability.precisePercentText, appearance[Role(availability: availability, of: sla)])
        } else {
            self.init(String(appearance.glyphs.none), appearance[.faint])
        }
    }
}

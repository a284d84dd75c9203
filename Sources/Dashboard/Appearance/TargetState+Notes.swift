import Monitoring
import Screen

extension TargetSummary {
    /// Whether something besides the health needs attention: this machine cannot probe the target, or it is flapping.
    var needsAttention: Bool { !isPausedOrBlocked && (isFaulty || isFlapping) }

    /// The mark after the name of a target where there is no column for its health: it cannot be probed, or is
    /// acknowledged, in maintenance, flapping or disputed.
    func mark(_ glyphs: Glyphs) -> (glyph: Character, role: Role)? {
        if isPausedOrBlocked { return nil }
        if isFaulty { return (glyphs.fault, .down) }
        if isAcknowledged { return (glyphs.acknowledged, .accent) }
        if isInMaintenance { return (glyphs.maintenance, .accent) }
        if isFlapping { return (glyphs.flapping, .degraded) }
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

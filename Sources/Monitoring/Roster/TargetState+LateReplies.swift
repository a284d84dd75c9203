/// A reply that came after the timeout of its probe.
struct LateReply: Sendable, Hashable {
    let roundTrip: Duration
    /// The losses that were recorded since.
    var losses = 0
}

extension TargetState {
    /// The round trip of the newest late reply, while the target loses probes and their replies come late; nil otherwise.
    package var lateRoundTrip: Duration? { lateReply?.roundTrip }

    /// Why the newest probe was lost, for display; nil for a target that does not lose probes.
    package var lossDetail: String? {
        guard isLosing else { return nil }
        return failure?.detail ?? lateRoundTrip.map(Transition.lateDetail) ?? "timeout"
    }

    /// Records a late reply. It explains the present losses if its own probe is one of them.
    ///
    /// - Parameter sent: when its probe was sent.
    mutating func recordLate(roundTrip: Duration, sent: Duration) {
        totals.late += 1
        if judge.isLosing(sent: sent) { lateReply = LateReply(roundTrip: roundTrip) }
    }

    /// Forgets the late reply when no other came for as many losses as take a target down, at least three.
    mutating func ageLateReply() {
        guard var late = lateReply else { return }
        late.losses += 1
        lateReply = isLosing && late.losses <= max(3, target.thresholds.fall) ? late : nil
    }
}

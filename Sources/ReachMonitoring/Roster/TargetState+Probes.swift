extension TargetState {
    /// Records a finished probe, or one that could not be sent.
    ///
    /// - Parameter defersVerdict: whether the verdict on a loss waits for the target's parents.
    /// - Returns: the transition, if the health changed.
    mutating func record(_ observation: Observation, defersVerdict: Bool) -> Transition? {
        if let address = observation.address { self.address = address }
        totals.record(observation.outcome)
        isRecheckPending = false

        if case .fault(let fault) = observation.outcome { return record(fault, of: observation) }
        if case .reply(let reply) = observation.outcome { lastReply = reply }
        if let sample = Sample(observation) { history.append(sample) }
        if rare != nil {
            // The outcome of a probe from before the fault says nothing about it.
            let isEarlier = fault != nil && target.question.method.probes && observation.sent < newestFault
            if isEarlier, health == .unknown { return nil }
            if !isEarlier {
                set(\.fault, to: nil)
                (faultCount, newestFault) = (0, .zero)
            }
        }
        let transition = judge.record(
            observation.outcome,
            at: observation.time,
            sent: observation.sent,
            number: observation.sequence,
            under: target.thresholds,
            defersVerdict: defersVerdict
        )
        if rare != nil {
            if !isLosing { awaitedParents = [] }
            ageLateReply()
        }
        return transition.map { continued($0) }
    }

    /// Gives the verdict that was held back, if the losses reach a threshold.
    mutating func concludeLosses(at time: Duration) -> Transition? {
        judge.conclude(at: time, under: target.thresholds).map { withEvidence($0) }
    }

    /// The transition with what the last replies say of it.
    private func withEvidence(_ transition: Transition) -> Transition {
        transition.withLateReply(after: lateRoundTrip)
            .with(lastReply?.certificate, expiry: lastReply?.certificateExpiry)
    }

    /// The transition, which may end an outage from before the start of the program.
    private mutating func continued(_ transition: Transition) -> Transition {
        let transition = withEvidence(transition)
        if let upStart = rare?.value.upStart {
            set(\.upStart, to: nil)
            if transition.from == .unknown, transition.to == .up { judge.begin(at: upStart) }
        }
        guard let outageStart, transition.from != .unknown || transition.to != .down else { return transition }
        self.outageStart = nil
        return transition.outage == nil ? transition : transition.beginning(at: outageStart)
    }

    /// Records a probe that could not be sent. The target becomes unknown after as many faults in a row as the losses
    /// that take it down. One of the fleet becomes unknown at once, since the next reports may never come.
    private mutating func record(_ fault: Fault, of observation: Observation) -> Transition? {
        set(\.fault, to: fault)
        newestFault = observation.sent
        // A probe that could not be sent is no gap between replies.
        _ = judge.record(
            observation.outcome,
            at: observation.time,
            number: observation.sequence,
            under: target.thresholds
        )
        let fall = target.question.method.probes ? target.thresholds.fall : 1
        guard faultCount < fall || health != .unknown else { return nil }
        if faultCount == 0 { faultsSince = observation.sent }
        faultCount += 1
        guard faultCount >= fall else { return nil }
        return continued(judge.withdraw(at: observation.time, since: faultsSince, because: .faults(faultCount, fault)))
    }

    /// Counts the verdict on a finished probe toward flapping.
    ///
    /// - Returns: whether the target flaps now; nil if that did not change.
    mutating func recordVerdict(_ transition: Transition?, at time: Duration) -> Bool? {
        guard transition != nil || rare != nil else { return nil }
        let before = flapping
        guard transition != nil || before != nil else { return nil }
        var flapping = before ?? Flapping()
        let change = flapping.record(transition, at: time)
        if flapping != before { self.flapping = flapping.isEmpty ? nil : flapping }
        return change
    }
}

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
        isLosing ? Transition.lossDetail(failure, lateRoundTrip: lateRoundTrip) : nil
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

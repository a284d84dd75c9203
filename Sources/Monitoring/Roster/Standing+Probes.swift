extension Standing {
    /// Takes a finished probe, or one that could not be sent, into account.
    ///
    /// - Parameter holdsLosses: whether the verdict on a loss is to wait for that of others.
    /// - Returns: the change of health that it brought about.
    mutating func record(_ observation: Observation, holdsLosses: Bool) -> Transition? {
        if let address = observation.address { self.address = address }
        totals.record(observation.outcome)
        isDoubted = false

        let trace: Trace
        switch observation.outcome {
        case .fault(let fault):
            return record(fault, of: observation)
        case .reply(let reply):
            lastReply = reply
            trace = reply.nanoseconds.map { Trace(nanoseconds: $0) } ?? .replyWithoutRoundTrip
        case .timeout, .failure:
            trace = .loss
        }
        history.append(Sample(time: observation.timeNanoseconds, trace: trace))
        if rare != nil { (fault, faultCount) = (nil, 0) }
        let transition = judge.record(
            observation.outcome,
            at: observation.time,
            sent: observation.sent,
            under: target.thresholds,
            holdsLosses: holdsLosses
        )
        if rare != nil, !isLosing { awaited = [] }
        return transition
    }

    /// Takes a probe into account that could not be sent. After as many in a row as losses take a target down, nothing is
    /// known of it any more.
    private mutating func record(_ fault: Fault, of observation: Observation) -> Transition? {
        self.fault = fault
        let fall = target.thresholds.fall
        guard faultCount < fall || health != .unknown else { return nil }
        if faultCount == 0 { faultsSince = observation.sent }
        faultCount += 1
        guard faultCount >= fall else { return nil }
        return judge.withdraw(at: observation.time, since: faultsSince, because: .faults(faultCount, fault))
    }

    /// Counts a verdict toward flapping.
    ///
    /// - Returns: whether the target flaps now, where that has changed.
    mutating func recordVerdict(isChange: Bool, at time: Duration) -> Bool? {
        guard isChange || rare != nil else { return nil }
        let before = flapping
        guard isChange || before != nil else { return nil }
        var flapping = before ?? Flapping()
        let change = flapping.record(isChange: isChange, at: time)
        if flapping != before { self.flapping = flapping.isEmpty ? nil : flapping }
        return change
    }
}

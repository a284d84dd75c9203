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
            self.fault = fault
            return nil
        case .reply(let reply):
            lastReply = reply
            trace = reply.nanoseconds.map { Trace(nanoseconds: $0) } ?? .replyWithoutRoundTrip
        case .timeout, .failure:
            trace = .loss
        }
        history.append(Sample(time: observation.timeNanoseconds, trace: trace))
        if rare != nil { fault = nil }
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
}

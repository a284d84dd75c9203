/// The question whether a router has answered since a time, while probes decide.
struct HopConfirmation: Sendable {
    /// The number of losses without an answer that decide. One may be chance, or the limit of a router that answers one probe a
    /// second, and is also asked by others.
    static let losses = 2

    let id: Target.ID
    let slot: Int
    /// The number of the hop on the path.
    let hop: Int
    let address: String
    let since: Duration
    /// The number of lost probes that were sent since then, whatever they were for.
    var losses: Int
    /// The number of its own probes without a result, and whether another one waits for the budget.
    var inFlight = 0
    var isWaiting = false

    var key: PathBudget.Key { .router(address) }
}

extension PathPlan {
    /// Finds out whether a router on a known path has answered a probe that was sent at `since` or later, and reports it
    /// (``PathEvent/confirmed(_:hop:answered:)``).
    ///
    /// The results of all traces count, at once. Without an answer and with fewer than two losses, the router is probed, at
    /// most twice, ahead of all traces.
    public mutating func confirm(_ hop: String, of id: Target.ID, since: Duration, at time: Duration) {
        now = max(now, time)
        guard let slot = indices[id], let number = slots[slot].trace.number(of: hop) else {
            events.append(.confirmed(id, hop: hop, answered: false))
            return
        }
        let trace = slots[slot].trace
        let (answered, losses) = shared.results(
            of: hop,
            isIPv6: trace.destination.isIPv6,
            maxHops: trace.maxHops,
            since: since
        )
        guard !answered, losses < HopConfirmation.losses else {
            events.append(.confirmed(id, hop: hop, answered: answered))
            return
        }
        let isKnown = confirmations.values.contains { $0.id == id && $0.address == hop && $0.since == since }
        guard !isKnown else { return }
        let serial = nextSerial()
        confirmations[serial] = HopConfirmation(
            id: id,
            slot: slot,
            hop: number,
            address: hop,
            since: since,
            losses: losses
        )
        continueConfirmation(serial)
    }

    /// Wants another probe if the results so far cannot decide.
    private mutating func continueConfirmation(_ serial: UInt32) {
        guard let confirmation = confirmations[serial] else { return }
        guard confirmation.losses < HopConfirmation.losses else { return endConfirmation(serial, answered: false) }
        guard !confirmation.isWaiting, confirmation.losses + confirmation.inFlight < HopConfirmation.losses else {
            return
        }
        confirmations[serial]?.isWaiting = true
        wish(
            PathWish(
                slot: confirmation.slot,
                serial: serial,
                purpose: .confirmation,
                priority: .confirmation,
                hop: confirmation.hop,
                flow: 0,
                size: nil
            )
        )
    }

    private mutating func endConfirmation(_ serial: UInt32, answered: Bool) {
        guard let confirmation = confirmations.removeValue(forKey: serial) else { return }
        events.append(.confirmed(confirmation.id, hop: confirmation.address, answered: answered))
    }

    /// Ends the questions about a path that is removed.
    mutating func endConfirmations(of slot: Int) {
        for (serial, confirmation) in confirmations where confirmation.slot == slot {
            endConfirmation(serial, answered: false)
        }
    }

    /// Records that a probe of a question is sent.
    mutating func recordSent(confirmation serial: UInt32) {
        confirmations[serial]?.isWaiting = false
        confirmations[serial]?.inFlight += 1
        continueConfirmation(serial)
    }

    /// Records that a probe of a question has a result. `isLoss`: another machine answered, or it could not be sent.
    mutating func recordResult(confirmation serial: UInt32, isLoss: Bool) {
        confirmations[serial]?.inFlight -= 1
        if isLoss { confirmations[serial]?.losses += 1 }
        continueConfirmation(serial)
    }

    /// Records that a router answered a probe, whatever it was for.
    mutating func recordAnswer(from address: String, to probe: Pending, isReport: Bool) {
        for (serial, confirmation) in confirmations
        where confirmation.address == address && confirmation.since <= probe.sent {
            endConfirmation(serial, answered: true)
        }
        // A report was counted as a loss already.
        guard probe.purpose == .confirmation, probe.state == .inFlight else { return }
        recordResult(confirmation: probe.serial, isLoss: !isReport)
    }

    /// Records that a router did not answer a probe that was sent at `time`, whatever it was for.
    mutating func recordLoss(of address: String, sent time: Duration) {
        for (serial, confirmation) in confirmations where confirmation.address == address && confirmation.since <= time
        {
            confirmations[serial]?.losses += 1
            continueConfirmation(serial)
        }
    }
}

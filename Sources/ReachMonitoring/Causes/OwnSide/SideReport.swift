/// On whose side the present outages are, for the screen.
package struct SideReport: Sendable, Hashable {
    /// The side, and how it is known.
    package let verdict: SideVerdict
    /// When the first outage began.
    package let since: Duration
    /// The number of targets that are blocked, or that are down on the far side.
    package let count: Int
    /// The number of other targets on the far side that answer.
    package let answering: Int

    /// The report in one line, from the longest form to the shortest:
    /// `your network: gateway 192.168.1.1 does not answer – 12 targets blocked since 14:03`.
    ///
    /// - Parameter time: the time of day when it began.
    package func forms(since time: String) -> [String] {
        let targets = "\(count) \(count == 1 ? "target" : "targets")"
        guard verdict.isOwn else {
            let name = verdict.sides.name
            guard answering == 0 else {
                let others = "\(answering) \(answering == 1 ? "answers" : "answer")"
                return [
                    "\(name): \(targets) down since \(time), \(others)", "\(name): \(count) down, \(others)",
                    "\(name): \(count) down",
                ]
            }
            return [
                "\(verdict.summary) – \(targets) down since \(time)", verdict.summary, "\(name): \(count) down", name,
            ]
        }
        let name = verdict.sides.name
        guard count > 0 else { return ["\(verdict.summary), since \(time)", verdict.summary, name] }
        return [
            "\(verdict.summary) – \(targets) blocked since \(time)", "\(verdict.summary) – \(count) blocked",
            "\(name): \(targets) blocked since \(time)", "\(name): \(count) blocked", name,
        ]
    }
}

extension Roster {
    /// A resolver of this machine in the user's or the provider's network that is down, if no other one answers, and its side.
    private var downResolver: (TargetState, Side)? {
        let resolvers = states.filter { state in
            guard state.target.question.method == .dns, !state.isPaused else { return false }
            return (settings.sides.resolvers ?? []).contains(state.address ?? state.target.question.host ?? "")
        }
        guard let first = resolvers.first, resolvers.allSatisfy({ $0.health == .down }) else { return nil }
        switch AddressScope(first.address ?? first.target.question.host ?? "") {
        case .thisMachine: return (first, .thisMachine)
        case .network: return (first, .network)
        case .sharedByProvider: return (first, .provider)
        case .internet, nil: return nil
        }
    }

    /// Returns on whose side the present outages are; nil if there are none, and where that is not watched.
    package mutating func sideReport() -> SideReport? {
        guard let watch = sideWatch else { return nil }
        if let outage = watch.outage {
            let count = states.count { $0.blockedBy?.isSide == true && $0.isBlocked }
            return SideReport(verdict: outage.verdict, since: outage.since, count: count, answering: 0)
        }
        guard states.healthCounts.down > 0 else { return nil }
        var evidence = SideEvidence()
        var (down, answering, since) = (0, 0, Duration?.none)
        var gateways: [TargetState] = []
        var wayOut: TargetState?
        for position in states.indices {
            let summary = states.targetSummaries[position]
            guard !summary.isPausedOrBlocked, summary.health != .unknown else { continue }
            switch place(of: position) {
            case .elsewhere, .neighbour, .behindGateway: break
            case .thisMachine where summary.health == .down && states[position].target.isWayOut && wayOut == nil:
                wayOut = states[position]
            case .thisMachine: break
            case .gateway: gateways.append(states[position])
            case .farSide where summary.health == .down && !summary.isFailureExpected:
                down += 1
                since = min(since ?? .nanoseconds(Int64.max), states[position].healthSince)
            case .farSide where summary.health.isReachable: answering += 1
            case .farSide: break
            }
        }
        if answering == 0, let state = wayOut ?? gateways.first(where: { $0.health == .down }),
            wayOut != nil || gateways.allSatisfy({ $0.health == .down })
        {
            if let wayOut { evidence.downRoute = wayOut.target.label }
            if wayOut == nil { evidence.gateway = .silent(state.address ?? state.target.question.host) }
            return SideReport(verdict: evidence.verdict, since: state.healthSince, count: 0, answering: 0)
        }
        if let (state, side) = downResolver {
            let host = state.address ?? state.target.question.host
            return SideReport(
                verdict: SideVerdict(side, .resolverSilent(host)),
                since: state.healthSince,
                count: 0,
                answering: 0
            )
        }
        guard down > 0, let since else { return nil }
        evidence.hasAnswer = answering > 0
        if let gateway = gateways.first(where: { $0.health.isReachable }) {
            evidence.gateway = .answers(gateway.address ?? gateway.target.question.host)
        }
        return SideReport(verdict: evidence.verdict, since: since, count: down, answering: answering)
    }
}

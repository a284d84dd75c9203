/// On whose side the present outages are, for the screen.
package struct SideReport: Sendable, Hashable {
    /// The side, and how it is known.
    package let verdict: SideVerdict
    /// When the first outage began.
    package let since: Duration
    /// Whether the targets beyond are blocked. They are not if none of them has answered before.
    package var isBlocking = false
    /// The number of targets on the far side that are blocked or down.
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
        let state = isBlocking ? "blocked" : "down"
        return [
            "\(verdict.summary) – \(targets) \(state) since \(time)", "\(verdict.summary) – \(count) \(state)",
            "\(name): \(targets) \(state) since \(time)", "\(name): \(count) \(state)", name,
        ]
    }
}

extension Roster {
    /// A resolver of this machine in the user's or the provider's network that is down, if no other one answers, and the sides
    /// that may be the reason.
    private var downResolver: (TargetState, Sides)? {
        let resolvers = states.filter { state in
            guard state.target.question.method == .dns, !state.isPaused else { return false }
            return (settings.sides.resolvers ?? []).contains(state.address ?? state.target.question.host ?? "")
        }
        guard let first = resolvers.first, resolvers.allSatisfy({ $0.health == .down }) else { return nil }
        let side: Side
        switch AddressScope(first.address ?? first.target.question.host ?? "") {
        case .thisMachine: side = .thisMachine
        case .network: side = .network
        case .sharedByProvider: side = .provider
        case .internet, nil: return nil
        }
        // One that answers, with an error or as another target, may itself get no answers.
        let isFailing = first.failure.map { $0.reason == .resolverFailed || $0.reason == .serverError } ?? true
        let host = first.address ?? first.target.question.host
        let answers = first.failure != nil || states.contains { $0.health.isReachable && $0.address == host }
        return (first, isFailing && answers ? Sides(side, through: .provider) : Sides(side))
    }

    /// Returns on whose side the present outages are; nil if there are none, and where that is not watched.
    package mutating func sideReport(at now: Duration) -> SideReport? {
        guard let watch = sideWatch else { return nil }
        if let outage = watch.outage {
            let count = states.count { $0.blockedBy?.isSide == true && $0.isBlocked }
            return SideReport(
                verdict: outage.verdict,
                since: outage.since,
                isBlocking: true,
                count: count,
                answering: 0
            )
        }
        guard states.healthCounts.down > 0 else { return nil }
        var (answering, near) = (0, Duration?.none)
        var far = FarOutages()
        for position in states.indices {
            let summary = states.targetSummaries[position]
            guard !summary.isPausedOrBlocked, summary.health != .unknown else { continue }
            switch place(of: position) {
            case .farSide(let network) where summary.health == .down && !summary.isFailureExpected:
                far.add(states[position], in: network)
            case .farSide where summary.health.isReachable:
                answering += 1
                far.answeringFamilies.insert(states[position].probedFamily)
            case .thisMachine where summary.health == .down && states[position].target.isWayOut,
                .gateway where summary.health == .down && states[position].arrival == .lost:
                near = min(near ?? states[position].healthSince, states[position].healthSince)
            case .elsewhere, .thisMachine, .gateway, .neighbour, .behindGateway, .farSide: break
            }
        }
        let verdict = sideVerdict(on: far, answering: answering, at: now)
        if verdict.isOwn, let since = [near, far.since].compactMap(\.self).min() {
            return SideReport(verdict: verdict, since: since, count: far.count, answering: 0)
        }
        if let (state, sides) = downResolver {
            let verdict = SideVerdict(sides, .resolverFails(state.address ?? state.target.question.host))
            return SideReport(verdict: verdict, since: state.healthSince, count: 0, answering: 0)
        }
        guard let since = far.since else { return nil }
        return SideReport(verdict: verdict, since: since, count: far.count, answering: answering)
    }

    /// On which side the targets are that are down, although no interruption of the way is known.
    private mutating func sideVerdict(on far: FarOutages, answering: Int, at now: Duration) -> SideVerdict {
        if far.count > 0, far.areUnroutable { return SideVerdict(.thisMachine, .noRoute) }
        if let family = far.silentFamily {
            return SideVerdict(Sides(.network, through: .provider), .familySilent(family))
        }
        if answering > 0 { return SideVerdict(.farSide, .othersAnswer) }
        var evidence = sideEvidence(at: now)
        evidence.hasAnswer = false
        return evidence.verdict
    }
}

/// The targets on the far side that are down.
private struct FarOutages {
    private(set) var count = 0
    /// When the first of them went down.
    private(set) var since: Duration?
    /// Whether this machine has no route to any of them.
    private(set) var areUnroutable = true
    private var networks: [Family: Set<NetworkKey>] = [:]
    /// The families of the targets that answer.
    var answeringFamilies: Set<Family> = []

    /// The family of all of them if they are in several networks, and only targets of the other family answer.
    var silentFamily: Family? {
        guard networks.count == 1, let (family, networks) = networks.first, networks.count > 1,
            !answeringFamilies.isEmpty, !answeringFamilies.contains(family)
        else { return nil }
        return family
    }

    mutating func add(_ state: TargetState, in network: NetworkKey) {
        count += 1
        networks[state.probedFamily, default: []].insert(network)
        since = min(since ?? state.healthSince, state.healthSince)
        guard areUnroutable else { return }
        areUnroutable = state.failure?.isLocal(of: state.target.question.method) ?? false
    }
}

// Targets whose risks or conditions change are noted, and passed to the finder after a batch of findings. The tracer of paths
// confirms what it suspects, and what it names is reported.
extension Roster {
    /// Whether common causes of outages are found.
    package var findsCauses: Bool {
        get { causes != nil }
        set {
            guard newValue != findsCauses else { return }
            causes = newValue ? CauseTracking() : nil
            for state in states { causes?.noteRisks(of: state.id) }
        }
    }

    /// The causes that last, in the order in which they were found.
    package var commonCauses: [CommonCause] {
        guard let causes else { return [] }
        return causes.reported.keys.sorted().compactMap { commonCause($0) }
    }

    /// A cause that lasts; nil if it is over.
    package func commonCause(_ id: CommonCause.ID) -> CommonCause? {
        causes?.reported[id].map { causes?.finder[id] ?? $0.cause }
    }

    private func inOrder(_ ids: some Sequence<Target.ID>) -> [Target.ID] {
        ids.compactMap { positions[$0] }.sorted().map { states[$0].id }
    }

    /// The longest time for which a cause waits for probes of its hops before it is named.
    private static let confirmationLimit = Duration.seconds(5)

    /// Searches for causes after a batch of findings was recorded.
    mutating func concludeCauses(after findings: [Finding], into consequences: inout Consequences) {
        guard causes != nil, let time = findings.lazy.compactMap(\.time).max() else { return }
        concludeCauses(at: time, into: &consequences)
    }

    /// Searches for causes, if something has changed or a search is due, and reports what was found.
    mutating func concludeCauses(at now: Duration, into consequences: inout Consequences) {
        causes?.advance(to: now)
        guard let deadline = causes?.deadline, deadline <= now, var tracking = causes.take() else { return }
        var events = findChanges(at: now, by: &tracking)
        events += tracking.confirmations(at: now)
        var news: [CauseNews] = []
        var position = 0
        while position < events.count {
            let event = events[position]
            position += 1
            switch event {
            case .suspected(let id, let hops):
                tracking.suspicions[id] = CauseTracking.Suspicion(hops: hops, limit: now + Self.confirmationLimit)
                for hop in hops where !askForAnswer(of: hop, for: id, in: tracking, into: &consequences) {
                    events += tracking.confirm(id, hop: hop, answered: false, at: now)
                }
            case .named(let id):
                guard let cause = tracking.finder[id] else { break }
                let targets = tracking.finder.targets(explainedBy: id)
                tracking.suspicions[id] = nil
                tracking.reported[id] = CauseTracking.Reported(
                    cause: cause,
                    targets: Set(targets),
                    isFromStart: targets.allSatisfy { self[$0]?.lastReply == nil },
                    start: now
                )
                news.append(.named(cause))
            case .moved(let id):
                guard let cause = tracking.finder[id] else { break }
                tracking.reported[id]?.cause = cause
                news.append(.moved(cause))
            case .changed(let id):
                guard let cause = tracking.finder[id], let known = tracking.reported[id]?.cause else { break }
                if cause.explained > known.explained { tracking.reported[id]?.cause = cause }
            case .acquitted(let id), .dropped(let id):
                tracking.suspicions[id] = nil
            case .ended(let id, let successor):
                guard let ended = tracking.reported.removeValue(forKey: id) else { break }
                tracking.end(ended, at: now)
                news.append(.ended(ended.cause, successor: successor))
            }
        }
        let joined = assignCauses(at: now, by: &tracking, news)
        causes = tracking
        report(news, joined: joined, at: now, into: &consequences)
    }

    /// Passes changes to the finder.
    private func findChanges(at now: Duration, by tracking: inout CauseTracking) -> [CauseEvent] {
        let (relinked, changed, removed) = tracking.takeChanges()
        var events: [CauseEvent] = []
        for id in removed { events += tracking.finder.remove(id, at: now) }
        for case let state? in inOrder(relinked).map({ self[$0] }) {
            events += tracking.finder.setRisks(risks(of: state), of: state.id, at: now)
        }
        let conditions = inOrder(changed.union(relinked)).compactMap { id in
            self[id].map { (target: id, condition: $0.targetCondition) }
        }
        return events + tracking.finder.update(conditions, at: now)
    }

    /// Asks whether a hop has answered since the outages of a cause began. Returns false if no path through it is traced.
    private func askForAnswer(
        of hop: String,
        for id: CommonCause.ID,
        in tracking: CauseTracking,
        into consequences: inout Consequences
    ) -> Bool {
        guard let cause = tracking.finder[id] else { return false }
        let target = tracking.finder.targets(explainedBy: id).first { target in
            self[target]?.path.map { $0.address != nil && $0.hopsToTarget.contains(hop) } ?? false
        }
        guard let target else { return false }
        consequences.paths.append(.confirm(target, hop: hop, since: cause.since))
        return true
    }

    /// Notes the causes of targets in their states. Returns those that joined a cause that was reported before.
    private mutating func assignCauses(
        at now: Duration,
        by tracking: inout CauseTracking,
        _ news: [CauseNews]
    ) -> [CommonCause.ID: [Target.ID]] {
        var reassigned = tracking.finder.takeReassigned()
        for case .named(let cause) in news { reassigned.formUnion(tracking.reported[cause.id]?.targets ?? []) }
        let named = Set(news.compactMap { if case .named(let cause) = $0 { cause.id } else { nil } })
        var joined: [CommonCause.ID: [Target.ID]] = [:]
        for position in reassigned.compactMap({ positions[$0] }).sorted() {
            let id = states[position].id
            let cause = tracking.finder.cause(of: id).flatMap { tracking.reported[$0] == nil ? nil : $0 }
            guard states[position].commonCause != cause else { continue }
            states[position].commonCause = cause
            remember(position, at: now)
            guard let cause, tracking.reported[cause]?.targets.insert(id).inserted == true, !named.contains(cause)
            else {
                continue
            }
            joined[cause, default: []].append(id)
        }
        return joined
    }

    private mutating func report(
        _ news: [CauseNews],
        joined: [CommonCause.ID: [Target.ID]],
        at now: Duration,
        into consequences: inout Consequences
    ) {
        for news in news {
            let id = news.cause.id
            let reported = causes?.reported[id] ?? causes?.past.last { $0.cause.id == id }
            let targets = inOrder(reported?.targets ?? [])
            consequences.report(.cause(news), of: targets, at: now)
            let isFromStart = reported?.isFromStart ?? false
            fireCauseHooks(on: news, of: targets, isFromStart: isFromStart, at: now, into: &consequences)
        }
        for (id, targets) in joined.sorted(by: { $0.key < $1.key }) {
            guard let cause = commonCause(id) else { continue }
            consequences.report(.cause(.joined(cause)), of: targets, at: now)
        }
    }

    // MARK: Waiting for an explanation

    /// Until when a rule that leaves out explained outages waits for a cause of this one; nil if it does not.
    ///
    /// Outages of one cause begin within an interval, and are known after a timeout.
    func explanationDeadline(of position: Int, at now: Duration) -> Duration? {
        guard let causes, states[position].health == .down, states[position].commonCause == nil,
            states[position].target.hooks.contains(where: \.skipsExplained)
        else { return nil }
        let (began, target) = (states[position].judge.since, states[position].target)
        let others = began + target.interval + target.timeout + CauseLimits.slack
        if now < others { return others }
        let limit = others + CauseLimits.longestWait
        guard now < limit, causes.finder.isOpen(states[position].id) else { return nil }
        // In steps of a second, so that the timer stays the same.
        return others + .seconds((now - others).components.seconds + 1)
    }
}

extension CauseTracking {
    /// Confirms or acquits suspected causes by the reports of the tracer since the last search. Hops without a report in time are
    /// taken for silent.
    fileprivate mutating func confirmations(at now: Duration) -> [CauseEvent] {
        let answers = takeAnswers()
        var events: [CauseEvent] = []
        for id in suspicions.keys.sorted() {
            for (hop, answered) in answers where suspicions[id]?.hops.contains(hop) == true {
                events += confirm(id, hop: hop, answered: answered, at: now)
            }
            guard let suspicion = suspicions[id], suspicion.limit <= now else { continue }
            for hop in suspicion.hops { events += confirm(id, hop: hop, answered: false, at: now) }
        }
        return events
    }

    /// Passes to the finder whether a hop has answered.
    fileprivate mutating func confirm(
        _ id: CommonCause.ID,
        hop: String,
        answered: Bool,
        at now: Duration
    ) -> [CauseEvent] {
        suspicions[id]?.hops.removeAll { $0 == hop }
        if suspicions[id]?.hops.isEmpty == true { suspicions[id] = nil }
        return finder.confirm(id, hop: hop, answered: answered, at: now)
    }
}

extension TargetState {
    /// The host that answers, as far as it is a risk.
    var peer: (address: String?, certificate: CertificateIdentity?) { (address, lastReply?.certificate) }

    /// What the target contributes to the search for causes.
    var targetCondition: TargetCondition {
        guard isProbed, blockedBy == nil, !isInMaintenance, fault == nil else { return .undecided }
        switch health {
        case .unknown: return judge.isLosing ? .failing : .undecided
        case .up, .degraded: return judge.isLosing ? .failing : .up
        case .down: return .down(since: healthSince, OutageKind(failure))
        }
    }
}

extension Roster {
    /// What may take a target down together with others.
    func risks(of state: TargetState) -> TargetRisks {
        let (target, path) = (state.target, state.path?.hopsToTarget ?? [])
        var others: [Risk] = []
        if let proxy = target.question.proxyHost {
            others.append(.proxy(proxy))
        } else if let address = state.address {
            // Others may be reached by way of the target itself.
            others += [.hop(address), .address(address)]
            if let subnet = address.subnet { others.append(.subnet(subnet)) }
        }
        // A gateway that is a target itself acquits itself.
        if let first = path.first ?? state.address, sideWatch?.gateways.contains(first) == true {
            others.append(.gateway(first))
        }
        if target.question.needsResolver { others.append(.resolver(Risk.systemResolver)) }
        if let certificate = state.lastReply?.certificate {
            others.append(.certificate(certificate.name))
            if let issuer = certificate.issuer { others.append(.issuer(issuer)) }
        }
        if let source = target.source { others.append(.link(source)) }
        others += target.dependsOn.compactMap { if case .target(let label) = $0 { .parent(label) } else { nil } }
        if let group = target.group { others.append(.group(group)) }
        others += state.vantagePoints?.points.map { .vantagePoint($0.name) } ?? []
        return TargetRisks(path: path, others: others, interval: target.interval)
    }
}

extension OutageKind {
    /// The kind of an outage by its failure; nil for timeouts.
    init(_ failure: Failure?) {
        guard let failure else {
            self = .noAnswer
            return
        }
        self =
            switch failure.reason {
            case .hostUnreachable, .networkUnreachable, .prohibited, .ttlExceeded, .noRoute, .linkDown: .noAnswer
            case .refused, .reset, .closed: .refused
            case .nameNotFound, .resolverFailed: .unresolved
            case .certificateExpired, .certificateUntrusted, .certificateName: .certificate
            case .tlsFailed, .httpStatus, .httpBody, .answerMismatch, .protocolError, .serverError, .loginFailed,
                .exitStatus, .quorum:
                .wrongAnswer
            }
    }
}

extension Question {
    /// The host of the proxy; nil without one.
    fileprivate var proxyHost: String? {
        if case .http(let question) = self { question.proxy?.host } else { nil }
    }

    /// Whether a resolver must resolve the host's name.
    fileprivate var needsResolver: Bool {
        guard method.probes, let host = proxyHost ?? host, !host.isEmpty else { return false }
        return IPAddressText.bytes(withoutZone: host) == nil && host != "localhost"
    }
}

import Monitoring

/// The failing targets.
extension FleetModel {
    /// Records which targets fail.
    ///
    /// - Parameter vantagePoint: the vantage point that was asked for; nil for all.
    mutating func record(
        failing result: QueryResult,
        of vantagePoint: String?,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration
    ) {
        let before = servers[index].failing
        let name = vantagePoint.map { $0.isEmpty ? servers[index].settings.name : $0 }
        var failing = name.map { name in before.compactMapValues { $0.without(name) } } ?? [:]
        for sample in result.samples {
            guard let target = sample.label(metrics.targetLabel) else { continue }
            let vantage = self.name(ofVantagePoint: sample, metrics, server: index)
            var failure = FailingSample(sample)
            if let other = failing[target]?[vantage] { failure = other.joined(with: failure) }
            failure.since = failure.since ?? before[target]?[vantage]?.since
            failing[target, default: [:]][vantage] = failure
            if enter(target, sample, ofServer: index, metrics, at: now) { noteNewFailure(of: target) }
            entries[target]?.failed = now
        }
        servers[index].failing = failing
        for (target, failures) in failing where failures != before[target] {
            for (vantage, failure) in failures {
                hold(failure, vantage, of: target, ofServer: index, at: now)
            }
            noteRead(target, ofServer: index)
        }
        // Where a vantage point sees a failure no more, its row says whether the target is up.
        for (target, failures) in before where entries[target] != nil {
            let ended = failures.keys.filter { failing[target]?[$0] == nil }
            if !ended.isEmpty { servers[index].outdate(target, recovered: ended) }
        }
        release(Set(failing.keys))
    }

    /// Records that a target has entered because it fails. All servers are asked what is known of it, and how it was before.
    private mutating func noteNewFailure(of target: String) {
        for index in servers.indices {
            servers[index].outdate(target)
            servers[index].unreadPast[target] = servers[index].failingRead
        }
    }

    /// Records that a server was asked about a target, if all vantage points of that server see it down: its rows would say
    /// nothing else.
    private mutating func noteRead(_ target: String, ofServer index: Int) {
        guard entries[target]?.answers.contains(index) == false else { return }
        let down = Set(servers[index].failing[target, default: [:]].filter { $0.value.health == .down }.keys)
        let known = Set(servers[index].reports.keys).union(entries[target]?.vantagePoints[index] ?? [])
        guard !known.isEmpty, known.isSubset(of: down) else { return servers[index].outdate(target) }
        _ = servers[index].noteRead(target)
        entries[target]?.answers.insert(index)
        entries[target]?.vantagePoints[index, default: []].formUnion(down)
    }

    private mutating func hold(
        _ failure: FailingSample,
        _ vantage: String,
        of target: String,
        ofServer index: Int,
        at now: Duration
    ) {
        hold(
            failure.health,
            roundTrip: nil,
            detail: failure.detail,
            since: failure.since,
            vantage,
            of: target,
            ofServer: index,
            at: now
        )
    }

    /// Records when outages began.
    ///
    /// - Parameter window: the window of ``OutageSearch``.
    mutating func record(
        outageStarts result: QueryResult,
        in window: Int,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration
    ) {
        for sample in result.samples {
            guard let target = sample.label(metrics.targetLabel) else { continue }
            guard let since = OutageSearch.start(sample, in: window) else { continue }
            let vantage = name(ofVantagePoint: sample, metrics, server: index)
            guard let failure = servers[index].failing[target]?[vantage] else { continue }
            servers[index].failing[target]?[vantage]?.since = since
            guard entries[target]?.held[vantage]?.health == failure.health else { continue }
            hold(
                failure.health,
                roundTrip: nil,
                detail: failure.detail,
                since: since,
                vantage,
                of: target,
                ofServer: index,
                at: now
            )
        }
    }
}

extension [String: FailingSample] {
    /// The failures without that of a vantage point; nil if there are no others.
    fileprivate func without(_ vantagePoint: String) -> Self? {
        var others = self
        others[vantagePoint] = nil
        return others.isEmpty ? nil : others
    }
}

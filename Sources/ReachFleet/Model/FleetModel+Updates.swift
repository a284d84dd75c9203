import ReachMonitoring

/// Updates for the roster.
extension FleetModel {
    /// Returns the changes since the last call, and removes the targets that are no longer needed.
    mutating func takeUpdate(at now: Duration) -> FleetUpdate {
        for label in visible { entries[label]?.needed = now }
        let isAnswering = servers.contains { !$0.reports.isEmpty && $0.state.problem == nil }
        let old = entries.filter { isAnswering && now - $0.value.needed >= Self.keep }
        for (label, entry) in old {
            entries[label] = nil
            labels[entry.name] = nil
            for index in servers.indices {
                _ = servers[index].noteRead(label)
                servers[index].unreadPast[label] = nil
            }
            update.reports[entry.name] = nil
            update.earlier[entry.name] = nil
            hasNewTargets = true
        }
        if hasNewTargets { update.targets = targets() }
        hasNewTargets = false
        update.reporting = reporting
        reporting = [:]
        update.servers = servers.map { server in
            var state = server.state
            if state.problem == nil, entries.count >= Self.capacity {
                state.problem = "more than \(Self.capacity) targets fail or are shown – the others are not known"
            }
            return state
        }
        update.counted = counted()
        let areCounted = servers.indices.filter { !servers[$0].isWhole && !servers[$0].groupSizes.isEmpty }
        update.countedHealth = areCounted.allSatisfy { knowsFailing(ofServer: $0, at: now) } ? .up : .unknown
        defer { update = FleetUpdate() }
        return update
    }

    /// Adopts the targets of an earlier model, so that a reload of the settings does not lose their state. Targets of
    /// servers that were removed, or are queried for other targets now, are dropped.
    mutating func keepTargets(of old: FleetModel) {
        for (label, var entry) in old.entries where !reserved.contains(entry.name) {
            let settings = old.servers[entry.server].settings
            guard let index = servers.firstIndex(where: { $0.settings.hasSameTargets(as: settings) }) else { continue }
            entry.server = index
            (entry.answers, entry.deferred, entry.vantagePoints, entry.unexplained) = ([], [:], [:], [:])
            entry.earlier = []
            entries[label] = entry
            labels[entry.name] = label
        }
        visible = old.visible.filter { entries[$0] != nil }
    }

    private func targets() -> [Target] {
        // Targets without a group come last.
        entries.sorted { (one, other) in
            let (first, second) = (one.value.group, other.value.group)
            if first == second { return one.value.name < other.value.name }
            return second == nil || first.map { $0 < second ?? "" } ?? false
        }
        .map { label, entry in
            let settings = servers[entry.server].settings
            var question = FleetQuestion(
                instance: label,
                quorum: settings.quorum,
                staleAfter: settings.staleAfter
            )
            (question.matcher, question.groupMatcher) = (entry.matcher, entry.groupMatcher)
            var target = Target(name: entry.name, question: .fleet(question), group: entry.group)
            target.hooks = settings.hooks + (entry.group.flatMap { settings.groupHooks[$0] } ?? [])
            return target
        }
    }

    /// Whether the targets that are only counted do not fail: all failing targets of the server are entries, and a vantage
    /// point reports.
    private func knowsFailing(ofServer index: Int, at now: Duration) -> Bool {
        let server = servers[index]
        guard server.isFailingWhole, entries.count < Self.capacity else { return false }
        let reported = server.reports.values.compactMap { localTime($0, ofServer: index, at: now) }.max()
        return reported.map { now - $0 < server.settings.staleAfter } ?? false
    }

    /// The number of targets by group that are not among the entries.
    private func counted() -> [String: Int] {
        var sizes: [String: Int] = [:]
        for server in servers where !server.isWhole {
            for (group, size) in server.groupSizes {
                let group = group.plainLabel(limit: 200) ?? ""
                sizes[group] = max(sizes[group] ?? 0, size)
            }
        }
        for entry in entries.values { sizes[entry.group ?? "", default: 0] -= 1 }
        return sizes.filter { $0.value > 0 }
    }
}

extension PrometheusSettings {
    /// Whether the same targets are read from the same server, by the same names.
    fileprivate func hasSameTargets(as other: PrometheusSettings) -> Bool {
        (name, url, probes, targetLabel, groupLabel, vantageLabel)
            == (other.name, other.url, other.probes, other.targetLabel, other.groupLabel, other.vantageLabel)
    }
}

/// The failing targets.
extension FleetModel {
    /// Records which targets fail.
    ///
    /// - Parameter vantagePoint: the queried vantage point; nil for all.
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
        for series in result.series {
            guard let target = series.label(metrics.targetLabel) else { continue }
            let vantage = self.name(ofVantagePoint: series, metrics, server: index)
            var failure = TargetFailure(series)
            if let other = failing[target]?[vantage] { failure = other.joined(with: failure) }
            failure.since = failure.since ?? before[target]?[vantage]?.since
            failing[target, default: [:]][vantage] = failure
            if enter(target, series, ofServer: index, metrics, at: now) { noteNewFailure(of: target) }
            entries[target]?.failed = now
        }
        servers[index].failing = failing
        for (target, failures) in failing where failures != before[target] {
            for (vantage, failure) in failures {
                deferReport(failure, vantage, of: target, ofServer: index, at: now)
            }
            noteRead(target, ofServer: index)
        }
        // Where a vantage point no longer sees a failure, its row shows whether the target is up.
        for (target, failures) in before where entries[target] != nil {
            let ended = failures.keys.filter { failing[target]?[$0] == nil }
            if !ended.isEmpty { servers[index].outdate(target, recovered: ended) }
        }
        publishReports(Set(failing.keys))
    }

    /// Records a target that has entered because it fails. All servers are queried for its present and its earlier state.
    private mutating func noteNewFailure(of target: String) {
        for index in servers.indices {
            servers[index].outdate(target)
            servers[index].unreadPast[target] = servers[index].failingRead
        }
    }

    /// Records that a target was read from a server, if all vantage points of that server see it down: its rows would add
    /// nothing.
    private mutating func noteRead(_ target: String, ofServer index: Int) {
        guard entries[target]?.answers.contains(index) == false else { return }
        let down = Set(servers[index].failing[target, default: [:]].filter { $0.value.health == .down }.keys)
        let known = Set(servers[index].reports.keys).union(entries[target]?.vantagePoints[index] ?? [])
        guard !known.isEmpty, known.isSubset(of: down) else { return servers[index].outdate(target) }
        _ = servers[index].noteRead(target)
        entries[target]?.answers.insert(index)
        entries[target]?.vantagePoints[index, default: []].formUnion(down)
    }

    private mutating func deferReport(
        _ failure: TargetFailure,
        _ vantage: String,
        of target: String,
        ofServer index: Int,
        at now: Duration
    ) {
        deferReport(
            failure.health,
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
        for series in result.series {
            guard let target = series.label(metrics.targetLabel) else { continue }
            guard let since = OutageSearch.start(series, in: window) else { continue }
            let vantage = name(ofVantagePoint: series, metrics, server: index)
            guard var failure = servers[index].failing[target]?[vantage] else { continue }
            failure.since = since
            servers[index].failing[target]?[vantage] = failure
            guard entries[target]?.deferred[vantage]?.health == failure.health else { continue }
            deferReport(failure, vantage, of: target, ofServer: index, at: now)
        }
    }
}

extension [String: TargetFailure] {
    /// The failures without that of a vantage point; nil if there are no others.
    fileprivate func without(_ vantagePoint: String) -> Self? {
        var others = self
        others[vantagePoint] = nil
        return others.isEmpty ? nil : others
    }
}

/// The failure of a target as one vantage point sees it.
struct TargetFailure: Sendable, Hashable {
    let health: Health
    /// The reason; nil if it is unknown.
    let detail: String?
    /// When the failure began, in seconds since 1970 by the clock of the vantage point; nil if that is unknown.
    var since: Double?

    /// Reads the labels `health` and `reason` of `reach_failing_since_timestamp_seconds`. Other series are of targets that
    /// are down for an unknown reason; their value is zero.
    init(_ series: MetricSeries) {
        let isDegraded = series.label("health") == Health.degraded.rawValue
        health = isDegraded ? .degraded : .down
        detail = series.label("reason").map { Reason(rawValue: $0)?.words ?? $0.replacing("_", with: " ") }
        since = series.value.isFinite && series.value > 0 ? series.value : nil
    }

    /// Returns the one with more details of two failures of one target at one vantage point.
    func joined(with other: TargetFailure) -> TargetFailure { since == nil && detail == nil ? other : self }
}

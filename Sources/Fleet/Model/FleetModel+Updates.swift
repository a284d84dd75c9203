package import Monitoring

/// What is new for the roster.
extension FleetModel {
    /// Returns what is new since the last call, and forgets the targets that are not needed any more.
    package mutating func takeUpdate(at now: Duration) -> FleetUpdate {
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
        update.reporting = heard
        heard = [:]
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

    /// Keeps the targets of an earlier model, and what is visible, so that a reload of the settings does not lose their
    /// state. Targets of servers that are gone, or are asked for others, are not kept.
    package mutating func keepTargets(of old: FleetModel) {
        for (label, var entry) in old.entries where !reserved.contains(entry.name) {
            let settings = old.servers[entry.server].settings
            guard let index = servers.firstIndex(where: { $0.settings.hasSameTargets(as: settings) }) else { continue }
            entry.server = index
            (entry.answers, entry.held, entry.vantagePoints, entry.unexplained) = ([], [:], [:], [:])
            entry.earlier = []
            entries[label] = entry
            labels[entry.name] = label
        }
        visible = old.visible.filter { entries[$0] != nil }
    }

    private func targets() -> [Target] {
        // Those without a group are last.
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

    /// Whether all failing targets of a server are among the entries, and a vantage point reports, so that those that are only
    /// counted do not fail.
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

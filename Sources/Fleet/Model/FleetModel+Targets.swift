import Monitoring

extension FleetModel {
    /// What a vantage point says about a target.
    typealias Row = (health: Health?, roundTrip: Duration?)

    mutating func record(
        failing result: QueryResult,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration
    ) {
        let before = servers[index].failing
        var failing: [String: [String: FailingSample]] = [:]
        for sample in result.samples {
            guard let target = sample.label(metrics.targetLabel) else { continue }
            let vantage = name(ofVantagePoint: sample, metrics, server: index)
            var failure = FailingSample(sample, hasTime: metrics.hasFailureTimes)
            failure.since = failure.since ?? before[target]?[vantage]?.since
            failing[target, default: [:]][vantage] = failure
            enter(target, sample, ofServer: index, metrics, at: now)
            entries[target]?.failed = now
        }
        servers[index].failing = failing
        servers[index].isFailingCutOff = result.samples.count >= ProbeMetrics.failingLimit
        for (target, failures) in failing where failures != before[target] {
            for (vantage, failure) in failures {
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
        }
        release(Set(failing.keys))
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

    /// - Parameter targets: the targets that were asked for; nil for all, empty for those of a group.
    mutating func record(
        rows result: QueryResult,
        about targets: [String]?,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration
    ) {
        let rows = rows(of: result, ofServer: index, metrics)
        // A round trip alone is one of a target that may be gone.
        for sample in result.samples where sample.labels[ProbeMetrics.partLabel] == nil {
            guard let target = sample.label(metrics.targetLabel) else { continue }
            enter(target, sample, ofServer: index, metrics, at: now, isNeeded: targets?.isEmpty ?? true)
        }
        for target in targets ?? Array(entries.keys) { entries[target]?.answers.insert(index) }
        servers[index].unread = targets.map { servers[index].unread.subtracting(rows.keys).subtracting($0) } ?? []
        // What was cut off is not known to be missing.
        let isWhole = targets == nil && !result.isCutOff
        for target in Set(rows.keys).union(targets ?? []).union(isWhole ? Array(entries.keys) : []) {
            record(rows[target] ?? [:], of: target, ofServer: index, at: now)
        }
        release(isWhole ? nil : Set(rows.keys).union(targets ?? []))
    }

    /// The rows of an answer, by target and vantage point.
    private func rows(
        of result: QueryResult,
        ofServer index: Int,
        _ metrics: ProbeMetrics
    ) -> [String: [String: Row]] {
        var rows: [String: [String: Row]] = [:]
        for sample in result.samples {
            guard let target = sample.label(metrics.targetLabel) else { continue }
            let vantage = name(ofVantagePoint: sample, metrics, server: index)
            var row = rows[target]?[vantage] ?? (nil, nil)
            if sample.labels[ProbeMetrics.partLabel] != nil {
                row.roundTrip = Duration(roundTrip: sample.value)
            } else {
                // Of several series of one vantage point, the worst counts.
                let health = Health(probe: sample.value)
                if row.health == nil || health == .down { row.health = health }
            }
            rows[target, default: [:]][vantage] = row
        }
        return rows
    }

    /// Records the last values of a vantage point that ended before the program began. Targets that no other one reports
    /// on may be gone, and do not enter.
    mutating func record(
        ended result: QueryResult,
        _ vantage: String,
        at time: Double,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        now: Duration
    ) {
        guard servers[index].reports[vantage] == nil, let ended = localTime(time, ofServer: index, at: now)
        else { return }
        servers[index].ended[vantage] = time
        // Before that, the values would still count.
        let isStale = ended + servers[index].settings.staleAfter <= now
        let rows = rows(of: result, ofServer: index, metrics)
        for (target, row) in rows {
            guard let value = row[vantage], entries[target]?.vantagePoints[index]?.contains(vantage) == false else {
                continue
            }
            // The next rows do not have it, and end it.
            entries[target]?.vantagePoints[index]?.insert(vantage)
            hold(
                isStale ? value.health : nil,
                roundTrip: isStale ? value.roundTrip : nil,
                detail: nil,
                vantage,
                of: target,
                ofServer: index,
                at: now
            )
        }
        release(Set(rows.keys))
    }

    mutating func record(
        _ row: [String: Row],
        of target: String,
        ofServer index: Int,
        at now: Duration
    ) {
        guard entries[target]?.answers.insert(index) != nil else { return }
        let waited = entries[target]?.unexplained[index] ?? []
        var unexplained: Set<String> = []
        for (vantage, value) in row {
            guard let health = value.health else { continue }
            var failure = servers[index].failing[target]?[vantage]
            if health == .up, failure?.health == .down {
                // The next failure is another outage.
                failure?.since = nil
                servers[index].failing[target]?[vantage] = failure
            }
            // The row is newer than the failures, which are read after each report and have the reason. Waits for them, once.
            if health == .down, failure == nil, !servers[index].isFailingCutOff {
                unexplained.insert(vantage)
                guard waited.contains(vantage) else { continue }
            }
            let isDegraded = health == .up && failure?.health == .degraded
            let reason = health == .down || isDegraded ? failure : nil
            hold(
                isDegraded ? .degraded : health,
                roundTrip: health == .down ? nil : value.roundTrip,
                detail: reason?.detail,
                since: reason?.since,
                vantage,
                of: target,
                ofServer: index,
                at: now
            )
        }
        let reporting = Set(row.filter { $0.value.health != nil }.keys)
        // The failing ones may have stale samples.
        let failing = servers[index].failing[target, default: [:]].keys
        let known = (entries[target]?.vantagePoints[index] ?? []).union(failing)
        for vantage in known.subtracting(reporting) {
            hold(nil, roundTrip: nil, detail: nil, vantage, of: target, ofServer: index, at: now)
        }
        entries[target]?.vantagePoints[index] = reporting
        entries[target]?.unexplained[index] = unexplained
    }
}

import ReachMonitoring

/// Answers and failures.
extension QueryPlanner {
    /// Records the answer to a query.
    ///
    /// - Parameter duration: the time from the request to the end of the answer.
    mutating func complete(
        _ query: PlannedQuery,
        _ result: QueryResult,
        after duration: Duration,
        at now: Duration
    ) {
        guard end(query) else { return }
        if failure != nil, now - answered >= Self.longSilence { outages.forget() }
        (failure, answered) = (nil, now)
        backoff.reset()
        rejections[query.purpose.words] = nil
        let cost = min(result.cost ?? duration, duration)
        switch query.purpose {
        case .metricNames:
            names = Set(result.texts)
            discovery = QuerySchedule()
        case .labelNames:
            choose(labels: Set(result.texts), at: now)
        case .reports:
            reports.finish(after: cost, share: Share.reports, pause: settings.interval, at: now)
            note(reports: result, at: now)
        case .counts:
            counts.finish(after: cost, share: Share.counts, pause: Self.countInterval, at: now)
            note(counts: result)
        case .summaries:
            summaries.finish(after: cost, share: Share.reports, pause: Self.rediscovery.found, at: now)
            use(metrics?.mixed(!result.series.isEmpty))
        case .failing:
            failingRound.add(result.series.count, cost: cost)
            if failingRound.isEnd {
                let share = failingRound.count > Self.wideOutage ? Share.wideOutage : Share.failing
                failing.finish(after: failingRound.cost, share: share, pause: Self.longestWait, at: now)
            } else {
                failing.isInFlight = false
            }
            if metrics?.hasFailureTimes == false { note(failing: result) }
        case .outageStarts(_, let window):
            outages.finish(found: vantagePoints(in: result) { OutageSearch.start($0, in: window) != nil })
        case .all:
            all.finish(after: cost, share: Share.rows, pause: Self.longestWait, at: now)
            note(up: result)
            if lookback == .waiting { lookback = metrics?.vantageLabel == nil ? .done : .due }
        case .rows(let targets):
            known.formUnion(targets)
            note(up: result)
            sizeBackoff.reset()
            roundCost += cost
            rows.finish(after: roundCost, share: Share.rows, pause: Self.longestWait, at: now)
            if unread.isEmpty { roundCost = .zero }
        case .outdatedRows(let targets):
            let read = Set(targets)
            known.formUnion(read)
            unread.removeAll { read.contains($0) }
            endChange(cost: cost, at: now)
            note(up: result)
        case .earlierRows:
            endChange(cost: cost, at: now)
            note(up: result)
        case .group(let group):
            groups[group]?.finish(after: cost, share: Share.rows, pause: Self.countInterval * 4, at: now)
            note(up: result)
        case .earlierReports:
            let ends = reportTimes(in: result).filter { newestReports[$0.key] == nil }
            lookback = .found(ends.sorted { $0.key < $1.key }.map { Lookback.VantageEnd(name: $0.key, time: $0.value) })
        case .ended, .range:
            break
        }
    }

    /// Records a failed query. While the server does not answer, all queries pause, with a backoff.
    mutating func fail(
        _ query: PlannedQuery,
        _ problem: QueryFailure,
        at now: Duration,
        using generator: inout some RandomNumberGenerator
    ) {
        guard end(query) else { return }
        guard !problem.isOfServer else {
            failure = problem
            pausedUntil = now + max(settings.interval, backoff.pause(using: &generator))
            changeSchedule(of: query.purpose) { $0 = QuerySchedule() }
            // The times of reports come first: a server that has just started returns values that are minutes old.
            if !reports.isInFlight { reports = QuerySchedule() }
            if query.purpose.isOfLookback { lookback = .due }
            if case .outageStarts = query.purpose { outages.end() }
            return
        }
        if case .outageStarts = query.purpose { return outages.end() }
        guard !query.purpose.isOfLookback else {
            // The rest does not depend on it.
            if lookback == .asked { lookback = .done }
            return
        }
        rejections[query.purpose.words] = problem
        if problem.isOfSize, divide(query.purpose) {
            // Without jitter: the next query must not follow at once, since each answer is large.
            let pause = max(settings.interval, sizeBackoff.limit)
            _ = sizeBackoff.pause(using: &generator)
            return changeSchedule(of: query.purpose) { $0.fail(pause: pause, at: now) }
        }
        switch query.purpose {
        case .rows: roundCost = .zero
        // It is not sent again: the targets are judged without it.
        case .earlierRows: return changes = QuerySchedule()
        case .failing: _ = failingRound.fail(isDivisible: false)
        default: break
        }
        changeSchedule(of: query.purpose) { $0.fail(pause: Self.longestWait, at: now) }
    }

    /// Divides a query whose answer is too long, or would load too many samples.
    ///
    /// - Returns: whether that is possible.
    private mutating func divide(_ purpose: PlannedQuery.Purpose) -> Bool {
        switch purpose {
        case .rows(let targets), .outdatedRows(let targets), .earlierRows(let targets, _):
            guard targets.count > 1 else { return false }
            batch = max(1, targets.count / 2)
        case .failing:
            guard failingRound.fail(isDivisible: metrics?.vantageLabel != nil && !newestReports.isEmpty) else {
                return false
            }
        case .all: isTooLargeAsWhole = true
        default: return false
        }
        return true
    }

    private mutating func endChange(cost: Duration, at now: Duration) {
        sizeBackoff.reset()
        // Counted as a part of the regular round of rows, which is delayed by its share.
        roundCost += cost
        changes.finish(after: .zero, share: 1, pause: .zero, at: now)
    }

    private mutating func choose(labels: Set<String>, at now: Duration) {
        let found = ProbeMetrics(names: names ?? [], labels: labels, settings: settings)
        // The result of the check for summaries is kept.
        use(found?.mixed(metrics?.summaries == .some))
        names = nil
        let pause = found == nil ? Self.rediscovery.none : Self.rediscovery.found
        discovery = QuerySchedule(due: now + pause)
        hasNoMetrics = found == nil
    }

    /// Queries these metrics from now on.
    private mutating func use(_ found: ProbeMetrics?) {
        guard found != metrics else { return }
        (reports, counts, failing, failingRound) = (QuerySchedule(), QuerySchedule(), QuerySchedule(), FailingRound())
        (all, rows, changes) = (QuerySchedule(), QuerySchedule(), QuerySchedule())
        (total, newestReports, lookback, outages) = (nil, [:], .waiting, OutageSearch())
        isTooLargeAsWhole = false
        metrics = found
    }

    private mutating func note(reports result: QueryResult, at now: Duration) {
        let times = reportTimes(in: result)
        guard times != newestReports else { return }
        let limit = settings.staleAfter.inSeconds
        if times.contains(where: { name, time in newestReports[name].map { time - $0 >= limit } ?? false }) {
            outages.forget()
        }
        newestReports = times
        // Everything that was read before the report is outdated.
        failing.outdate(at: now)
        all.outdate(at: now)
        rows.outdate(at: now)
    }

    private func reportTimes(in result: QueryResult) -> [String: Double] {
        var times: [String: Double] = [:]
        for series in result.series where series.value.isFinite {
            times[metrics?.vantagePoint(of: series) ?? ""] = series.value
        }
        return times
    }

    /// The vantage points of an answer by target. Without a label for it, the name is empty.
    private func vantagePoints(
        in result: QueryResult,
        where isIncluded: (MetricSeries) -> Bool = { _ in true }
    ) -> [String: Set<String>] {
        var names: [String: Set<String>] = [:]
        guard let metrics else { return names }
        for series in result.series where isIncluded(series) {
            guard let target = series.label(metrics.targetLabel) else { continue }
            names[target, default: []].insert(metrics.vantagePoint(of: series) ?? "")
        }
        return names
    }

    /// Searches for the start of outages that no vantage point reports.
    private mutating func note(failing result: QueryResult) {
        var failing = vantagePoints(in: result) { $0.value <= 0 }
        for (target, names) in vantagePoints(in: result, where: { $0.value > 0 }) { failing[target]?.subtract(names) }
        outages.note(failing: failing)
    }

    private mutating func note(up rows: QueryResult) {
        guard metrics?.hasFailureTimes == false else { return }
        outages.note(up: vantagePoints(in: rows) { $0.labels[ProbeMetrics.partLabel] == nil && $0.value > 0 })
    }

    private mutating func note(counts result: QueryResult) {
        guard let metrics else { return }
        total = metrics.groupSizes(of: result).values.reduce(0, +)
    }
}

/// One reading of all failing targets: by one query or, if the answer to that is too long, by one for each vantage point.
struct FailingRound: Sendable, Hashable {
    /// The time of the oldest samples of the last whole round, by the server's clock; nil before the first. A target that was
    /// not in its answers did not fail then.
    private(set) var sampled: Double?
    /// Whether all queries of the last round were answered, so that the other targets do not fail.
    private(set) var isWhole = false
    /// The execution time of the server in this round.
    private(set) var cost = Duration.zero
    /// The number of series in this round.
    private(set) var count = 0
    private var isDivided = false
    /// The vantage points that this round has not queried yet.
    private var unread: [String] = []
    private var oldest: Double?

    /// Whether the round has ended.
    var isEnd: Bool { unread.isEmpty }

    /// The vantage point to query; nil for all.
    ///
    /// - Parameter reports: when each vantage point reported last, by the server's clock.
    func next(_ reports: [String: Double]) -> String? {
        isDivided ? unread.first ?? reports.keys.min() : nil
    }

    /// Records that a query is sent.
    ///
    /// - Parameter limit: the age of a report from which a vantage point counts as silent, in seconds.
    mutating func begin(_ vantagePoint: String?, _ reports: [String: Double], staleAfter limit: Double) {
        if unread.isEmpty {
            let newest = reports.values.max() ?? 0
            (oldest, cost, count) = (reports.values.filter { $0 > newest - limit }.min(), .zero, 0)
            if vantagePoint != nil { unread = reports.keys.sorted() }
        }
        unread.removeAll { $0 == vantagePoint }
    }

    /// Records an answer.
    mutating func add(_ count: Int, cost: Duration) {
        self.cost += cost
        self.count += count
        guard isEnd else { return }
        (sampled, isWhole) = (oldest ?? sampled, true)
        if self.count <= QueryPlanner.wideOutage { isDivided = false }
    }

    /// Records a failure.
    ///
    /// - Parameter isDivisible: whether a query for each vantage point may succeed.
    /// - Returns: whether the next query is divided.
    mutating func fail(isDivisible: Bool) -> Bool {
        let isNew = isDivisible && !isDivided
        isDivided = isDivided || isNew
        (isWhole, unread) = (false, [])
        return isNew
    }
}

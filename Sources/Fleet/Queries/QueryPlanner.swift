package import Monitoring

/// Decides which query is due at a server. A pure state machine: times are arguments, counted from the start of the
/// program.
///
/// There are three tiers. Targets are counted by group; all failing targets are read; and so are the rows that are
/// visible. A cheap query asks when each vantage point reported last, and the failing targets and the rows are read again
/// only after a new report. A server that calculates long for an answer is asked less often: all queries together take
/// about a tenth of a core of it.
package struct QueryPlanner: Sendable {
    /// The shares of a core of the server that each purpose may take.
    enum Share {
        static let reports = 0.02
        static let counts = 0.02
        static let failing = 0.04
        static let rows = 0.02
    }

    package let settings: PrometheusSettings
    /// The metrics that are queried; nil before they are known.
    var metrics: ProbeMetrics?
    /// Why the server does not answer; nil while it does.
    package internal(set) var failure: QueryFailure?
    /// When the server answered last.
    var answered = Duration.zero
    /// The server's words about queries that it rejects, by ``PlannedQuery/Purpose/words``.
    package internal(set) var rejections: [String: QueryFailure] = [:]
    /// The names of the metrics; nil before they are known.
    var names: Set<String>?
    var backoff = Backoff(base: .seconds(2), cap: .seconds(30))
    /// No query is sent before, after a failure of the server.
    var pausedUntil = Duration.zero
    var discovery = QueryTurn()
    var reports = QueryTurn()
    var counts = QueryTurn()
    var failing = QueryTurn()
    var all = QueryTurn()
    var rows = QueryTurn()
    var groups: [String: QueryTurn] = [:]
    var lookback = Lookback.waiting
    var outages = OutageSearch()
    private var ranges: [RangeQuestion] = []
    private var rangesInFlight = 0
    /// The number of targets by the last count.
    var total: Int?
    /// When each vantage point reported last, by the server's clock.
    var newestReports: [String: Double] = [:]
    /// The targets whose rows are wanted, the most important first.
    private var wanted: [String] = []
    /// Those that this round has not read yet, and those that were ever read.
    private(set) var unread: [String] = []
    var known: Set<String> = []
    /// How long the server has calculated in this round.
    var roundCost = Duration.zero
    var batch = QueryPlanner.largestBatch
    /// The pauses after queries for too many targets.
    var sizeBackoff = Backoff(base: .seconds(2), cap: .seconds(30))
    private var inFlight: [Int: PlannedQuery] = [:]
    private var nextID = 0

    /// The most queries at a time, besides one about the past.
    static let concurrency = 2
    /// The most targets of one query.
    static let largestBatch = 250
    /// The longest pause between queries that wait for a report.
    static let longestWait = Duration.seconds(30)
    /// How long a server may be silent until the outages after that are searched for in the past again.
    static let longSilence = Duration.seconds(20)
    /// The time between two discoveries of metrics, and after one that found none.
    static let rediscovery = (found: Duration.seconds(600), none: Duration.seconds(10))
    /// The shortest time between two counts.
    static let countInterval = Duration.seconds(15)
    static let mostVantagePoints = 64
    private static let mostCounts = 65_536

    package init(_ settings: PrometheusSettings) {
        self.settings = settings
    }

    /// Whether the server answered, but has no metrics of probes.
    package internal(set) var hasNoMetrics = false

    /// Whether all targets are read, since there are few.
    package var readsAll: Bool { total.map { $0 <= settings.rows } ?? false }

    // MARK: What is wanted

    /// Sets the targets whose rows are wanted, the most important first.
    package mutating func want(rows targets: [String]) {
        guard targets != wanted else { return }
        wanted = targets
        let set = Set(targets)
        known.formIntersection(set)
        let new = targets.filter { !known.contains($0) && !unread.contains($0) }
        unread = new + unread.filter { set.contains($0) }
    }

    /// Sets the groups whose targets are wanted.
    package mutating func want(groups names: Set<String>) {
        groups = groups.filter { names.contains($0.key) || $0.value.isInFlight }
        for name in names where groups[name] == nil { groups[name] = QueryTurn() }
    }

    /// Asks once for the past of a target. Only the newest eight questions matter.
    package mutating func ask(_ question: RangeQuestion) {
        guard !ranges.contains(question), metrics?.expression(for: question) != nil else { return }
        ranges = ranges.suffix(7) + [question]
    }

    // MARK: Queries

    /// The next query to send; nil if none is due.
    package mutating func next(at now: Duration) -> PlannedQuery? {
        guard now >= pausedUntil else { return nil }
        // One query finds out whether the server answers again.
        if failure != nil, !inFlight.isEmpty { return nil }
        guard let purpose = nextPurpose(at: now), let request = request(for: purpose) else { return nil }
        let query = PlannedQuery(id: nextID, purpose: purpose, request: request)
        nextID += 1
        inFlight[query.id] = query
        begin(purpose)
        return query
    }

    /// When ``next(at:)`` may have another query; nil if only an answer can change that.
    package func nextDue(at now: Duration) -> Duration? {
        if failure != nil { return inFlight.isEmpty ? max(pausedUntil, now) : nil }
        guard inFlight.count - rangesInFlight < Self.concurrency else { return nil }
        var turns = [discovery]
        if metrics != nil {
            turns += [reports, counts, failing]
            if readsAll { turns.append(all) } else if total != nil { turns += groups.values }
            if !readsAll, total != nil, !wanted.isEmpty { turns.append(rows) }
            if lookback.purpose != nil || outages.purpose(count: 1) != nil { turns.append(QueryTurn()) }
        }
        return turns.compactMap(\.time).min().map { max($0, pausedUntil) }
    }

    private func nextPurpose(at now: Duration) -> PlannedQuery.Purpose? {
        let isFull = inFlight.count - rangesInFlight >= Self.concurrency
        guard metrics != nil else {
            guard !isFull, discovery.isDue(at: now) else { return nil }
            return names == nil ? .metricNames : .labelNames
        }
        if rangesInFlight == 0, failure == nil, let question = ranges.first { return .range(question) }
        guard !isFull else { return nil }
        if reports.isDue(at: now) { return .reports }
        if failing.isDue(at: now) { return .failing }
        // The failing targets wait for it.
        if let purpose = outages.purpose(count: Self.largestBatch) { return purpose }
        if counts.isDue(at: now), total == nil { return .counts }
        if readsAll {
            if all.isDue(at: now) { return .all }
        } else if total != nil {
            if !unread.isEmpty, !rows.isInFlight, now >= rows.retry { return .rows(Array(unread.prefix(batch))) }
            if !wanted.isEmpty, rows.isDue(at: now) { return .rows(Array(wanted.prefix(batch))) }
            if let group = groups.filter({ $0.value.isDue(at: now) }).keys.min() { return .group(group) }
        }
        if counts.isDue(at: now) { return .counts }
        if let purpose = lookback.purpose { return purpose }
        return discovery.isDue(at: now) ? (names == nil ? .metricNames : .labelNames) : nil
    }

    private func request(for purpose: PlannedQuery.Purpose) -> QueryRequest? {
        let timeout = settings.timeout
        switch purpose {
        case .metricNames: return .list("/api/v1/label/__name__/values", timeout: timeout)
        case .labelNames: return .list("/api/v1/labels", timeout: timeout)
        default: break
        }
        guard let metrics else { return nil }
        let (expression, series): (String, Int)
        switch purpose {
        case .metricNames, .labelNames: return nil
        case .reports: (expression, series) = (metrics.reports, Self.mostVantagePoints)
        case .earlierReports: (expression, series) = (metrics.earlierReports, Self.mostVantagePoints)
        case .ended(let name, let time):
            return metrics.rows(ofVantagePoint: name).map {
                .instant($0, at: time, timeout: timeout, series: 2 * settings.rows)
            }
        case .outageStarts(let targets, let window):
            expression = metrics.outageStarts(of: targets, in: OutageSearch.windows[window])
            series = mostSeries(of: targets.count)
        case .counts: (expression, series) = (metrics.counts, Self.mostCounts)
        case .failing: (expression, series) = (metrics.failing, ProbeMetrics.failingLimit)
        case .all: (expression, series) = (metrics.rows, mostSeries(of: settings.rows))
        case .rows(let targets): (expression, series) = (metrics.rows(of: targets), mostSeries(of: targets.count))
        case .group(let group): (expression, series) = (metrics.rows(ofGroup: group), mostSeries(of: settings.rows))
        case .range(let question):
            return metrics.expression(for: question).map {
                .range($0, question.span, timeout: timeout, series: Self.mostVantagePoints)
            }
        }
        return .instant(expression, timeout: timeout, series: series)
    }

    /// Two series for each target and vantage point.
    private func mostSeries(of targets: Int) -> Int {
        max(1, targets) * 2 * max(1, min(newestReports.count, Self.mostVantagePoints))
    }

    private mutating func begin(_ purpose: PlannedQuery.Purpose) {
        changeTurn(of: purpose) { $0.isInFlight = true }
        switch purpose {
        case .rows(let targets):
            if unread.isEmpty { unread = wanted }
            let read = Set(targets)
            unread.removeAll { read.contains($0) }
        case .earlierReports, .ended: lookback.begin()
        case .outageStarts(let targets, let window): outages.begin(targets, window: window)
        case .range(let question):
            ranges.removeAll { $0 == question }
            rangesInFlight += 1
        default: break
        }
    }

    /// Changes the turn of a purpose that has one.
    mutating func changeTurn(of purpose: PlannedQuery.Purpose, _ change: (inout QueryTurn) -> Void) {
        switch purpose {
        case .metricNames, .labelNames: change(&discovery)
        case .reports: change(&reports)
        case .counts: change(&counts)
        case .failing: change(&failing)
        case .all: change(&all)
        case .rows: change(&rows)
        case .group(let group): if groups[group] != nil { change(&groups[group, default: QueryTurn()]) }
        case .earlierReports, .ended, .outageStarts, .range: break
        }
    }

    /// Removes a query from those in flight.
    ///
    /// - Returns: whether it was one of them.
    mutating func end(_ query: PlannedQuery) -> Bool {
        guard inFlight.removeValue(forKey: query.id) != nil else { return false }
        if case .range = query.purpose { rangesInFlight -= 1 }
        return true
    }
}

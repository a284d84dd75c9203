import ReachMonitoring

/// Decides which query is due at a server. A pure state machine: times are arguments, counted from the start of the
/// program.
///
/// There are three tiers: targets are counted by group, all failing targets are read, and the visible rows are read. A cheap
/// query reads when each vantage point reported last; the failing targets and the rows are read again only after a new
/// report. A slow server is queried less often: all queries together take about a tenth of one of its cores. In a wide
/// outage, correct verdicts matter more: the rows of targets that begin or cease to fail are read at once.
struct QueryPlanner: Sendable {
    /// The shares of a core of the server that each purpose may take.
    enum Share {
        static let reports = 0.02
        static let counts = 0.02
        static let failing = 0.04
        static let rows = 0.02
        /// Of the failing targets, while many fail.
        static let wideOutage = 0.25
    }

    let settings: PrometheusSettings
    /// The metrics that are queried; nil before they are known.
    var metrics: ProbeMetrics?
    /// Why the server does not answer; nil while it does.
    var failure: QueryFailure?
    /// When the server answered last.
    var answered = Duration.zero
    /// The server's errors for rejected queries, by ``PlannedQuery/Purpose/words``.
    var rejections: [String: QueryFailure] = [:]
    /// The names of the metrics; nil before they are known.
    var names: Set<String>?
    var backoff = Backoff(base: .seconds(2), cap: .seconds(30))
    /// No query is sent before this time, after a failure of the server.
    var pausedUntil = Duration.zero
    var discovery = QuerySchedule()
    var reports = QuerySchedule()
    var counts = QuerySchedule()
    var failing = QuerySchedule()
    var failingRound = FailingRound()
    var all = QuerySchedule()
    var rows = QuerySchedule()
    /// The rows of targets that begin or cease to fail.
    var changes = QuerySchedule()
    /// The search for vantage points without summaries.
    var summaries = QuerySchedule()
    var groups: [String: QuerySchedule] = [:]
    var lookback = Lookback.waiting
    var outages = OutageSearch()
    private var ranges: [RangeQuery] = []
    private var rangesInFlight = 0
    /// The number of targets by the last count.
    var total: Int?
    /// When each vantage point reported last, by the server's clock.
    var newestReports: [String: Double] = [:]
    /// Whether the answer about all targets was too long, though there are few.
    var isTooLargeAsWhole = false
    /// The targets whose rows are wanted, the most important first.
    private var wanted: [String] = []
    /// The targets that this round has not read yet.
    var unread: [String] = []
    /// The targets that were ever read.
    var known: Set<String> = []
    /// Targets that are read at once.
    private var outdated: [String] = []
    /// Targets that are read as they were at a time.
    private var earlier: (targets: [String], time: Double)?
    /// The execution time of the server in this round.
    var roundCost = Duration.zero
    var batch = QueryPlanner.largestBatch
    /// The pauses after queries for too many targets.
    var sizeBackoff = Backoff(base: .seconds(2), cap: .seconds(30))
    private var inFlight: [Int: PlannedQuery] = [:]
    /// The number of the next query.
    private(set) var nextID = 0

    /// The maximum number of concurrent queries, besides one range query.
    static let concurrency = 2
    /// The maximum number of targets of one query.
    static let largestBatch = 250
    /// The maximum pause between queries that wait for a report.
    static let longestWait = Duration.seconds(30)
    /// The silence of a server after which the start of outages is searched for again.
    static let longSilence = Duration.seconds(20)
    /// The time between two discoveries of metrics, and after one that found none.
    static let rediscovery = (found: Duration.seconds(600), none: Duration.seconds(10))
    /// The minimum time between two counts.
    static let countInterval = Duration.seconds(15)
    /// The number of failing series above which an outage is wide.
    static let wideOutage = 1_000
    private static let maxVantagePoints = VantagePoints.capacity

    init(_ settings: PrometheusSettings) {
        self.settings = settings
    }

    /// Whether the server rejects queries for earlier times.
    var isEarlierRejected: Bool { rejections[PlannedQuery.Purpose.earlierRows([], at: 0).words] != nil }

    /// Whether the server answered, but has no metrics of probes.
    var hasNoMetrics = false

    /// Whether all targets are read, since there are few.
    var readsAll: Bool { !isTooLargeAsWhole && total.map { $0 <= settings.rows } ?? false }

    // MARK: Requests

    /// Sets the targets whose rows are read, the most important first.
    mutating func request(rows targets: [String]) {
        guard targets != wanted else { return }
        wanted = targets
        let set = Set(targets)
        known.formIntersection(set)
        let waiting = Set(unread)
        let new = targets.filter { !known.contains($0) && !waiting.contains($0) }
        unread = new + unread.filter { set.contains($0) }
    }

    /// Sets the targets that are read at once. More than ``largestBatch`` take several queries, so a caller may omit the rest.
    mutating func request(outdated targets: [String]) { outdated = targets }

    /// Sets the targets that are read as they were at a time, in seconds since 1970; nil for none.
    mutating func request(earlier: (targets: [String], time: Double)?) { self.earlier = earlier }

    /// Sets the groups whose targets are read.
    mutating func request(groups names: Set<String>) {
        groups = groups.filter { names.contains($0.key) || $0.value.isInFlight }
        for name in names where groups[name] == nil { groups[name] = QuerySchedule() }
    }

    /// Requests the past of a target once. The newest eight requests are kept.
    mutating func request(_ range: RangeQuery) {
        guard !ranges.contains(range), metrics?.expression(for: range) != nil else { return }
        ranges = ranges.suffix(7) + [range]
    }

    // MARK: Queries

    /// The next query to send; nil if none is due.
    mutating func next(at now: Duration) -> PlannedQuery? {
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
    func nextDue(at now: Duration) -> Duration? {
        if failure != nil { return inFlight.isEmpty ? max(pausedUntil, now) : nil }
        guard inFlight.count - rangesInFlight < Self.concurrency else { return nil }
        var turns = [discovery]
        if metrics != nil {
            turns += [reports, counts, failing]
            if readsAll { turns.append(all) } else if total != nil { turns += groups.values }
            if !readsAll, total != nil, !wanted.isEmpty { turns.append(rows) }
            if earlier != nil || !outdated.isEmpty && total != nil { turns.append(changes) }
            if metrics?.summaryCheck != nil { turns.append(summaries) }
            if lookback.purpose != nil || outages.purpose(count: 1) != nil { turns.append(QuerySchedule()) }
        }
        return turns.compactMap(\.time).min().map { max($0, pausedUntil) }
    }

    private func nextPurpose(at now: Duration) -> PlannedQuery.Purpose? {
        let isFull = inFlight.count - rangesInFlight >= Self.concurrency
        guard metrics != nil else {
            guard !isFull, discovery.isDue(at: now) else { return nil }
            return names == nil ? .metricNames : .labelNames
        }
        if rangesInFlight == 0, failure == nil, let range = ranges.first { return .range(range) }
        guard !isFull else { return nil }
        if reports.isDue(at: now) { return .reports }
        if failing.isDue(at: now) { return .failing(vantagePoint: failingRound.next(newestReports)) }
        if let purpose = nextChange(at: now) { return purpose }
        // The failing targets wait for it. What was up before they failed need not be searched for.
        if earlier == nil, let purpose = outages.purpose(count: Self.largestBatch) { return purpose }
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
        if metrics?.summaryCheck != nil, summaries.isDue(at: now) { return .summaries }
        return discovery.isDue(at: now) ? (names == nil ? .metricNames : .labelNames) : nil
    }

    /// The rows of targets that begin or cease to fail.
    private func nextChange(at now: Duration) -> PlannedQuery.Purpose? {
        guard changes.isDue(at: now) else { return nil }
        if let earlier { return .earlierRows(Array(earlier.targets.prefix(batch)), at: earlier.time) }
        guard total != nil, !outdated.isEmpty, !all.isInFlight else { return nil }
        // A fleet that is read as a whole needs one query for any number of them.
        if readsAll, all.isDue(at: now) || outdated.count > batch, now >= all.retry { return .all }
        return .outdatedRows(Array(outdated.prefix(batch)))
    }

    private func request(for purpose: PlannedQuery.Purpose) -> QueryRequest? {
        let timeout = settings.timeout
        switch purpose {
        case .metricNames: return .list("/api/v1/label/__name__/values", timeout: timeout)
        case .labelNames: return .list("/api/v1/labels", timeout: timeout)
        default: break
        }
        guard let metrics else { return nil }
        let expression: String
        switch purpose {
        case .metricNames, .labelNames: return nil
        case .reports: expression = metrics.reports
        case .earlierReports: expression = metrics.earlierReports
        case .ended(let name, let time):
            return metrics.rows(ofVantagePoint: name).map { .instant($0, at: time, timeout: timeout) }
        case .outageStarts(let targets, let window):
            expression = metrics.outageStarts(of: targets, in: OutageSearch.windows[window])
        case .counts: expression = metrics.counts
        case .summaries:
            guard let check = metrics.summaryCheck else { return nil }
            expression = check
        case .failing(let name): expression = metrics.failing(ofVantagePoint: name)
        case .all: expression = metrics.rows
        case .rows(let targets), .outdatedRows(let targets): expression = metrics.rows(of: targets)
        case .earlierRows(let targets, let time):
            return .instant(metrics.rows(of: targets), at: time, timeout: timeout)
        case .group(let group): expression = metrics.rows(ofGroup: group)
        case .range(let range):
            return metrics.expression(for: range).map {
                .range($0, range.span, timeout: timeout, series: Self.maxVantagePoints)
            }
        }
        return .instant(expression, timeout: timeout)
    }

    private mutating func begin(_ purpose: PlannedQuery.Purpose) {
        changeSchedule(of: purpose) { $0.isInFlight = true }
        switch purpose {
        case .failing(let name):
            failingRound.begin(name, newestReports, staleAfter: settings.staleAfter.inSeconds)
        case .rows(let targets):
            if unread.isEmpty { unread = wanted }
            let read = Set(targets)
            unread.removeAll { read.contains($0) }
        case .earlierReports, .ended: lookback.begin()
        case .outageStarts(let targets, let window): outages.begin(targets, window: window)
        case .range(let range):
            ranges.removeAll { $0 == range }
            rangesInFlight += 1
        default: break
        }
    }

    /// Changes the turn of a purpose that has one.
    mutating func changeSchedule(of purpose: PlannedQuery.Purpose, _ change: (inout QuerySchedule) -> Void) {
        switch purpose {
        case .metricNames, .labelNames: change(&discovery)
        case .reports: change(&reports)
        case .counts: change(&counts)
        case .failing: change(&failing)
        case .all: change(&all)
        case .rows: change(&rows)
        case .outdatedRows, .earlierRows: change(&changes)
        case .summaries: change(&summaries)
        case .group(let group): if groups[group] != nil { change(&groups[group, default: QuerySchedule()]) }
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

/// When a repeated query is due.
struct QuerySchedule: Sendable, Hashable {
    /// When it is due, unless ``earliest`` is later.
    var due = Duration.zero
    /// The end of the pause after the last answer, which is proportional to the server's execution time.
    var earliest = Duration.zero
    /// The end of the pause after a failure. A new report does not end it.
    var retry = Duration.zero
    var isInFlight = false
    /// Whether there is a new report since the query was sent.
    var isOutdated = false

    /// When the query is due; nil while it is in flight.
    var time: Duration? { isInFlight ? nil : max(due, earliest, retry) }

    func isDue(at now: Duration) -> Bool {
        time.map { now >= $0 } ?? false
    }

    /// Makes the query due, since there is a new report.
    mutating func outdate(at now: Duration) {
        if isInFlight { isOutdated = true } else { due = min(due, now) }
    }

    /// Ends the query.
    ///
    /// - Parameters:
    ///   - cost: the execution time of the server.
    ///   - share: the share of a core of the server that the query may take.
    ///   - pause: the time until it is due again, unless there is a new report.
    mutating func finish(after cost: Duration, share: Double, pause: Duration, at now: Duration) {
        due = isOutdated ? now : now + pause
        earliest = now + cost * (1 / share)
        isInFlight = false
        isOutdated = false
    }

    /// Ends the query without an answer; it is sent again after a pause.
    mutating func fail(pause: Duration, at now: Duration) {
        self = QuerySchedule(due: now + pause, retry: now + pause)
    }
}

/// Finds vantage points that vanished in the hour before the start. It is made once, after all targets of the server were
/// read, and only for fleets that are read as a whole.
enum Lookback: Sendable, Hashable {
    /// The targets were not read yet.
    case waiting
    /// The vantage points of the last hour are queried next.
    case due
    /// They are being queried.
    case asked
    /// The targets of these vantage points are read next.
    case found([VantageEnd])

    /// A vantage point that has ended, and when it reported last, in seconds since 1970.
    struct VantageEnd: Sendable, Hashable {
        let name: String
        let time: Double
    }

    /// Nothing is left to do.
    static let done = Lookback.found([])

    /// The query to send; nil if there is none now.
    var purpose: PlannedQuery.Purpose? {
        switch self {
        case .due: .earlierReports
        case .found(let ends): ends.first.map { .ended(vantagePoint: $0.name, at: $0.time) }
        case .waiting, .asked: nil
        }
    }

    /// Records that the query is sent.
    mutating func begin() {
        switch self {
        case .due: self = .asked
        case .found(let ends): self = .found(Array(ends.dropFirst()))
        case .waiting, .asked: break
        }
    }
}

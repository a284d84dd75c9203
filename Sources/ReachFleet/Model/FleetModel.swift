import ReachMonitoring

/// Joins the answers of all servers into targets and reports of vantage points. A pure state machine.
///
/// A target enters when it fails, when it is visible, or when all targets of its group or fleet are read. Reports on a
/// target wait until each server that answers was queried for it. Otherwise, the first vantage point that sees it down
/// would be a majority of one.
struct FleetModel: Sendable {
    /// What is known about one target.
    struct Entry: Sendable, Hashable {
        /// The name on the screen.
        let name: String
        var group: String?
        /// The label that alerts about the target have.
        let matcher: LabelMatcher
        /// The label that alerts about its group have.
        let groupMatcher: LabelMatcher?
        /// The index of the server that reported it first.
        var server: Int
        /// The servers that it was read from.
        var answers: Set<Int> = []
        /// The reports that wait for the other servers, by vantage point.
        var deferred: [String: VantageReport] = [:]
        /// The reports from before it failed, which are published before ``deferred``.
        var earlier: [VantageReport] = []
        /// The vantage points that have reported it, by server.
        var vantagePoints: [Int: Set<String>] = [:]
        /// The vantage points whose row says down while the failure with the reason is not read yet, by server.
        var unexplained: [Int: Set<String>] = [:]
        /// When it was needed last: failing, visible, or in an answer about all.
        var needed: Duration
        /// When it failed last; nil if it never did.
        var failed: Duration?
    }

    var servers: [Server]
    var entries: [String: Entry] = [:]
    /// The labels of the targets by their names on the screen.
    var labels: [String: String] = [:]
    /// The names of the targets that are probed by this program.
    private(set) var reserved: Set<String>
    var visible: [String] = []
    var update = FleetUpdate()
    var hasNewTargets = true
    /// When the vantage points that have reported since the last update did so.
    var reporting: [String: Duration] = [:]

    /// How long a target is kept after it was needed last.
    static let keep = Duration.seconds(600)
    /// The maximum number of targets.
    static let capacity = 100_000
    /// How long the times of the last reports are valid.
    static let reportsHold = Duration.seconds(10)
    /// The difference of clocks above which it is reported.
    static let clockLimit = Duration.seconds(30)

    /// - Parameter reserved: the names of the targets that this program probes.
    init(_ servers: [PrometheusSettings], reserved: Set<String> = []) {
        self.servers = servers.map { Server(settings: $0, state: FleetServer(name: $0.name)) }
        self.reserved = reserved
    }

    /// Sets the names of the targets that this program probes. A target of the fleet with such a name gets another one.
    mutating func reserve(_ names: Set<String>) {
        reserved = names
        for (label, entry) in entries where names.contains(entry.name) {
            entries[label] = nil
            labels[entry.name] = nil
            hasNewTargets = true
        }
    }

    // MARK: What is needed

    /// Sets the visible targets, by their names on the screen.
    mutating func show(_ names: [String], at now: Duration) {
        visible = names.compactMap { labels[$0] }
        for label in visible { entries[label]?.needed = now }
    }

    /// The targets whose rows are read repeatedly: visible and failing ones, and those that failed recently.
    func requestedRows(at now: Duration) -> [String] {
        var set = Set(visible)
        // Where all vantage points see a target down, its rows add nothing.
        let failing = Set(servers.flatMap(\.failing.keys)).filter { target in
            !set.contains(target) && !servers.allSatisfy { $0.isDownEverywhere(target) }
        }
        set.formUnion(failing)
        let recent = entries.filter { label, entry in
            guard !set.contains(label), entry.failed.map({ now - $0 < Self.keep }) ?? false else { return false }
            return servers.allSatisfy { $0.failing[label] == nil }
        }
        return visible + failing.sorted() + recent.keys.sorted()
    }

    /// Whether targets wait to be read at once.
    var hasUnread: Bool {
        servers.contains { !$0.isSilent && !($0.unread.isEmpty && $0.unreadPast.isEmpty) }
    }

    /// The targets to read at once from a server, at most one more than fit into a query.
    func outdatedRows(ofServer index: Int) -> [String] {
        servers[index].unread.keys.prefix(QueryPlanner.largestBatch + 1).sorted()
    }

    /// The targets to read from a server as of an earlier time, by its clock; nil if there are none.
    func earlierRows(ofServer index: Int) -> (targets: [String], time: Double)? {
        let unread = servers[index].unreadPast
        guard let time = unread.values.min() else { return nil }
        return (unread.lazy.filter { $0.value == time }.prefix(QueryPlanner.largestBatch).map(\.key).sorted(), time)
    }

    /// The label of a target by its name on the screen.
    func label(ofTarget name: String) -> String? { labels[name] }

    /// The quorum for a target.
    func quorum(ofTarget label: String) -> Quorum {
        entries[label].map { servers[$0.server].settings.quorum } ?? .majority
    }

    /// The time of a server's clock, in seconds since 1970; nil before an answer.
    func time(ofServer index: Int, at now: Duration) -> Double? {
        servers[index].start.map { $0 + now.inSeconds }
    }

    // MARK: Answers

    /// Records an answer.
    ///
    /// - Parameters:
    ///   - planner: the planner of the server, which has completed the query.
    ///   - wall: the time of this machine's clock at the start of the program, in seconds since 1970.
    mutating func record(
        _ result: QueryResult,
        to query: PlannedQuery,
        ofServer index: Int,
        planner: QueryPlanner,
        wall: Double,
        at now: Duration
    ) {
        guard let metrics = planner.metrics else { return noteAnswer(of: index, planner, at: now) }
        noteAnswer(of: index, planner, at: now)
        if let time = result.time, !query.purpose.isRange { noteClock(time, ofServer: index, wall: wall, at: now) }
        let undated = servers[index].undated
        servers[index].undated = planner.outages.targets
        servers[index].nextQuery = planner.nextID
        if !planner.readsAll { servers[index].isWhole = false }
        switch query.purpose {
        case .reports: record(reports: result, ofServer: index, metrics, at: now)
        case .counts:
            let sizes = metrics.groupSizes(of: result)
            if !sizes.isEmpty || servers[index].groupSizes.isEmpty { servers[index].groupSizes = sizes }
        case .failing(let vantagePoint):
            record(failing: result, of: vantagePoint, ofServer: index, metrics, at: now)
            servers[index].isFailingWhole = planner.failingRound.isWhole
            servers[index].failingRead = planner.failingRound.sampled
        case .all:
            servers[index].isWhole = true
            record(rows: result, about: nil, number: query.id, ofServer: index, metrics, at: now)
        case .group: record(rows: result, about: [], number: query.id, ofServer: index, metrics, at: now)
        case .rows(let targets), .outdatedRows(let targets):
            record(rows: result, about: targets, number: query.id, ofServer: index, metrics, at: now)
        case .earlierRows(let targets, let time):
            record(earlier: result, about: targets, at: time, ofServer: index, metrics, now: now)
        case .ended(let name, let time):
            record(ended: result, name, at: time, ofServer: index, metrics, now: now)
        case .outageStarts(_, let window):
            record(outageStarts: result, in: window, ofServer: index, metrics, at: now)
        case .metricNames, .labelNames, .summaries, .earlierReports, .range: break
        }
        publishReports(undated.subtracting(servers[index].undated))
    }

    /// Records a failed query, which the planner has recorded before.
    mutating func noteFailure(ofServer index: Int, _ planner: QueryPlanner, at now: Duration) {
        note(problem: problem(of: planner), ofServer: index, at: now)
        let undated = servers[index].undated
        servers[index].undated = planner.outages.targets
        servers[index].isFailingWhole = planner.failingRound.isWhole
        // Without earlier rows, a failure is the first known state of a target.
        if planner.isEarlierRejected { servers[index].unreadPast = [:] }
        if planner.failure != nil {
            servers[index].isSilent = true
            // Reports no longer wait for this server.
            publishReports()
        } else {
            publishReports(planner.isEarlierRejected ? nil : undated.subtracting(servers[index].undated))
        }
    }

    private mutating func noteAnswer(of index: Int, _ planner: QueryPlanner, at now: Duration) {
        if planner.metrics != nil { servers[index].state.answered = now }
        servers[index].isSilent = planner.hasNoMetrics
        note(problem: problem(of: planner), ofServer: index, at: now)
        if planner.hasNoMetrics { publishReports() }
    }

    private func problem(of planner: QueryPlanner) -> String? {
        if let failure = planner.failure { return failure.text }
        if planner.hasNoMetrics {
            return "no metrics of probes – probes = 'PROMQL', or scrape reach watch --listen or blackbox_exporter"
        }
        return planner.rejections.min { $0.key < $1.key }.map { "query about \($0.key): \($0.value.text)" }
    }

    private mutating func note(problem: String?, ofServer index: Int, at now: Duration) {
        let isNew = (problem == nil) != (servers[index].state.problem == nil)
        if isNew { servers[index].state.problemSince = problem == nil ? nil : now }
        servers[index].state.problem = problem
    }

    private mutating func noteClock(_ time: Double, ofServer index: Int, wall: Double, at now: Duration) {
        // Beyond the year 5000, the clock is invalid.
        guard time.isFinite, abs(time) < 1e11 else { return }
        let start = time - now.inSeconds
        servers[index].start = start
        let ahead = Duration.seconds(max(-1e9, min(1e9, start - wall)))
        let isLarge = ahead > Self.clockLimit || ahead < .zero - Self.clockLimit
        // Rounded to five seconds, so that the message does not change with each answer.
        servers[index].state.clockAhead = isLarge ? .seconds((ahead.inSeconds / 5).rounded() * 5) : nil
    }

    func name(ofVantagePoint series: MetricSeries, _ metrics: ProbeMetrics, server index: Int) -> String {
        metrics.vantagePoint(of: series) ?? servers[index].settings.name
    }

    private mutating func record(
        reports result: QueryResult,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration
    ) {
        var reports: [String: Double] = [:]
        for series in result.series where series.value.isFinite {
            reports[name(ofVantagePoint: series, metrics, server: index)] = series.value
        }
        noteReturn(of: reports.keys.filter { wasSilent($0, ofServer: index, at: now) }, ofServer: index)
        servers[index].reports = reports
        for name in reports.keys { servers[index].ended[name] = nil }
        servers[index].reportsAnswered = now
        for name in reports.keys { reporting[name] = lastReport(of: name, ofServer: index, at: now) }
    }

    /// When a vantage point reported last, by the last answers of all servers; nil if that is unknown.
    private func lastReport(of name: String, ofServer index: Int, at now: Duration) -> Duration? {
        let sampled = servers.indices.compactMap { other in
            servers[other].reports[name].flatMap { localTime($0, ofServer: other, at: now) }
        }
        .max()
        let server = servers[index]
        guard let sampled, server.reportsAnswered - sampled < server.settings.staleAfter else { return sampled }
        // If the server falls silent, all reports expire at once; otherwise the last to expire would outvote the rest.
        let newest = server.reports.values.compactMap { localTime($0, ofServer: index, at: now) }.max()
        return max(sampled, newest ?? sampled)
    }

    /// Whether a vantage point has been silent for long, by the last answers.
    private func wasSilent(_ name: String, ofServer index: Int, at now: Duration) -> Bool {
        guard servers[index].reports[name] != nil, let time = lastReport(of: name, ofServer: index, at: now) else {
            return false
        }
        return time + servers[index].settings.staleAfter <= now
    }

    /// Marks the targets of vantage points that report again after a long silence: their values are outdated.
    private mutating func noteReturn(of names: [String], ofServer index: Int) {
        guard !names.isEmpty else { return }
        for (target, entry) in entries where entry.vantagePoints[index]?.isDisjoint(with: names) == false {
            servers[index].outdate(target)
        }
    }

    /// Converts a time of a server's clock to the time since the start of the program, at most now.
    func localTime(_ time: Double, ofServer index: Int, at now: Duration) -> Duration? {
        guard let start = servers[index].start, time.isFinite else { return nil }
        return min(now, .seconds(max(-1e9, min(1e9, time - start))))
    }

    // MARK: Targets

    /// Adds a target, or records that it is still needed.
    ///
    /// - Returns: whether the target is new.
    mutating func enter(
        _ target: String,
        _ series: MetricSeries,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration,
        isNeeded: Bool = true
    ) -> Bool {
        guard entries[target] == nil else {
            if isNeeded { entries[target]?.needed = now }
            return false
        }
        guard entries.count < Self.capacity else { return false }
        let name = unusedName(for: target)
        let group = series.label(metrics.groupLabel)
        entries[target] = Entry(
            name: name,
            group: group?.plainLabel(limit: 200),
            matcher: LabelMatcher(metrics.targetLabel, target),
            groupMatcher: group.map { LabelMatcher(metrics.groupLabel, $0) },
            server: index,
            needed: now
        )
        labels[name] = target
        hasNewTargets = true
        return true
    }

    private func unusedName(for label: String) -> String {
        let plain = label.plainLabel(limit: 200) ?? "unnamed"
        guard labels[plain] != nil || reserved.contains(plain) else { return plain }
        return (2...).lazy.map { "\(plain) (\($0))" }.first { labels[$0] == nil && !reserved.contains($0) } ?? plain
    }

    mutating func deferReport(
        _ health: Health?,
        roundTrip: Duration? = nil,
        detail: String? = nil,
        since: Double? = nil,
        isNew: Bool = false,
        _ vantage: String,
        of target: String,
        ofServer index: Int,
        at now: Duration
    ) {
        let server = servers[index]
        // A slow server is rarely queried for the times of reports. A changed value is newer than the last known report.
        let isKnown = !isNew && now - server.reportsAnswered < Self.reportsHold
        let time = server.start.map { $0 + now.inSeconds } ?? now.inSeconds
        let sampled = server.ended[vantage] ?? (isKnown ? server.reports[vantage] ?? time : time)
        let report = VantageReport(
            vantagePoint: vantage,
            health: health,
            roundTrip: roundTrip,
            detail: detail,
            since: since.flatMap { localTime($0, ofServer: index, at: now) },
            sampled: .seconds(max(-1e9, min(1e11, sampled))),
            time: localTime(sampled, ofServer: index, at: now) ?? now
        )
        entries[target]?.deferred[vantage] = report
    }

    /// Moves the reports on targets to the update that no server is still to be read for.
    ///
    /// - Parameter targets: the targets; nil for all.
    mutating func publishReports(_ targets: Set<String>? = nil) {
        for target in targets ?? Set(entries.keys) {
            guard let entry = entries[target], !entry.deferred.isEmpty else { continue }
            let isKnown = servers.indices.allSatisfy { index in
                let server = servers[index]
                guard !server.isSilent else { return true }
                return entry.answers.contains(index) && !server.undated.contains(target)
                    && server.unread[target] == nil && server.unreadPast[target] == nil
            }
            guard isKnown else { continue }
            if !entry.earlier.isEmpty { update.earlier[entry.name] = entry.earlier }
            entries[target]?.earlier = []
            update.reports[entry.name, default: []] += entry.deferred.values.sorted {
                $0.vantagePoint < $1.vantagePoint
            }
            entries[target]?.deferred = [:]
        }
    }
}

extension Health {
    /// The health by the value of a probe: 1 for up, 0 for down. Anything else is unknown, such as a rate of zero divided
    /// by zero.
    init(probe value: Double) {
        self = value.isNaN ? .unknown : value > 0 ? .up : .down
    }
}

extension Duration {
    /// Creates a round trip from seconds; nil for an invalid value.
    init?(roundTrip seconds: Double) {
        guard seconds.isFinite, seconds >= 0, seconds < 86_400 else { return nil }
        self = .seconds(seconds)
    }
}

import ReachMonitoring

/// What the screen has read of the history, and when it reads again.
///
/// At most one request for pasts and one for availability wait for their answers. The pasts of the targets that were
/// read last are kept. The strips of the pages before and after are read when those of the page are.
struct HistoryCache: Sendable {
    /// What the present view shows of the history.
    struct Needs {
        /// The targets with strips.
        var strips: [ProbeRequest.Assignment] = []
        /// The targets whose strips the next key may show.
        var nearbyStrips: [ProbeRequest.Assignment] = []
        /// The target with figures.
        var detail: ProbeRequest.Assignment?
        /// When this run of the program has run, by the wall clock.
        var ranWhile: [Range<Duration>] = []
        /// Whether the table shows availability.
        var hasColumns = false
        /// The targets whose hooks run in another process.
        var hookRuns: [ProbeRequest.Assignment] = []
        /// The target with a chart of a long time, and its columns.
        var chart: (assignment: ProbeRequest.Assignment, period: ChartPeriod)?
        /// The time that a frozen screen is to show, since 1970.
        var moment: Duration?
    }

    private struct Entry {
        var past: TargetPast
        /// When it was read.
        var time: Duration
        var hasFigures: Bool
    }

    private var entries: [Target.ID: Entry] = [:]
    /// The targets with strips in the present view.
    private var shown: Set<Target.ID> = []
    /// The availability of all targets, as of the last answer.
    private(set) var availability: [Target.ID: PeriodAvailability] = [:]
    /// The number of answers with availability.
    private(set) var availabilityCount = 0
    /// Why the history cannot be read; nil if it was, or was not tried.
    private(set) var problem: String?
    /// The earliest time that the history has, since 1970; nil before a moment was read.
    private(set) var start: Duration?
    /// The offsets of local time; nil before the first answer.
    private(set) var zone: ZoneOffsets?
    /// The targets whose statistics the user has reset, so that the figures before do not count.
    private var resetTargets: Set<Target.ID> = []

    /// Whether the view waits for the pasts that were requested last: it has shown none of some target yet.
    private(set) var isAwaited = false

    /// When the requests without an answer were made.
    private var (pastsRequested, availabilityRequested, hookRunsRequested): (Duration?, Duration?, Duration?)
    /// The chart of a long time that was read last, its target, and when it was read.
    private var chart: (target: Target.ID, chart: StoredChart, time: Duration)?
    private var chartRequested: Duration?
    /// The moment that is read at present.
    private var momentRequested: Duration?
    /// When availability is read again, and anything after a problem.
    private var (availabilityTime, retryTime) = (Duration.zero, Duration.zero)
    /// When hook runs of another process are read again.
    private var hookRunsTime = Duration.zero

    /// The number of targets whose pasts are kept: more than a screen has rows.
    private static let capacity = 400
    /// How long a past is shown before it is read again. What happens meanwhile is known without the history.
    private static let pastLifetime = Duration.seconds(300)
    /// How long the availability of all targets is shown, and the time before the next try after a problem.
    private static let interval = Duration.seconds(60)
    /// Reading the availability of all targets takes at most one in so many seconds.
    private static let minPauseFactor = 50
    /// How long hook runs of another process are shown before they are read again.
    private static let hookRunsLifetime = Duration.seconds(2)

    /// The columns of a chart of a long time; nil before they were read.
    func columns(of target: Target.ID, _ period: ChartPeriod) -> [ChartColumn]? {
        guard let chart, chart.target == target, chart.chart.period.step == period.step else { return nil }
        let offset = chart.chart.period.column(of: period.start)
        return (0..<period.count).map { chart.chart.columns[$0 + offset].map { ChartColumn($0) } ?? .blank }
    }

    /// Whether a chart is to be read: none of its columns are known, or a minute has passed.
    private func isDue(_ target: Target.ID, _ period: ChartPeriod, at now: Duration) -> Bool {
        guard let chart, chart.target == target, chart.chart.period.step == period.step else { return true }
        let isCovered = chart.chart.period.start <= period.start && period.end <= chart.chart.period.end
        return now >= chart.time + (isCovered ? Self.interval : .seconds(5))
    }

    /// Whether there is no history.
    var isOff: Bool { problem != nil }

    /// The past of a target; nil before it was read.
    func past(of id: Target.ID) -> TargetPast? {
        guard var past = entries[id]?.past else { return nil }
        if resetTargets.contains(id) { past.figures = nil }
        return past
    }

    /// Returns the requests that are due.
    ///
    /// - Parameter all: returns all targets.
    mutating func requests(
        for needs: Needs,
        at now: Duration,
        all: () -> [ProbeRequest.Assignment]
    ) -> [HistoryRequest] {
        shown = Set(needs.strips.map(\.id))
        if let moment = needs.moment, momentRequested == nil {
            momentRequested = moment
            return [.moment(moment, all())]
        }
        guard now >= retryTime else { return [] }
        var requests: [HistoryRequest] = []
        if pastsRequested == nil {
            if let detail = needs.detail, isDue(detail.id, hasFigures: true, at: now) {
                requests.append(.figures(detail, without: needs.ranWhile))
                isAwaited = entries[detail.id] == nil
            } else {
                let due = needs.strips.filter { isDue($0.id, hasFigures: false, at: now) }
                // Invisible targets must not evict visible ones.
                let nearby = needs.nearbyStrips.prefix(max(0, Self.capacity - needs.strips.count))
                let read = due.isEmpty ? nearby.filter { isDue($0.id, hasFigures: false, at: now) } : due
                if !read.isEmpty { requests.append(.pasts(read)) }
                isAwaited = due.contains { entries[$0.id] == nil }
            }
            if !requests.isEmpty { pastsRequested = now }
        }
        if let (assignment, period) = needs.chart, chartRequested == nil, isDue(assignment.id, period, at: now) {
            chartRequested = now
            requests.append(.chart(assignment, period))
        }
        if needs.hasColumns, availabilityRequested == nil, now >= availabilityTime {
            availabilityRequested = now
            requests.append(.availability(all()))
        }
        if !needs.hookRuns.isEmpty, hookRunsRequested == nil, now >= hookRunsTime {
            hookRunsRequested = now
            requests.append(.hookRuns(needs.hookRuns))
        }
        return requests
    }

    private func isDue(_ id: Target.ID, hasFigures: Bool, at now: Duration) -> Bool {
        guard let entry = entries[id], entry.hasFigures || !hasFigures else { return true }
        return now >= entry.time + Self.pastLifetime
    }

    /// Receives an answer.
    mutating func receive(_ answer: HistoryAnswer, zone: ZoneOffsets, at now: Duration) {
        self.zone = zone
        switch answer {
        case .pasts(let pasts):
            pastsRequested = nil
            problem = nil
            for (id, past) in pasts { keep(past, of: id, hasFigures: false, at: now) }
            evictOldest()
        case .figures(let id, let past):
            pastsRequested = nil
            problem = nil
            keep(past, of: id, hasFigures: true, at: now)
            evictOldest()
        case .availability(let new):
            let took = now - (availabilityRequested ?? now)
            availabilityRequested = nil
            problem = nil
            availability = new
            availabilityCount += 1
            availabilityTime = now + max(Self.interval, took * Self.minPauseFactor)
        case .hookRuns:
            hookRunsRequested = nil
            problem = nil
            hookRunsTime = now + Self.hookRunsLifetime
        case .chart(let target, let chart):
            chartRequested = nil
            problem = nil
            self.chart = (target, chart, now)
        case .moment(let moment):
            momentRequested = nil
            problem = nil
            start = moment.start ?? start
        case .unreadable(let text):
            (pastsRequested, availabilityRequested, hookRunsRequested) = (nil, nil, nil)
            (momentRequested, chartRequested) = (nil, nil)
            problem = text
            retryTime = now + Self.interval
        }
    }

    private mutating func keep(_ past: TargetPast, of id: Target.ID, hasFigures: Bool, at now: Duration) {
        var entry = Entry(past: past, time: now, hasFigures: hasFigures)
        if !hasFigures, let old = entries[id] {
            // The figures before the start of the program stay as they were.
            (entry.past.figures, entry.hasFigures) = (old.past.figures, old.hasFigures)
        }
        entries[id] = entry
    }

    private mutating func evictOldest() {
        guard entries.count > Self.capacity else { return }
        let hidden = entries.filter { !shown.contains($0.key) }.map { (time: $0.value.time, id: $0.key) }
        let oldest = hidden.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        for (_, id) in oldest.prefix(entries.count - Self.capacity) { entries[id] = nil }
    }

    /// Notes that the user has reset the statistics of targets.
    mutating func reset(_ ids: [Target.ID]) {
        resetTargets.formUnion(ids)
    }

    /// Forgets what was read, after the targets have changed. It is read again.
    mutating func removeAll() {
        entries = [:]
        availabilityTime = .zero
    }
}

extension Model {
    /// Returns the requests for what the present view shows of the history.
    mutating func readHistory() -> [Effect] {
        var needs = HistoryCache.Needs()
        switch navigation.view {
        case .strips:
            let view = StripsView(model: self)
            needs.strips = view.visible.map { assignment(at: $0) }
            needs.nearbyStrips = view.nearby.map { assignment(at: $0) }
            needs.hasColumns = list.sort.isAvailability
        case .detail(let viewState):
            needs.detail = shownRoster.position(of: viewState.target).map { assignment(at: $0) }
            let period = DetailView(model: self, viewState: viewState).storedPeriod
            needs.chart = period.flatMap { period in needs.detail.map { ($0, period) } }
        case .table: needs.hasColumns = list.sort.column != nil || columns.shown.contains { $0.period != nil }
        case .hooks where live.hookOwner?.isThisProcess == false: needs.hookRuns = hookAssignments
        case .wall, .graphs, .vantagePoints, .path, .paths, .comparison, .events, .hooks: break
        }
        let (states, now) = (shownRoster.states, live.now)
        // By the clock of the frozen screen, to which the answer is compared.
        needs.moment = frozen.flatMap { frozen in frozen.awaitedTime.map { frozen.live.wall.start + $0 } }
        needs.ranWhile = live.coverage.ranges(until: live.wall.start + now)
        let requests = history.requests(for: needs, at: now) {
            states.map { ProbeRequest.Assignment(id: $0.id, target: $0.sharedTarget) }
        }
        return requests.map(Effect.readHistory)
    }

    /// Adds the probes of the minute of the start that were before it: what the history has of that minute includes those
    /// of this run.
    func completed(_ answer: HistoryAnswer) -> HistoryAnswer {
        guard case .figures(let id, var past) = answer, let samples = live.roster[id]?.history else { return answer }
        let minute = Duration.seconds(60)
        // By the clock of the start: what the history has was written by it.
        let start = Duration.zero - .nanoseconds(live.coverage.programStart.nanoseconds % minute.nanoseconds)
        var sum = FigureSum()
        if let figures = past.figures { sum.add(figures) }
        sum.add(ProbeFigures(samples[samples.since(start).startIndex..<samples.since(.zero).startIndex]))
        past.figures = sum.figures
        return .figures(id, past)
    }

    private func assignment(at position: Int) -> ProbeRequest.Assignment {
        let state = shownRoster.states[position]
        return ProbeRequest.Assignment(id: state.id, target: state.sharedTarget)
    }
}

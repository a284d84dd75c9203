/// Finds the start of outages older than this process. Metrics such as `probe_success` do not have that time, and an outage
/// of hours would look like one that has just begun.
///
/// Each target is searched for once at each vantage point, when it fails and no answer has shown it up: at the start of the
/// program, when a series appears with a failure, and after a silence. The search finds the last success: in the last hour,
/// in steps of 15 seconds, then in the last day, and then in the last 30 days. Without a success, an outage begins with the
/// first sample.
struct OutageSearch: Sendable {
    /// A period before now, and the resolution of the search in it.
    struct Window: Sendable, Hashable {
        /// The length, in hours.
        let hours: Int
        /// The step, in seconds.
        let step: Int

        /// The window as PromQL's range of a subquery.
        var range: String { "[\(hours)h:\(step)s]" }
    }

    static let windows = [
        Window(hours: 1, step: 15), Window(hours: 24, step: 300), Window(hours: 720, step: 3_600),
    ]

    /// When an outage began, in seconds since 1970, by the answer of a window; nil if it was before the window.
    ///
    /// - Parameter sample: the time of the last success in the window or, negative, of the first sample without one.
    static func start(_ series: MetricSeries, in window: Int) -> Double? {
        guard series.value.isFinite, let point = series.points.last else { return nil }
        let step = Double(windows[window].step)
        guard point.value < 0 else { return min(point.time, point.value + step) }
        let first = -point.value
        let windowStart = point.time - Double(windows[window].hours * 3_600)
        // A sample at the start of the window may have others before it.
        return window == windows.count - 1 || first > windowStart + 2 * step ? first : nil
    }

    /// The vantage points of targets, by target.
    typealias Series = [String: Set<String>]

    /// The targets that are being searched for, with the vantage points that see them down.
    private var pending: Series = [:]
    /// The vantage points that were up in an answer, or were searched for.
    private var seen: Series = [:]
    /// The targets that were not queried yet, by window.
    private var unasked: [[String]] = windows.map { _ in [] }
    /// The targets and the window of the query in flight.
    private var inFlight: (targets: [String], window: Int)?
    /// The maximum number of targets in ``seen``.
    private static let maxSeen = 20_000

    /// The targets whose outage start is being searched for.
    var targets: Set<String> { Set(pending.keys) }

    /// The next query, for at most `count` targets; nil if there is none now.
    func purpose(count: Int) -> PlannedQuery.Purpose? {
        guard inFlight == nil, let window = unasked.firstIndex(where: { !$0.isEmpty }) else { return nil }
        return .outageStarts(of: Array(unasked[window].prefix(count)), window: window)
    }

    /// Records what is up, so that its next failure is not searched for.
    mutating func note(up series: Series) {
        for (target, names) in series where seen.count < Self.maxSeen || seen[target] != nil {
            seen[target, default: []].formUnion(names)
        }
    }

    /// Searches for the failures of what was not seen before.
    mutating func note(failing: Series) {
        if seen.count >= Self.maxSeen { seen = seen.filter { failing[$0.key] != nil } }
        var new: [String] = []
        for (target, names) in failing {
            let unseen = names.subtracting(seen[target] ?? [])
            guard !unseen.isEmpty else { continue }
            seen[target, default: []].formUnion(unseen)
            if pending[target] == nil { new.append(target) }
            pending[target, default: []].formUnion(unseen)
        }
        unasked[0] += new.sorted()
    }

    /// Records that a query for these targets is sent.
    mutating func begin(_ targets: [String], window: Int) {
        inFlight = (targets, window)
        unasked[window].removeFirst(min(targets.count, unasked[window].count))
    }

    /// Records the vantage points for which the query has found when the outage began.
    mutating func finish(found: Series) {
        // The search may have been reset meanwhile, because the metrics changed.
        guard let (targets, window) = inFlight else { return }
        inFlight = nil
        for target in targets {
            pending[target]?.subtract(found[target] ?? [])
            if pending[target]?.isEmpty == false, window + 1 < Self.windows.count {
                unasked[window + 1].append(target)
            } else {
                pending[target] = nil
            }
        }
    }

    /// Ends all pending searches.
    mutating func end() {
        let seen = seen
        self = OutageSearch()
        self.seen = seen
    }

    /// Forgets what was up: after a long silence, an outage may have begun during it.
    mutating func forget() { seen = [:] }
}

/// Finds the start of outages older than this process. Metrics such as `probe_success` do not have that time, and an outage
/// of hours would look like one that has just begun.
///
/// It is made once for each target and vantage point, if it fails and no answer has shown it up: at the start of the
/// program, and later for series that appear with a failure, and after a silence. It goes by the last success: in the last
/// hour, to a quarter of a minute, then in the last day, and then in the last 30 days. Without a success, an outage begins
/// with the first sample.
struct OutageSearch: Sendable {
    /// A time before now, and the distance of the moments in it that are looked at.
    struct Window: Sendable, Hashable {
        /// The length, in hours.
        let hours: Int
        /// The distance, in seconds.
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
    /// What was up in an answer, or was searched for.
    private var seen: Series = [:]
    /// The targets that are not asked for yet, by window.
    private var unasked: [[String]] = windows.map { _ in [] }
    /// The targets that a query asks for, and its window.
    private var inFlight: (targets: [String], window: Int)?
    /// The most targets of ``seen``.
    private static let maxSeen = 20_000

    /// The targets whose beginning is searched for.
    var targets: Set<String> { Set(pending.keys) }

    /// The next query, for at most `count` targets; nil if there is none now.
    func purpose(count: Int) -> PlannedQuery.Purpose? {
        guard inFlight == nil, let window = unasked.firstIndex(where: { !$0.isEmpty }) else { return nil }
        return .outageStarts(of: Array(unasked[window].prefix(count)), window: window)
    }

    /// Records what is up: its next failure is a new one.
    mutating func note(up series: Series) {
        for (target, names) in series where seen.count < Self.maxSeen || seen[target] != nil {
            seen[target, default: []].formUnion(names)
        }
    }

    /// Searches for what fails and was not seen before.
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
        // The metrics may have changed meanwhile, and the search begun anew.
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

    /// Ends the search for what is pending.
    mutating func end() {
        let seen = seen
        self = OutageSearch()
        self.seen = seen
    }

    /// Forgets what was up: the server or a vantage point was silent for long, and what fails now may have failed since.
    mutating func forget() { seen = [:] }
}

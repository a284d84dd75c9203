/// The search for when the outages began that are there before the program. Metrics such as `probe_success` do not have
/// that time, and an outage of hours would look like one that has just begun.
///
/// It is made once, for the targets of the first answer about those that fail, by the last success before each: in the last
/// hour, to a quarter of a minute, then in the last day, and then in the last 30 days. Without a success, an outage begins
/// with the first sample.
struct OutageSearch: Sendable, Hashable {
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
    static func start(_ sample: MetricSample, in window: Int) -> Double? {
        guard sample.value.isFinite, let point = sample.points.last else { return nil }
        let step = Double(windows[window].step)
        guard point.value < 0 else { return min(point.time, point.value + step) }
        let first = -point.value
        let windowStart = point.time - Double(windows[window].hours * 3_600)
        // A sample at the start of the window may have others before it.
        return window == windows.count - 1 || first > windowStart + 2 * step ? first : nil
    }

    /// The vantage points that see a target down, by target, as long as the beginning is searched for; nil before the
    /// first answer.
    private var failing: [String: Set<String>]?
    /// The targets that are not asked for yet in this window.
    private var unasked: [String] = []
    private var isInFlight = false
    private var window = 0

    /// The targets whose beginning is searched for.
    var targets: Set<String> { Set((failing ?? [:]).keys) }

    /// The next query, for at most `count` targets; nil if there is none now.
    func purpose(count: Int) -> PlannedQuery.Purpose? {
        isInFlight || unasked.isEmpty ? nil : .outageStarts(of: Array(unasked.prefix(count)), window: window)
    }

    /// Starts the search, once.
    ///
    /// - Parameter failing: the vantage points that see a target down, by target.
    mutating func start(with failing: [String: Set<String>]) {
        guard self.failing == nil else { return }
        self.failing = failing
        unasked = failing.keys.sorted()
    }

    /// Records that a query for these targets is sent.
    mutating func begin(_ targets: [String]) {
        isInFlight = true
        unasked.removeFirst(min(targets.count, unasked.count))
    }

    /// Records the vantage points for which a query has found when the outage began.
    mutating func finish(found: [String: Set<String>]) {
        // The metrics may have changed meanwhile, and the search begun anew.
        guard isInFlight else { return }
        isInFlight = false
        for (target, names) in found {
            failing?[target]?.subtract(names)
            if failing?[target]?.isEmpty == true { failing?[target] = nil }
        }
        guard unasked.isEmpty else { return }
        window += 1
        guard window < Self.windows.count else { return end() }
        unasked = targets.sorted()
    }

    /// Ends the search.
    mutating func end() {
        self = OutageSearch()
        failing = [:]
    }
}

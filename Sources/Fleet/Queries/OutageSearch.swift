/// The search for when the outages began that are there before the program. Metrics such as `probe_success` do not have
/// that time, and an outage of hours would look like one that has just begun.
///
/// It is made once, for the targets of the first answer about those that fail, by the last success before each: in the last
/// hour, to a quarter of a minute, then in the last day, and then in the last 30 days. Without a success in them, the
/// beginning stays unknown.
struct OutageSearch: Sendable, Hashable {
    /// A time before now, and the distance of the moments in it that are looked at.
    struct Window: Sendable, Hashable {
        /// The length, as in PromQL.
        let length: String
        /// The distance, in seconds.
        let step: Int
    }

    static let windows = [
        Window(length: "1h", step: 15), Window(length: "1d", step: 300), Window(length: "30d", step: 3_600),
    ]

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
        isInFlight || unasked.isEmpty ? nil : .lastSuccesses(of: Array(unasked.prefix(count)), window: window)
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

    /// Records the vantage points for which a query has found a success.
    mutating func finish(found: [String: Set<String>]) {
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

/// One reading of all failing targets: by one query or, if the answer to that is too long, by one for each vantage point.
package struct FailingRound: Sendable, Hashable {
    /// The time of the samples that the last whole round is of, or of later ones, by the server's clock; nil before the first.
    /// A target that was not in its answers did not fail then.
    package private(set) var sampled: Double?
    /// Whether all queries of the last round were answered, so that the other targets do not fail.
    package private(set) var isWhole = false
    /// How long the server has calculated in this round.
    private(set) var cost = Duration.zero
    /// The number of series in this round.
    private(set) var count = 0
    private var isDivided = false
    /// The vantage points that this round has not asked for yet.
    private var unread: [String] = []
    private var oldest: Double?

    /// Whether the round has ended.
    var isEnd: Bool { unread.isEmpty }

    /// The vantage point to ask for; nil for all.
    ///
    /// - Parameter reports: when each vantage point reported last, by the server's clock.
    func next(_ reports: [String: Double]) -> String? {
        isDivided ? unread.first ?? reports.keys.min() : nil
    }

    /// Records that a query is sent.
    ///
    /// - Parameter limit: the age from which a vantage point does not report, in seconds.
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

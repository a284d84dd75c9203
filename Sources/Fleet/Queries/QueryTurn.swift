/// When a query that is sent again and again is due.
struct QueryTurn: Sendable, Hashable {
    /// When it is due, unless ``earliest`` is later.
    var due = Duration.zero
    /// The end of the pause after the last answer, which is long if the server calculated long.
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
    ///   - cost: how long the server calculated.
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
        self = QueryTurn(due: now + pause, retry: now + pause)
    }
}

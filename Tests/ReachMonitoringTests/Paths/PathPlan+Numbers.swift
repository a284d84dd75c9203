@testable import ReachMonitoring

/// The plan with numbers in place of identities.
extension PathPlan {
    mutating func add(
        _ number: Int,
        destination: PathDestination,
        every interval: Duration? = Self.defaultInterval,
        maxHops: Int = 30,
        at time: Duration
    ) {
        add(Target.ID(number), destination: destination, every: interval, maxHops: maxHops, at: time)
    }

    mutating func open(
        _ number: Int,
        flows: Int = 1,
        searchesMTU: Bool = false,
        rounds: Int? = nil,
        at time: Duration
    ) {
        open(Target.ID(number), flows: flows, searchesMTU: searchesMTU, rounds: rounds, at: time)
    }

    mutating func remove(_ number: Int, at time: Duration) { remove(Target.ID(number), at: time) }

    mutating func traceNow(_ number: Int, at time: Duration) { traceNow(Target.ID(number), at: time) }

    mutating func close(_ number: Int, at time: Duration) { close(Target.ID(number), at: time) }

    func trace(of number: Int) -> PathTrace? { trace(of: Target.ID(number)) }

    func isComplete(_ number: Int) -> Bool { isComplete(Target.ID(number)) }
}

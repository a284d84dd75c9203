import Monitoring

/// A pure state machine behind a ``SharedSubscription``. It reads no clock and has no side effects: findings go in,
/// events for the subscribers and requests to the prober come out.
protocol SubscriptionModel: Sendable {
    associatedtype Event: Sendable
    typealias Step = SubscriptionStep<Event>

    /// Starts a run.
    ///
    /// - Parameter link: The last finding on whether this machine has a route out; nil where there is none.
    mutating func start(link: Finding?, at now: Duration) -> Step

    /// Adds a subscriber to the present run.
    mutating func join(at now: Duration) -> Step

    /// Ends a run.
    ///
    /// - Returns: The targets that are no longer probed.
    mutating func stop(at now: Duration) -> [Target.ID]

    /// Applies findings of the present run.
    mutating func record(_ findings: [Finding]) -> Step
}

extension SubscriptionModel {
    mutating func join(at now: Duration) -> Step { Step() }
}

/// The output of a ``SubscriptionModel`` for one input.
struct SubscriptionStep<Event: Sendable>: Sendable {
    var events: [Event] = []
    var requests: [ProbeRequest] = []

    /// Adds the output for the next input.
    mutating func append(_ other: SubscriptionStep) {
        events += other.events
        requests += other.requests
    }
}

import ReachMonitoring
import Synchronization

/// Runs a state machine while it has subscribers, and publishes its events to all of them.
///
/// The first subscriber starts a run: its targets are probed. The last one to leave stops it, which closes the sockets.
/// Findings of an earlier run are ignored. Each subscriber has a buffer of its own and reads at its own pace.
///
/// ## Locking
///
/// One lock guards all state.
///
/// * **No task is resumed under the lock.** A subscriber leaves in the termination handler of its stream, which takes
///   the lock. Where the subscriber's task is cancelled, the runtime runs that handler while the task is locked, and
///   resuming a task waits for the task's lock. So the order is always task, then subscription. Events are only
///   appended to the buffers under the lock, and the subscribers are woken once it is released.
/// * **The lock fixes the order.** All subscribers get the events in the order of the inputs, and a new subscriber gets
///   its first events before any later ones. A wake-up that comes after its events were read finds an empty buffer and
///   is ignored.
/// * **The prober is called under the lock**, so that the start of a run, its requests and its end reach it in this
///   order. The prober returns at once, and calls back later without a lock of its own.
final class SharedSubscription<Model: SubscriptionModel>: Sendable {
    /// A change of the model.
    typealias Change = @Sendable (inout Model) -> Model.Step

    private let client: ProberClient
    private let capacity: Int
    private let followUp: (@Sendable (Model) -> Change?)?
    private let state: Mutex<State>

    private struct State {
        var model: Model
        var subscribers: [ObjectIdentifier: EventBuffer<Model.Event>] = [:]
        /// The number of starts and stops so far.
        var run = 0
        var isCancelled = false
    }

    /// A subscription without subscribers; nothing runs.
    ///
    /// - Parameters:
    ///   - model: The state machine.
    ///   - client: The client of the prober, which probes the targets of the model.
    ///   - capacity: How many events can wait for each subscriber.
    ///   - followUp: Returns the change that follows once findings were recorded, nil for none. It is called without
    ///     the lock, and can make system calls.
    init(
        _ model: Model,
        on client: ProberClient,
        capacity: Int,
        followUp: (@Sendable (Model) -> Change?)? = nil
    ) {
        self.client = client
        self.capacity = capacity
        self.followUp = followUp
        state = Mutex(State(model: model))
    }

    /// The time by the clock of the prober.
    var time: Duration { client.prober.time }

    /// Reads the model.
    func read<Result: Sendable>(_ body: (Model) -> Result) -> Result {
        state.withLock { body($0.model) }
    }

    /// Adds a subscriber, and starts a run if it is the first. It leaves when the reader is released or cancelled, or
    /// when its task is cancelled.
    ///
    /// - Parameter first: Returns the events that this subscriber gets first.
    func subscribe(first: (Model) -> [Model.Event] = { _ in [] }) -> EventBuffer<Model.Event>.Reader {
        // The handler keeps the subscription alive while it has subscribers.
        let (buffer, reader) = EventBuffer<Model.Event>.make(capacity: capacity, tracker: client.prober.tracker) {
            self.unsubscribe($0)
        }
        let isCancelled = state.withLock { state in
            buffer.append(first(state.model))
            guard !state.isCancelled else { return true }
            state.subscribers[ObjectIdentifier(buffer)] = buffer
            // The new subscriber does not wait yet. Others get no events: those of a further subscriber only repeat the
            // present state.
            if state.subscribers.count == 1 {
                start(&state)
            } else {
                deliver(state.model.join(at: time), to: [ObjectIdentifier(buffer): buffer])
            }
            return false
        }
        if isCancelled { buffer.finish() }
        return reader
    }

    /// Changes the model, running or not.
    func update(_ change: (inout Model, _ now: Duration) -> Model.Step) {
        update(in: nil, change)
    }

    /// Ends the subscription for good: the run stops, and all subscribers, later ones too, come to the end.
    ///
    /// - Parameter change: The last change of the model.
    func cancel(_ change: (inout Model) -> Model.Step = { _ in Model.Step() }) {
        let subscribers = state.withLock { state in
            state.isCancelled = true
            deliver(change(&state.model), to: state.subscribers)
            if !state.subscribers.isEmpty { stop(&state) }
            defer { state.subscribers = [:] }
            return state.subscribers
        }
        for subscriber in subscribers.values { subscriber.finish() }
    }

    private func unsubscribe(_ id: ObjectIdentifier) {
        state.withLock { state in
            guard state.subscribers.removeValue(forKey: id) != nil, state.subscribers.isEmpty else { return }
            stop(&state)
        }
    }

    private func start(_ state: inout State) {
        state.run += 1
        let link = client.prober.start(client) { [weak self, run = state.run] in self?.receive($0, in: run) }
        deliver(state.model.start(link: link, at: time), to: state.subscribers)
    }

    private func stop(_ state: inout State) {
        state.run += 1
        client.stop(forgetting: state.model.stop(at: time))
    }

    private func receive(_ findings: [Finding], in run: Int) {
        update(in: run) { model, _ in model.record(findings) }
        guard let change = followUp?(read { $0 }) else { return }
        update(in: run) { model, _ in change(&model) }
    }

    /// - Parameter run: The run that the change belongs to, after which it is ignored; nil where it belongs to none.
    private func update(in run: Int?, _ change: (inout Model, _ now: Duration) -> Model.Step) {
        let subscribers = state.withLock { state -> [ObjectIdentifier: EventBuffer<Model.Event>] in
            guard run == nil || run == state.run else { return [:] }
            let step = change(&state.model, time)
            deliver(step, to: state.subscribers)
            return step.events.isEmpty ? [:] : state.subscribers
        }
        for subscriber in subscribers.values { subscriber.wake() }
    }

    /// Appends the events and sends the requests, under the lock.
    private func deliver(_ step: Model.Step, to subscribers: [ObjectIdentifier: EventBuffer<Model.Event>]) {
        if !step.events.isEmpty { for subscriber in subscribers.values { subscriber.append(step.events) } }
        client.perform(step.requests)
    }
}

/// A pure state machine behind a ``SharedSubscription``. It reads no clock and has no side effects: findings go in,
/// events for the subscribers and requests to the prober come out.
protocol SubscriptionModel: Sendable {
    associatedtype Event: Sendable
    typealias Step = SubscriptionStep<Event>

    /// Starts a run.
    ///
    /// - Parameter link: The last finding on whether this machine has a route out; nil where there is none.
    mutating func start(link: Finding?, at now: Duration) -> Step

    /// Adds a subscriber to the present run. Only this subscriber gets the events.
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

package import ReachMonitoring
import Synchronization

/// Reads the fleet from its Prometheus servers: sends queries, and reports changes. ``QueryPlanner`` decides which query is
/// due, ``FleetModel`` what has changed.
package final class FleetReader: Sendable {
    /// Sends a request to a server and reads the answer.
    package typealias Send =
        @Sendable (QueryRequest, PrometheusSettings) async -> Result<QueryResult, QueryFailure>

    /// The changes. The stream has one consumer; updates that wait for it are merged.
    package let updates: AsyncStream<FleetUpdate>
    /// The answers to ``requestPast(of:)``. The stream has one consumer.
    package let pasts: AsyncStream<FleetPast>
    private let pending = PendingUpdate()
    private let past: AsyncStream<FleetPast>.Continuation
    private let events: AsyncStream<Event>
    private let event: AsyncStream<Event>.Continuation
    private let send: Send
    /// The loop; nil before there are servers.
    private let loop = Mutex<Task<Void, Never>?>(nil)
    private let now: @Sendable () -> Duration
    private let wall: @Sendable () -> Double

    private enum Event: Sendable {
        case servers([PrometheusSettings], reserved: Set<String>)
        case show(names: [String], groups: Set<String>)
        case requestPast(of: String)
        case answer(Result<QueryResult, QueryFailure>, to: PlannedQuery, ServerKey, after: Duration)
        case tick
    }

    /// A server in one edition of the settings. Answers to queries of earlier editions are ignored.
    private struct ServerKey: Sendable, Hashable {
        let index: Int
        let edition: Int
    }

    /// The state of the loop.
    private struct State {
        var edition = 0
        var planners: [QueryPlanner] = []
        var model = FleetModel([])
        var groups: Set<String> = []
        /// Whether there was an answer since the last update.
        var hasNews = false
        /// When the last update was sent.
        var updated = Duration.zero
        /// Whether the requested rows may have changed.
        var mustRequestRows = true
        /// The target whose past was requested last.
        var past: FleetPast?
        var timer: (time: Duration, task: Task<Void, Never>)?
    }

    /// The minimum time between two updates while thousands of targets change: each update covers all of them.
    private static let updatePause = Duration.milliseconds(500)

    /// - Parameters:
    ///   - send: sends a request to a server and reads the answer.
    ///   - now: the time since the start of the program.
    ///   - wall: the time of this machine's clock at the start of the program, in seconds since 1970.
    package init(
        send: @escaping Send,
        now: @escaping @Sendable () -> Duration,
        wall: @escaping @Sendable () -> Double
    ) {
        (self.send, self.now, self.wall) = (send, now, wall)
        updates = AsyncStream { [pending] in await pending.next() }
        (pasts, past) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        (events, event) = AsyncStream.makeStream()
    }

    /// Sets the servers. Reads everything again if the settings changed, and keeps the targets of the same servers
    /// meanwhile.
    ///
    /// - Parameter reserved: the names of the targets that this program probes.
    package func read(_ servers: [PrometheusSettings], besides reserved: Set<String>) {
        loop.withLock { loop in
            guard loop == nil, !servers.isEmpty else { return }
            loop = Task { await run() }
        }
        enqueue(.servers(servers, reserved: reserved))
    }

    /// Sets what is visible: the names of targets, and the groups that are shown as a whole.
    package func show(_ names: [String], groups: Set<String>) {
        enqueue(.show(names: names, groups: groups))
    }

    /// Requests the past of a target. Each server's answer adds an element to ``pasts``.
    package func requestPast(of name: String) {
        enqueue(.requestPast(of: name))
    }

    /// Enqueues an event for the loop. Before there are servers, it is dropped: the stream would keep it forever.
    private func enqueue(_ new: Event) {
        guard loop.withLock({ $0 != nil }) else { return }
        event.yield(new)
    }

    /// Ends the queries.
    package func stop() {
        event.finish()
        loop.withLock { $0?.cancel() }
    }

    private func run() async {
        await withTaskGroup(of: Void.self) { group in
            var state = State()
            for await event in events {
                if handle(event, &state) { state.hasNews = true }
                sendUpdate(&state)
                sendQueries(&state, in: &group)
                schedule(&state)
            }
            state.timer?.task.cancel()
            group.cancelAll()
        }
    }

    /// Reports the changes. While targets wait to be read again, the answers of several queries become one update.
    private func sendUpdate(_ state: inout State) {
        let time = now()
        guard state.hasNews, !state.model.hasUnread || time - state.updated >= Self.updatePause else { return }
        (state.hasNews, state.updated, state.mustRequestRows) = (false, time, true)
        pending.add(state.model.takeUpdate(at: time))
    }

    /// Handles an event.
    ///
    /// - Returns: whether there is an update.
    private func handle(_ event: Event, _ state: inout State) -> Bool {
        let time = now()
        switch event {
        case .servers(let servers, let reserved):
            guard servers != state.planners.map(\.settings) else {
                state.model.reserve(reserved)
                return true
            }
            state.edition += 1
            state.planners = servers.map { QueryPlanner($0) }
            let old = state.model
            state.model = FleetModel(servers, reserved: reserved)
            state.model.keepTargets(of: old)
            return true
        case .show(let names, let groups):
            state.model.show(names, at: time)
            (state.groups, state.mustRequestRows) = (groups, true)
            return false
        case .requestPast(let name):
            guard let target = state.model.label(ofTarget: name) else { return false }
            state.past = FleetPast(name: name, quorum: state.model.quorum(ofTarget: target))
            for index in state.planners.indices {
                guard let end = state.model.time(ofServer: index, at: time) else { continue }
                for query in FleetPast.queries(about: target, endingAt: end) { state.planners[index].request(query) }
            }
            return false
        case .answer(let result, let query, let server, let duration):
            guard server.edition == state.edition else { return false }
            answer(result, to: query, server.index, after: duration, at: time, &state)
            return true
        case .tick:
            state.timer = nil
            return false
        }
    }

    private func answer(
        _ result: Result<QueryResult, QueryFailure>,
        to query: PlannedQuery,
        _ index: Int,
        after duration: Duration,
        at time: Duration,
        _ state: inout State
    ) {
        switch result {
        case .success(let result):
            state.planners[index].complete(query, result, after: duration, at: time)
            state.model.record(
                result,
                to: query,
                ofServer: index,
                planner: state.planners[index],
                wall: wall(),
                at: time
            )
            if case .range(let range) = query.purpose, let metrics = state.planners[index].metrics {
                let answer = state.model.answer(range, result, ofServer: index, metrics)
                guard answer.name == state.past?.name else { return }
                state.past?.add(answer)
                if let past = state.past { self.past.yield(past) }
            }
        case .failure(let failure):
            var generator = SystemRandomNumberGenerator()
            state.planners[index].fail(query, failure, at: time, using: &generator)
            state.model.noteFailure(ofServer: index, state.planners[index], at: time)
        }
    }

    private func sendQueries(_ state: inout State, in group: inout TaskGroup<Void>) {
        let time = now()
        let wanted = state.mustRequestRows ? state.model.requestedRows(at: time) : nil
        state.mustRequestRows = false
        for index in state.planners.indices {
            if let wanted { state.planners[index].request(rows: wanted) }
            state.planners[index].request(outdated: state.model.outdatedRows(ofServer: index))
            state.planners[index].request(earlier: state.model.earlierRows(ofServer: index))
            state.planners[index].request(groups: state.groups)
            let server = ServerKey(index: index, edition: state.edition)
            let settings = state.planners[index].settings
            while let query = state.planners[index].next(at: time) {
                group.addTask { [self] in
                    let start = now()
                    let result = await send(query.request, settings)
                    guard !Task.isCancelled else { return }
                    event.yield(.answer(result, to: query, server, after: now() - start))
                }
            }
        }
    }

    /// Wakes the loop when the next query is due.
    private func schedule(_ state: inout State) {
        let time = now()
        let due = state.planners.compactMap { $0.nextDue(at: time) }.min()
        guard state.timer?.time != due else { return }
        state.timer?.task.cancel()
        state.timer = due.map { due in
            let task = Task { [event] in
                // Not more often than a hundred times a second.
                try? await Task.sleep(for: max(due - time, Duration.milliseconds(10)), clock: .suspending)
                if !Task.isCancelled { event.yield(.tick) }
            }
            return (due, task)
        }
    }
}

/// The update that waits for the consumer of a ``FleetReader``. Later ones are merged into it, so that they do not
/// accumulate while the consumer is slow.
final class PendingUpdate: Sendable {
    private let update = Mutex<FleetUpdate?>(nil)
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ new: FleetUpdate) {
        update.withLock { update in
            if update == nil { update = new } else { update?.merge(new) }
        }
        signal.yield()
    }

    /// Waits for an update; nil when the task is cancelled.
    func next() async -> FleetUpdate? {
        for await _ in signals {
            if let update = update.withLock({ $0.take() }) { return update }
        }
        return nil
    }
}

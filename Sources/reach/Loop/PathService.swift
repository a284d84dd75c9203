import ReachMonitoring
import ReachProbing
import Synchronization

/// Traces the paths to the targets of the dashboard and of `watch`: performs the orders of the roster, reports what traces
/// find, and tells the screen about the paths that it shows.
final class PathService: Sendable {
    /// What is known about paths, for the screen.
    struct Update: Sendable {
        let paths: [Target.ID: PathSnapshot]
        /// Whether these are all paths.
        let isComplete: Bool
    }

    /// What traces find. The stream has one consumer.
    let findings: AsyncStream<[Finding]>
    /// The paths that the screen shows. The stream has one consumer.
    let updates: AsyncStream<Update>
    private let update: AsyncStream<Update>.Continuation
    private let finding: AsyncStream<[Finding]>.Continuation
    private let engine: PathEngine
    private let names = HostNames()
    private let state = Mutex(State())

    private struct State {
        /// The targets with a path.
        var traced: Set<Target.ID> = []
        /// The maximum number of background probes a second, as the settings have it.
        var rate: Int?
        var systems: AutonomousSystems?
        /// What the screen shows, and the task that tells it.
        var shown = PathRequest.none
        var task: Task<Void, Never>?
    }

    /// The time between two updates of one path, and of all paths.
    private static let pauses = (one: Duration.milliseconds(500), all: Duration.seconds(2))
    /// The number of paths from which on the updates of all are rarer.
    private static let many = 1_000

    /// Creates a service without paths. It opens nothing before the first one.
    init(now: @escaping @Sendable () -> Duration) {
        let (findings, finding) = AsyncStream.makeStream(of: [Finding].self, bufferingPolicy: .bufferingNewest(4_096))
        (self.findings, self.finding) = (findings, finding)
        (updates, update) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        engine = PathEngine(now: now) { events in
            let time = now()
            finding.yield(events.map { Finding($0, at: time) })
        }
    }

    /// Uses settings from now on.
    func use(_ settings: PathsSettings) {
        let hasPaths = state.withLock { state in
            (state.rate, state.systems) = (settings.rate, settings.systems)
            return !state.traced.isEmpty
        }
        // The first order starts the engine.
        if hasPaths { change { plan, time in plan.setRate(settings.rate) } }
    }

    /// Performs an order of the roster.
    func perform(_ order: PathOrder) {
        switch order {
        case .trace(let id, let destination, let settings):
            let (rate, isShown) = state.withLock { state in
                state.traced.insert(id)
                return (state.rate, state.shown == .one(id))
            }
            change { plan, time in
                plan.setRate(rate)
                plan.add(
                    id,
                    destination: destination,
                    every: settings.interval,
                    maxHops: settings.maxHops,
                    at: time
                )
                // The screen may ask for a path before its address is known, and the address may change.
                if isShown { plan.watch(id, at: time) }
            }
        case .now(let id):
            change { plan, time in plan.traceNow(id, at: time) }
        case .soon(let id):
            change { plan, time in plan.traceSoon(id, at: time) }
        case .confirm(let id, let hop, let since):
            change { plan, time in plan.confirm(hop, of: id, since: since, at: time) }
        case .end(let ids):
            state.withLock { $0.traced.subtract(ids) }
            change { plan, time in
                for id in ids { plan.remove(id, at: time) }
            }
        }
    }

    /// Tells the screen about these paths from now on.
    func show(_ request: PathRequest) {
        let before = state.withLock { state in
            defer {
                state.shown = request
                state.task?.cancel()
                state.task = nil
            }
            return state.shown
        }
        if before != request {
            if case .one(let id) = before { change { plan, time in plan.close(id, at: time) } }
            if case .one(let id) = request {
                change { plan, time in plan.watch(id, at: time) }
            }
        }
        guard request != .none else { return }
        let task = Task { [weak self] in
            while !Task.isCancelled, let pause = await self?.tell(request) {
                do { try await Task.sleep(for: pause) } catch { return }
            }
        }
        state.withLock { state in
            if state.shown == request { state.task = task } else { task.cancel() }
        }
    }

    /// Tells the screen about paths. Returns the pause until the next time.
    private func tell(_ request: PathRequest) async -> Duration {
        let current = await paths(of: request)
        if !Task.isCancelled { update.yield(current) }
        guard request == .all else { return Self.pauses.one }
        return current.paths.count > Self.many ? Self.pauses.all * 3 : Self.pauses.all
    }

    /// Returns what is known about paths.
    func paths(of request: PathRequest) async -> Update {
        let (ids, systems): ([Target.ID], AutonomousSystems?) = state.withLock { state in
            switch request {
            case .none: ([], nil)
            case .one(let id): ([id], state.systems)
            case .all: (Array(state.traced), state.systems)
            }
        }
        let found = await engine.snapshots(of: ids)
        let paths = found.mapValues { snapshot in
            let addresses = Set(snapshot.trace.hops().flatMap { [$0.address, $0.source].compactMap(\.self) })
            var path = PathSnapshot(time: snapshot.time, trace: snapshot.trace, problem: snapshot.problem?.detail)
            for address in addresses {
                path.names[address] = names.name(of: address)
                path.systems[address] = systems?.system(of: address)
            }
            return path
        }
        return Update(paths: paths, isComplete: request == .all)
    }

    /// Closes all sockets, and ends the streams.
    func shutdown() {
        show(.none)
        engine.shutdown()
        finding.finish()
        update.finish()
    }

    private func change(_ body: @escaping @Sendable (inout PathPlan, Duration) -> Void) {
        // Without a thread, paths stay unknown; probes are not affected.
        try? engine.change(body)
    }
}

extension PathPlan {
    /// Watches a path for the screen, which shows one at a time.
    fileprivate mutating func watch(_ id: Target.ID, at time: Duration) {
        if trace(of: id)?.isWatched == false { open(id, searchesMTU: true, at: time) }
    }
}

extension Finding {
    /// The finding of an event of the plan.
    fileprivate init(_ event: PathEvent, at now: Duration) {
        switch event {
        case .completed(let id, let completion): self = .path(id, .traced(completion), at: now)
        case .changed(let id, let change, let time): self = .path(id, .changed(change), at: time)
        case .confirmed(let id, let hop, let answered):
            self = .path(id, .confirmed(hop: hop, answered: answered), at: now)
        }
    }
}

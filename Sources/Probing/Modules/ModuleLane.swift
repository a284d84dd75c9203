#if Fetch
import Monitoring
import NIOCore

/// The parts that the probes of modules share on one event loop. Confined to it.
final class ModuleLane {
    /// The maximum number of names looked up at the same time, and of threads including those whose lookup hangs.
    private static let maxConcurrentLookups = 32
    private static let maxThreads = 256
    /// How long new probes use an ICMP socket. An interface that is created again needs another one.
    private static let echoSocketLifetime = TimeAmount.seconds(10)

    let gate: LoopGate
    let contexts: TLSContexts
    let searches: PatternSearcher
    let time: () -> Duration
    /// The probes in flight, by number.
    var probes: [Int: ModuleProbe] = [:]
    private let resolve: @Sendable (NameQuery) -> Resolution
    private var waiting: [NameQuery: [(Resolution) -> Void]] = [:]
    private var isLookupScheduled = false
    private var echoSockets: [EchoSocket.Kind: ModuleEchoSocket] = [:]
    #if os(Linux)
    private(set) lazy var handshakes = ModuleHandshakes(loop: gate.loop, time: time)
    #endif
    private lazy var lookups = LookupPool(
        gate: gate,
        queue: LookupQueue(places: Self.maxConcurrentLookups, most: Self.maxThreads),
        resolve: resolve,
        time: time,
        ended: { [weak self] name, resolution in self?.finish(name, with: resolution) }
    )

    init(
        gate: LoopGate,
        searchPool: PatternSearchPool,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration
    ) {
        self.gate = gate
        self.resolve = resolve
        self.time = time
        contexts = TLSContexts(gate: gate, wallTime: TLSContexts.systemTime)
        searches = PatternSearcher(gate: gate, pool: searchPool)
    }

    /// Looks a name up, and calls `completion` at once or later. Concurrent lookups of one name are one lookup.
    func lookUp(_ name: NameQuery, completion: @escaping (Resolution) -> Void) {
        if let literal = IPAddress(literal: name.host) {
            return completion(name.family.admits(literal) ? .addresses([literal]) : .failure(name.wrongAddress))
        }
        let isRunning = waiting[name] != nil
        waiting[name, default: []].append(completion)
        guard !isRunning else { return }
        lookups.add(name, at: time())
        scheduleLookups()
    }

    private func finish(_ name: NameQuery, with resolution: Resolution?) {
        let resolution = resolution ?? .failure(Failure(.resolverFailed))
        for completion in waiting.removeValue(forKey: name) ?? [] { completion(resolution) }
        scheduleLookups()
    }

    /// Starts the lookups that are queued behind hanging ones when these free their places.
    private func scheduleLookups() {
        guard !isLookupScheduled, let due = lookups.nextDeadline else { return }
        isLookupScheduled = true
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(max(.milliseconds(1), due - time()).nanoseconds)) {
            let lane = bound.value
            lane.isLookupScheduled = false
            lane.lookups.start(at: lane.time())
            lane.scheduleLookups()
        }
    }

    /// Returns an ICMP socket of a kind, which probes share.
    func echoSocket(_ kind: EchoSocket.Kind) throws(Fault) -> ModuleEchoSocket {
        if let socket = echoSockets[kind], socket.isUsable { return socket }
        let socket = try ModuleEchoSocket(kind, on: gate.loop)
        echoSockets[kind] = socket
        let bound = NIOLoopBound(socket, eventLoop: gate.loop)
        gate.loop.scheduleTask(in: Self.echoSocketLifetime) { bound.value.retire() }
        return socket
    }

    /// Searches for patterns in texts, and calls `completion` with the result for each pattern and text, or with the fault
    /// of a pattern.
    func match(
        _ searches: [(pattern: ModulePattern, texts: [[UInt8]])],
        completion: @escaping (Result<[[Bool]], Fault>) -> Void
    ) {
        match(searches[...], results: [], completion: completion)
    }

    private func match(
        _ rest: ArraySlice<(pattern: ModulePattern, texts: [[UInt8]])>,
        results: [[Bool]],
        completion: @escaping (Result<[[Bool]], Fault>) -> Void
    ) {
        guard let next = rest.first else { return completion(.success(results)) }
        match(next.pattern, next.texts[...], results: []) { [weak self] result in
            switch result {
            case .success(let row): self?.match(rest.dropFirst(), results: results + [row], completion: completion)
            case .failure(let fault): completion(.failure(fault))
            }
        }
    }

    private func match(
        _ pattern: ModulePattern,
        _ rest: ArraySlice<[UInt8]>,
        results: [Bool],
        completion: @escaping (Result<[Bool], Fault>) -> Void
    ) {
        guard let text = rest.first else { return completion(.success(results)) }
        let search = PatternSearch(pattern: pattern.expression, text: text, isComplete: true)
        searches.run(search) { [weak self] result in
            switch result {
            case .success(let match):
                self?.match(pattern, rest.dropFirst(), results: results + [match != .none], completion: completion)
            case .failure(let fault):
                completion(.failure(fault))
            }
        }
    }
}
#endif

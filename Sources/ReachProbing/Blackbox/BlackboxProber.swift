#if Fetch

import Logging
import NIOCore
import NIOPosix
package import ReachMonitoring
import Synchronization

/// Probes targets by modules, at the request of clients.
package final class BlackboxProber: Sendable {
    /// The maximum number of probes in flight.
    package let limit: Int
    private let lanes: [(loop: any EventLoop, lane: NIOLoopBoundBox<BlackboxLane>)]
    private let state = Mutex((running: 0, number: 0))

    /// - Parameter limit: The maximum number of probes in flight.
    package init(limit: Int) {
        self.limit = limit
        let searchPool = PatternSearchPool()
        lanes = MultiThreadedEventLoopGroup.singleton.makeIterator().map { loop in
            let lane = BlackboxLane(
                gate: LoopGate(loop),
                searchPool: searchPool,
                resolve: Self.resolve,
                time: { .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds)) }
            )
            return (loop, NIOLoopBoundBox.makeBoxSendingValue(lane, eventLoop: loop))
        }
    }

    /// The number of probes in flight.
    package var count: Int { state.withLock(\.running) }

    /// Looks a name up with the system's resolver, without regard to the addresses of this machine: a target that it cannot
    /// reach fails.
    private static let resolve: @Sendable (NameQuery) -> Resolution = { name in
        guard name.family == .any else { return .system(name) }
        return Resolution(usable: Resolution.addresses(of: name.host, flags: 0), of: name) ?? .system(name)
    }

    /// Probes a target, and returns the result; nil if ``limit`` probes are in flight, or if the task is cancelled. A task on
    /// one of the event loops probes on that one.
    ///
    /// - Parameters:
    ///   - hostname: The name of the server, which the client can set for a target that is an address.
    ///   - hasLog: Whether the report has a log.
    package func report(
        on target: String,
        by module: BlackboxModule,
        hostname: String? = nil,
        timeout: Duration,
        hasLog: Bool = false
    ) async -> BlackboxReport? {
        let limit = limit
        let number: Int? = state.withLock { state in
            guard state.running < limit else { return nil }
            state.running += 1
            state.number += 1
            return state.number
        }
        guard let number else { return nil }
        defer { state.withLock { $0.running -= 1 } }
        let (loop, lane) = lanes.first { $0.loop.inEventLoop } ?? lanes[number % lanes.count]
        let reply = BlackboxReply()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reply.await(continuation)
                let begin: @Sendable () -> Void = {
                    guard !reply.isOver else { return }
                    let probe = BlackboxProbe(of: target, by: module, timeout: timeout, hasLog: hasLog, on: lane.value)
                    {
                        lane.value.probes[number] = nil
                        reply.send($0)
                    }
                    lane.value.probes[number] = probe
                    probe.begin(hostname: hostname)
                }
                if loop.inEventLoop { begin() } else { loop.execute(begin) }
            }
        } onCancel: {
            reply.send(nil)
            loop.execute { lane.value.probes.removeValue(forKey: number)?.cancel() }
        }
    }
}

/// The parts that the probes of modules share on one event loop. Confined to it.
final class BlackboxLane {
    /// The maximum number of names looked up at the same time, and of threads including those whose lookup hangs.
    private static let maxConcurrentLookups = 32
    private static let maxThreads = 256
    /// The time between two checks whether sockets are needed.
    private static let cleaningInterval = Duration.seconds(10)

    let gate: LoopGate
    let time: () -> Duration
    /// The probes in flight, by number.
    var probes: [Int: BlackboxProbe] = [:]
    private let searchPool: PatternSearchPool
    private let resolve: @Sendable (NameQuery) -> Resolution
    private(set) lazy var environment = ProberEnvironment(
        gate: gate,
        searchPool: searchPool,
        resolve: resolve,
        time: time,
        report: { [weak self] in self?.receive($0) }
    )
    private(set) lazy var echoes = EchoProber(
        environment,
        logger: Logger(label: "blackbox", factory: { _ in SwiftLogNoOpLogHandler() }),
        reportsHopLimits: true
    )
    #if os(Linux)
    /// Opens the connections on which modules send nothing. With SwiftNIO channels, they would cost more.
    private(set) lazy var handshakes = HandshakeProber(environment)
    #endif
    /// The completions of the probes that are sent by these probers.
    private var completions: [Target.ID: (Outcome) -> Void] = [:]
    private var lastTarget = 0
    private var isCleaningScheduled = false
    private let lookups: SharedLookups

    init(
        gate: LoopGate,
        searchPool: PatternSearchPool,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration
    ) {
        self.gate = gate
        self.searchPool = searchPool
        self.resolve = resolve
        self.time = time
        lookups = SharedLookups(
            gate: gate,
            concurrencyLimit: Self.maxConcurrentLookups,
            maxThreads: Self.maxThreads,
            resolve: resolve,
            time: time
        )
    }

    var contexts: TLSContexts { environment.contexts }
    var searches: PatternSearcher { environment.searches }

    /// Returns a number for the target of a probe, which identifies its outcome.
    func makeTarget() -> Target.ID {
        lastTarget += 1
        return Target.ID(lastTarget)
    }

    /// Calls `completion` with the outcome of a probe that a prober of this lane sends; not after ``ignore(_:)``.
    func awaitOutcome(of probe: Probe, completion: @escaping (Outcome) -> Void) {
        completions[probe.target] = completion
        scheduleCleaning()
    }

    /// Ignores the outcome of the probe of a target.
    func ignore(_ target: Target.ID) {
        completions[target] = nil
    }

    private func receive(_ event: ProberEvent) {
        guard case .ended(let probe, let outcome) = event else { return }
        completions.removeValue(forKey: probe.target)?(outcome)
    }

    private func scheduleCleaning() {
        guard !isCleaningScheduled else { return }
        isCleaningScheduled = true
        gate.schedule(in: Self.cleaningInterval) { [self] in
            isCleaningScheduled = false
            clean()
            if !completions.isEmpty { scheduleCleaning() }
        }
    }

    /// Forgets the ended echo requests, and closes their sockets while no probe is in flight.
    func clean() {
        echoes.expire(at: time())
        if completions.isEmpty { echoes.closeUnneeded(for: []) }
    }

    /// Reads files of text off the event loop, and calls `completion` with them by path, or with the first fault.
    func read(_ paths: [String], completion: @escaping (Result<[String: String], Fault>) -> Void) {
        guard !paths.isEmpty else { return completion(.success([:])) }
        let files: [(path: String, reading: Task<CachedFile<BlackboxTextFile>, Never>)]
        do throws(Fault) {
            files = try paths.map { path throws(Fault) in (path, try BlackboxTextFile.cache.file(path)) }
        } catch {
            return completion(.failure(error))
        }
        let bound = NIOLoopBound(completion, eventLoop: gate.loop)
        Task.detached { [gate] in
            var texts: Result<[String: String], Fault> = .success([:])
            for file in files {
                let text = await file.reading.value.result.map(\.text)
                texts = texts.flatMap { texts in text.map { texts.merging([file.path: $0]) { $1 } } }
            }
            gate.enter { [texts] in bound.value(texts) }
        }
    }

    /// Looks a name up, and calls `completion` at once or later. After the deadline, the call may be omitted.
    func lookUp(_ name: NameQuery, until deadline: Duration, completion: @escaping (Resolution) -> Void) {
        if let resolution = Resolution(literal: name) { return completion(resolution) }
        lookups.lookUp(name, until: deadline, completion: completion)
    }
}

extension PatternSearcher {
    /// Searches for patterns in texts, one after another. Calls `completion` with whether each pattern matches in each of
    /// its texts, or with the fault of a pattern.
    func match(
        _ searches: [(pattern: BlackboxPattern, texts: [[UInt8]])],
        completion: @escaping (Result<[[Bool]], Fault>) -> Void
    ) {
        let all = searches.flatMap { search in
            search.texts.map { PatternSearch(pattern: search.pattern.expression, text: $0, isComplete: true) }
        }
        run(all[...], after: []) { result in
            completion(
                result.map { matches in
                    var rest = matches[...]
                    return searches.map { search in
                        defer { rest = rest.dropFirst(search.texts.count) }
                        return Array(rest.prefix(search.texts.count))
                    }
                }
            )
        }
    }

    private func run(
        _ searches: ArraySlice<PatternSearch>,
        after matches: [Bool],
        completion: @escaping (Result<[Bool], Fault>) -> Void
    ) {
        guard let next = searches.first else { return completion(.success(matches)) }
        run(next) { [weak self] result in
            switch result {
            case .success(let match):
                self?.run(searches.dropFirst(), after: matches + [match != .none], completion: completion)
            case .failure(let fault):
                completion(.failure(fault))
            }
        }
    }
}

/// The reply to a request for a probe: a continuation that is resumed once.
final class BlackboxReply: Sendable {
    private let state = Mutex(State())

    private struct State {
        var continuation: CheckedContinuation<BlackboxReport?, Never>?
        var isOver = false
    }

    /// Whether the reply was sent.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Sets the continuation. If the reply was sent before, resumes it without a report.
    func await(_ continuation: CheckedContinuation<BlackboxReport?, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(returning: nil) }
    }

    /// Resumes the continuation, unless the reply was sent before.
    func send(_ report: BlackboxReport?) {
        let continuation = state.withLock { state in
            defer { (state.continuation, state.isOver) = (nil, true) }
            return state.continuation
        }
        continuation?.resume(returning: report)
    }
}

#endif

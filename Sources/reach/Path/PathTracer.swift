import AsyncAlgorithms
import ReachMonitoring
import ReachProbing
import ReachReporting
import ReachSystem

/// A target whose path is traced.
struct PathTarget: Sendable {
    let name: String
    let host: String
    let family: Family
    let method: PathMethod
    let port: UInt16

    /// Creates the target of a path.
    ///
    /// - Parameters:
    ///   - label: The name of the target, without secrets.
    ///   - method: The method instead of that of the target's probes; nil for that.
    /// - Throws: ``StartupError`` if the target has no host on the network.
    init(_ target: Target, label: String, method: PathMethod?) throws(StartupError) {
        let question = target.question
        guard let own = question.pathMethod, let host = question.host else {
            throw StartupError("\(question.url): no host with a path – name one: reach path 192.0.2.1".printable)
        }
        name = target.label == question.title ? host : label
        (self.host, family) = (host, target.family)
        self.method = method ?? target.path?.method ?? own.method
        port = self.method == .icmp ? 0 : own.port > 0 ? own.port : self.method.defaultPort
    }
}

/// Traces the paths to targets for `reach path`.
struct PathTracer {
    private enum Input: Sendable {
        case resolved(Int, Result<String, HostNames.LookupError>)
        case snapshots([Target.ID: PathEngine.Snapshot])
        case end(signal: Int32)
    }

    /// The time between two updates of a live table, and between two looks whether more than a few rounds are complete.
    private static let ticks = (live: Duration.milliseconds(200), report: Duration.milliseconds(500))
    /// The number of rounds that are waited for like a live table.
    private static let fewRounds = 3
    /// How long the final output waits for names.
    private static let nameLimit = Duration.seconds(2)

    private let targets: [PathTarget]
    private let rounds: Int?
    private let flows: Int
    private let maxHops: Int
    /// The time between two updates.
    private let tick: Duration
    private let names: HostNames?
    private let systems: AutonomousSystems?
    private let time = ProgramTime()
    private let engine: PathEngine
    /// Why a target has no path, by index.
    private var problems: [Int: String] = [:]
    private var snapshots: [Target.ID: PathEngine.Snapshot] = [:]
    private var unresolved: Set<Int>

    /// - Parameters:
    ///   - rounds: The number of rounds; nil until a signal.
    ///   - isLive: Whether the paths are shown meanwhile.
    ///   - names: The names of routers; nil to show none.
    ///   - systems: The autonomous systems of addresses.
    init(
        _ targets: [PathTarget],
        rounds: Int?,
        isLive: Bool,
        flows: Int,
        maxHops: Int,
        names: HostNames?,
        systems: AutonomousSystems?
    ) {
        (self.targets, self.rounds, self.flows, self.maxHops) = (targets, rounds, flows, maxHops)
        (self.names, self.systems) = (names, systems)
        tick = isLive || rounds.map { $0 <= Self.fewRounds } ?? false ? Self.ticks.live : Self.ticks.report
        unresolved = Set(targets.indices)
        let time = time
        engine = PathEngine(now: { time.now })
    }

    /// Traces all paths until their rounds are complete.
    ///
    /// - Parameter show: Called with the paths several times a second.
    /// - Returns: The signal that ended it early; nil without one.
    mutating func run(_ signals: Signals, _ show: ([PathReport]) -> Void) async -> Int32? {
        await InputSource.run(sources(signals)) { inputs in
            for await input in inputs {
                switch input {
                case .resolved(let index, let result): start(index, result)
                case .snapshots(let new):
                    snapshots = new
                    lookUpNames()
                    show(reports)
                    if isComplete { return nil }
                case .end(let signal): return signal
                }
            }
            return nil
        }
    }

    /// Closes all sockets. Returns the paths, after the lookups of names have ended, or took too long.
    func finish() async -> [PathReport] {
        engine.shutdown()
        await names?.settle(within: Self.nameLimit)
        return reports
    }

    /// Starts to look up the names of the hops.
    private func lookUpNames() {
        guard let names else { return }
        for snapshot in snapshots.values {
            for flow in 0..<snapshot.trace.flowCount {
                for hop in snapshot.trace.hops(flow: flow) {
                    for entry in hop.addresses { _ = names.name(of: entry.address) }
                }
            }
        }
    }

    private func sources(_ signals: Signals) -> [InputSource<Input>] {
        let (engine, ids) = (engine, targets.indices.map { Target.ID($0) })
        let lookups = targets.enumerated().map { index, target in
            InputSource([target].async.map { await Self.address(of: $0) }) { Input.resolved(index, $0) }
        }
        let ticks = AsyncTimerSequence(interval: tick, clock: .continuous).map { _ in
            await engine.snapshots(of: ids)
        }
        return lookups + [
            InputSource(ticks) { .snapshots($0) },
            InputSource(signals.endings()) { .end(signal: $0) },
        ]
    }

    private static func address(of target: PathTarget) async -> Result<String, HostNames.LookupError> {
        do throws(HostNames.LookupError) {
            return .success(try await HostNames.address(of: target.host, family: target.family))
        } catch {
            return .failure(error)
        }
    }

    private mutating func start(_ index: Int, _ result: Result<String, HostNames.LookupError>) {
        unresolved.remove(index)
        switch result {
        case .failure(let error): problems[index] = error.outcome.problemText
        case .success(let address):
            let target = targets[index]
            let destination = PathDestination(address: address, method: target.method, port: target.port)
            let (flows, maxHops, rounds) = (flows, maxHops, rounds)
            do throws(Fault) {
                try engine.change { plan, time in
                    let id = Target.ID(index)
                    plan.add(id, destination: destination, every: nil, maxHops: maxHops, at: time)
                    plan.open(id, flows: flows, searchesMTU: true, rounds: rounds, at: time)
                }
            } catch {
                problems[index] = error.summary
            }
        }
    }

    /// Whether nothing more is sent or awaited.
    private var isComplete: Bool {
        unresolved.isEmpty
            && targets.indices.allSatisfy { problems[$0] != nil || snapshots[Target.ID($0)]?.isComplete == true }
    }

    private var reports: [PathReport] {
        let (names, systems, wall) = (names, systems, time.wall)
        return targets.enumerated().map { index, target in
            let snapshot = snapshots[Target.ID(index)]
            return PathReport(
                target: target.name,
                time: snapshot?.time ?? .zero,
                trace: snapshot?.trace,
                problem: problems[index] ?? snapshot?.problem?.problemText,
                name: { names?.name(of: $0) },
                system: { systems?.system(of: $0) },
                clock: { wall.timeOfDay(at: $0) }
            )
        }
    }
}

extension Outcome {
    /// Why a probe could not be sent, in words.
    fileprivate var problemText: String? {
        switch self {
        case .reply: nil
        case .timeout: "timeout"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.summary
        }
    }
}

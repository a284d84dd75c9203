import TestSupport

@testable import ReachMonitoring

/// A roster with targets whose replies a test determines, one probe of each target after the other.
struct ShiftWorld {
    private(set) var roster = Roster(keepsPast: true)
    private(set) var now = Duration.seconds(100)
    /// The changes so far: `NAS: latency rose from 12 to 38ms`.
    private(set) var news: [String] = []
    private(set) var shifts: [ShiftNews] = []
    private(set) var runs: [HookRun] = []
    private(set) var orders: [PathOrder] = []
    private(set) var targets: [Target]
    /// The round trip of each target in milliseconds; nil for losses.
    var levels: [String: Double?] = [:]
    /// The share of the round trip by which it varies.
    var noise = 0.01
    private var random: SplitMix
    private var sequence = 0
    /// The wall time of the program's start.
    var wall = WallTime(start: .seconds(1_700_000_000))

    init(_ targets: [Target], seed: UInt64 = 1) {
        (self.targets, random) = (targets, SplitMix(seed: seed))
        roster.findsShifts = true
        apply(targets)
    }

    /// A target that is probed each second.
    static func target(_ name: String, hooks: [HookRule] = [], _ change: (inout Target) -> Void = { _ in }) -> Target {
        var target = Target.make(name, url: "icmp://\(name).example")
        (target.interval, target.retryInterval, target.downInterval) = (.seconds(1), .seconds(1), .seconds(1))
        (target.timeout, target.hooks) = (.milliseconds(900), hooks)
        change(&target)
        return target
    }

    subscript(name: String) -> TargetState? { roster.states.first { $0.target.name == name } }

    mutating func apply(_ targets: [Target]) {
        self.targets = targets
        collect(roster.apply(Settings(targets: targets), at: now))
    }

    mutating func change(_ body: (inout Roster, Duration) -> Consequences) { collect(body(&roster, now)) }

    mutating func record(_ finding: Finding) { collect(roster.record([finding])) }

    /// Passes a message of the tracer about the path to the first target.
    mutating func trace(_ finding: PathFinding) {
        if let id = roster.states.first?.id { record(.path(id, finding, at: now)) }
    }

    /// Restores the levels of the first target.
    mutating func restore(_ levels: StoredLevels) {
        if let id = roster.states.first?.id { roster.restore([id: levels], wall: wall, at: now) }
    }

    /// Lets time pass without probes.
    mutating func wait(_ time: Duration) { now += time }

    /// Probes all targets a number of times.
    ///
    /// - Parameter interval: the time from one probe of a target to the next.
    mutating func run(_ rounds: Int, every interval: Duration = .seconds(1)) {
        for _ in 0..<rounds {
            now += interval
            sequence += 1
            roster.noteWall(wall)
            for state in roster.states where state.isProbed {
                let outcome = outcome(of: state.target.name)
                let observation = Observation(
                    target: state.id,
                    sequence: sequence,
                    sent: now - .milliseconds(outcome.isLoss ? 900 : 5),
                    time: now,
                    outcome: outcome,
                    address: "192.0.2.7"
                )
                record(.observation(observation))
            }
            if let expiry = roster.nextExpiry, expiry <= now { collect(roster.expire(at: now)) }
        }
    }

    private mutating func outcome(of name: String) -> Outcome {
        guard let level = levels[name] ?? 12 else { return .timeout }
        let value = level * (1 + noise * random.normal())
        return .reply(Reply(roundTrip: .nanoseconds(Int64(value * 1e6))))
    }

    private mutating func collect(_ consequences: Consequences) {
        for event in consequences.events {
            guard case .shift(let shift) = event.kind else { continue }
            let name = event.targets.first.flatMap { roster[$0]?.target.name } ?? "?"
            shifts.append(shift)
            news.append(event.targets.count == 1 ? "\(name): \(shift.summary)" : shift.summary)
        }
        runs += consequences.runs
        orders += consequences.paths
    }
}

import TestSupport

@testable import ReachMonitoring

/// A network of routers and targets around a roster that searches for common causes: targets are probed every ten seconds,
/// each second once one has lost, and paths are traced when the roster asks.
struct CauseWorld {
    /// A target with the routers before it. A router whose name begins with `*` does not answer traces.
    struct Host {
        let name: String
        let address: String
        let routers: [String]
        var hooks: [HookRule] = []
        var group: String?
        var url: String?
        var certificate: CertificateIdentity?
    }

    private(set) var roster: Roster
    private(set) var now = Duration.zero
    /// The news about causes so far: `named: 14 down – 10.1.0.1 (…)`.
    private(set) var news: [String] = []
    /// The runs so far: `down of a1`.
    private(set) var runs: [HookRun] = []
    /// All events so far.
    private(set) var events: [RosterEvent] = []
    private(set) var hosts: [Host]
    /// The routers that drop everything.
    var dead: Set<String> = []
    /// The addresses of hosts that are switched off.
    var off: Set<String> = []
    /// How much longer the round trips by routers and of targets are, by their addresses.
    var delays: [String: Duration] = [:]
    /// The failures of targets by name, in place of timeouts.
    var failures: [String: Failure] = [:]
    private var due: [Target.ID: Duration] = [:]
    private var sequences: [Target.ID: Int] = [:]
    private var confirmations: [(time: Duration, id: Target.ID, hop: String)] = []
    private var traces: [(time: Duration, id: Target.ID, cause: PathCause)] = []

    /// The default gateways of this machine.
    private let gateways: [String]

    init(_ hosts: [Host], dead: Set<String> = [], gateways: [String] = []) {
        (self.hosts, self.dead, self.gateways) = (hosts, dead, gateways)
        roster = Roster(keepsPast: true, watchesSides: !gateways.isEmpty)
        roster.findsCauses = true
        roster.findsShifts = true
        apply()
    }

    /// Targets of one network: `10.N.0.x` behind routers.
    static func hosts(_ count: Int, _ name: String, network: Int, behind routers: [String]) -> [Host] {
        (1...count).map { Host(name: "\(name)\($0)", address: "10.\(network).\($0).5", routers: routers) }
    }

    mutating func apply(adding new: [Host] = [], removing old: Set<String> = []) {
        hosts.removeAll { old.contains($0.name) }
        hosts += new
        let targets = hosts.map { host in
            var target = Target.make(host.name, url: host.url ?? "icmp://\(host.address)")
            (target.interval, target.retryInterval, target.downInterval) = (.seconds(10), .seconds(1), .seconds(10))
            target.timeout = .seconds(1)
            target.path = PathSettings()
            (target.hooks, target.group, target.mayFlap) = (host.hooks, host.group, false)
            return target
        }
        var settings = Settings(targets: targets)
        settings.sides.gateways = gateways
        take(roster.apply(settings, at: now))
        for (index, state) in roster.states.enumerated() where due[state.id] == nil {
            due[state.id] = now + .milliseconds(Int64(index % 97) * 100)
        }
    }

    func id(_ name: String) -> Target.ID {
        roster.states.first { $0.target.name == name }?.id ?? Target.ID(.max)
    }

    /// The changes of levels that have something in common.
    var commonShifts: [String] {
        events.compactMap { event in
            guard case .shift(.common(let shift)) = event.kind else { return nil }
            return ShiftNews.common(shift).summary
        }
    }

    /// Performs a change of the roster by the user.
    mutating func change(_ body: (inout Roster, Duration) -> Consequences) { take(body(&roster, now)) }

    private mutating func take(_ consequences: Consequences) {
        events += consequences.events
        for case .cause(let cause) in consequences.events.map(\.kind) { news.append("\(cause.name): \(cause.summary)") }
        runs += consequences.runs
        for order in consequences.paths {
            switch order {
            case .trace(let id, _, _): traces.append((now + .milliseconds(300), id, .first))
            case .now(let id): traces.append((now + .milliseconds(300), id, .down))
            case .confirm(let id, let hop, _): confirmations.append((now + .milliseconds(200), id, hop))
            case .soon(let id): traces.append((now + .seconds(1), id, .refresh))
            case .end(let ids): traces.removeAll { ids.contains($0.id) }
            }
        }
    }

    /// Runs for a time, in steps of a tenth of a second.
    mutating func run(_ seconds: Double) {
        let end = now + .milliseconds(Int64(seconds * 1_000))
        while now < end {
            now += .milliseconds(100)
            take(roster.record(findings()))
            if let expiry = roster.nextExpiry, expiry <= now { take(roster.expire(at: now)) }
        }
    }

    private mutating func findings() -> [Finding] {
        var findings: [Finding] = []
        for host in hosts {
            guard let state = roster[id(host.name)], state.isProbed, let time = due[state.id], time <= now else {
                continue
            }
            let outcome = outcome(of: host)
            let sequence = (sequences[state.id] ?? 0) + 1
            sequences[state.id] = sequence
            let observation = Observation(
                target: state.id,
                sequence: sequence,
                sent: outcome == .timeout ? now - .milliseconds(900) : now - .milliseconds(5),
                time: now,
                outcome: outcome,
                address: host.address
            )
            findings.append(.observation(observation))
            let isPending = outcome.isLoss && state.health != .down
            due[state.id] = now + (isPending ? .seconds(1) : .seconds(10))
        }
        for trace in traces where trace.time <= now {
            guard let target = roster[trace.id]?.target, let host = hosts.first(where: { $0.name == target.name })
            else {
                continue
            }
            let traced = PathFinding.traced(completion(host, trace.cause, started: trace.time - .milliseconds(300)))
            findings.append(.path(trace.id, traced, at: now))
        }
        traces.removeAll { $0.time <= now }
        for (_, id, hop) in confirmations.filter({ $0.time <= now }) {
            guard let target = roster[id]?.target, let host = hosts.first(where: { $0.name == target.name }) else {
                continue
            }
            let routers = host.routers.prefix { $0 != hop } + [hop]
            let answered = !routers.contains(where: dead.contains)
            findings.append(.path(id, .confirmed(hop: hop, answered: answered), at: now))
        }
        confirmations.removeAll { $0.time <= now }
        return findings
    }

    private func outcome(of host: Host) -> Outcome {
        if off.contains(host.address) || host.routers.contains(where: dead.contains) { return .timeout }
        if let failure = failures[host.name] { return .failure(failure) }
        let delay = (host.routers + [host.address]).reduce(Duration.zero) { $0 + (delays[$1] ?? .zero) }
        var reply = Reply(roundTrip: .milliseconds(5) + delay)
        reply.certificate = host.certificate
        return .reply(reply)
    }

    private func completion(_ host: Host, _ cause: PathCause, started: Duration) -> PathCompletion {
        var hops: [String?] = []
        var end: PathEnd?
        for router in host.routers {
            guard !dead.contains(router) else { break }
            hops.append(router.hasPrefix("*") ? nil : router)
        }
        if hops.count == host.routers.count, !off.contains(host.address) {
            hops.append(host.address)
            end = .reached(hop: hops.count, address: host.address)
        } else if let last = hops.lastIndex(where: { $0 != nil }), let address = hops[last] {
            end = .silent(hop: last + 1, address: address, length: host.routers.count + 1)
        }
        return PathCompletion(cause: cause, end: end ?? .nothing, started: started, probes: 3, hops: hops)
    }
}

import TestSupport

@testable import ReachMonitoring

/// A simulated machine with a gateway, a provider and targets beyond it, and a roster that watches them.
struct SideWorld {
    /// A fault, and when it lasts.
    struct Trouble {
        enum Place: Equatable {
            case link
            case gateway
            case provider
            case target(String)
        }

        let place: Place
        let span: Range<Duration>
    }

    private struct Flight {
        let target: Target.ID
        let sequence: Int
        let sent: Duration
        let known: Duration
        let outcome: Outcome
    }

    var roster: Roster
    private(set) var now = Duration.zero
    var troubles: [Trouble] = []
    /// The failures of targets by name, in place of replies.
    var failures: [String: Failure] = [:]
    /// The addresses to which this machine has no route.
    var unroutable: Set<String> = []
    /// The transitions to down, with their times.
    private(set) var alarms: [(name: String, time: Duration)] = []
    /// All events as text.
    private(set) var events: [String] = []
    private(set) var runs: [HookRun] = []
    private var flights: [Flight] = []
    private var next: [Target.ID: Duration] = [:]
    private var intervals: [Target.ID: Duration] = [:]
    private var sequences: [Target.ID: Int] = [:]
    private var isLinkUp = true

    /// The milliseconds after which a target is probed first, by its number.
    private let phase: @Sendable (Int) -> Int

    static let step = Duration.milliseconds(20)
    static let roundTrip = Duration.milliseconds(20)

    init(
        _ targets: [Target],
        sides: SidesSettings = SidesSettings(),
        gateways: [String] = ["192.168.1.1"],
        watchesSides: Bool = true,
        phase: @escaping @Sendable (Int) -> Int = { 100 * ($0 % 10) }
    ) {
        self.phase = phase
        roster = Roster(keepsPast: true, watchesSides: watchesSides)
        apply(targets, sides: sides, gateways: gateways)
    }

    mutating func apply(
        _ targets: [Target],
        sides: SidesSettings = SidesSettings(),
        gateways: [String] = ["192.168.1.1"]
    ) {
        var settings = Settings(targets: targets)
        settings.sides = sides
        settings.sides.gateways = gateways
        perform(roster.apply(settings, at: now))
    }

    /// On whose side the present outages are.
    var sideReport: SideReport? {
        var roster = roster
        return roster.sideReport(at: now)
    }

    subscript(name: String) -> TargetState? { roster.states.first { $0.target.label == name } }

    /// The targets that an interruption blocks, by name.
    var blocked: [String] { roster.states.filter { $0.isBlocked }.map(\.target.label).sorted() }

    mutating func perform(_ consequences: Consequences) {
        for request in consequences.requests {
            switch request {
            case .watch(let assignments):
                for assignment in assignments {
                    intervals[assignment.id] = assignment.target.interval
                    next[assignment.id] = now + .milliseconds(phase(assignment.id.rawValue))
                }
            case .forget(let ids):
                for id in ids { next[id] = nil }
                flights.removeAll { ids.contains($0.target) }
            case .now(let ids):
                for id in ids where next[id] != nil { send(id) }
            case .pace(let id, let interval, _):
                intervals[id] = interval
                if let due = next[id] { next[id] = min(due, now + interval) }
            }
        }
        runs += consequences.runs
        for event in consequences.events {
            let names = event.targets.compactMap { roster[$0]?.target.label }
            events.append("\(names.sorted().joined(separator: " ")): \(event.summary)")
            if case .transition(let transition) = event.kind, transition.to == .down {
                alarms += names.map { ($0, now) }
            }
        }
    }

    /// Whether there is trouble at a place.
    func isBroken(_ place: Trouble.Place, at time: Duration) -> Bool {
        troubles.contains { $0.place == place && $0.span.contains(time) }
    }

    private mutating func send(_ id: Target.ID) {
        guard let target = roster[id]?.target else { return }
        sequences[id, default: 0] += 1
        let host = target.question.host ?? ""
        let times = [now, now + Self.roundTrip]
        let isFar = AddressScope(host) == .internet
        let isLost = times.contains { time in
            isBroken(.target(target.label), at: time) || isBroken(.link, at: time)
                || host == "192.168.1.1" && isBroken(.gateway, at: time)
                || isFar && (isBroken(.gateway, at: time) || isBroken(.provider, at: time))
        }
        let (delay, outcome): (Duration, Outcome) =
            isBroken(.link, at: now) || unroutable.contains(host)
            ? (.milliseconds(1), .failure(Failure(.noRoute)))
            : isLost
                ? (target.timeout, .timeout)
                : (Self.roundTrip, failures[target.label].map { .failure($0) } ?? .reply(roundTrip: Self.roundTrip))
        flights.append(
            Flight(target: id, sequence: sequences[id] ?? 1, sent: now, known: now + delay, outcome: outcome)
        )
    }

    /// Advances the time.
    mutating func run(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now += Self.step
            let isUp = !isBroken(.link, at: now)
            if isUp != isLinkUp {
                isLinkUp = isUp
                perform(roster.record([.link(isUp: isUp, at: now)]))
            }
            for id in next.keys.sorted() {
                guard let due = next[id], due <= now else { continue }
                next[id] = due + (intervals[id] ?? .seconds(1))
                send(id)
            }
            let ended = flights.filter { $0.known <= now }.sorted { $0.known < $1.known }
            flights.removeAll { $0.known <= now }
            for flight in ended {
                let host = roster[flight.target]?.target.question.host
                let observation = Observation(
                    target: flight.target,
                    sequence: flight.sequence,
                    sent: flight.sent,
                    time: now,
                    outcome: flight.outcome,
                    address: host
                )
                perform(roster.record([.observation(observation)]))
            }
            if let expiry = roster.nextExpiry, expiry <= now { perform(roster.expire(at: now)) }
        }
    }
}

extension Target {
    /// A target that is probed by echo requests to an address.
    static func at(
        _ address: String,
        _ name: String? = nil,
        interval: Duration = .seconds(1),
        fall: Int = 3,
        dependsOn: [Dependency] = [],
        hooks: [HookRule] = []
    ) -> Target {
        .make(
            name ?? address,
            url: "icmp://\(address)",
            dependsOn: dependsOn,
            interval: interval,
            timeout: .seconds(1),
            fall: fall,
            hooks: hooks
        )
    }
}

extension Target {
    /// The target with a traced path.
    var traced: Target {
        var target = self
        target.path = PathSettings()
        return target
    }
}

extension SideWorld {
    static let gateway = Target.at("192.168.1.1", "Gateway")
    static let neighbour = Target.at("192.168.1.20", "NAS")
    /// Four targets of different networks on the far side. The first has hooks.
    static let far = [
        Target.at("192.0.2.1", "A", hooks: [.make(on: [.down, .up])]), Target.at("198.51.100.1", "B"),
        Target.at("203.0.113.1", "C"), Target.at("192.1.2.1", "D"),
    ]

    /// A gateway, a neighbour and four targets beyond them, with troubles.
    static func world(_ troubles: Trouble..., targets: [Target]? = nil) -> SideWorld {
        var world = SideWorld(targets ?? [gateway, neighbour] + far)
        world.troubles = troubles
        return world
    }

    /// Trouble from a second to another, between two probes.
    static func trouble(_ place: Trouble.Place, _ start: Int, _ end: Int) -> Trouble {
        Trouble(place: place, span: .milliseconds(start * 1_000 + 130)..<(.milliseconds(end * 1_000 + 130)))
    }
}

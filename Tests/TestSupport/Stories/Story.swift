public import ReachMonitoring

/// A roster driven by a test: one outcome a second goes in, and the consequences are recorded.
public struct Story {
    /// The roster.
    public var roster = Roster(keepsPast: true)
    /// The time of the last outcome.
    public private(set) var now = Duration.zero
    /// Every transition so far, as `NAS: up→down`, in order.
    public private(set) var transitions: [String] = []
    /// The hook runs so far, in order; see ``runNames``.
    public private(set) var runs: [HookRun] = []
    /// The requests to the prober so far.
    public private(set) var requests: [ProbeRequest] = []
    /// The events so far, except transitions.
    public private(set) var others: [RosterEvent] = []
    private var sequences: [String: Int] = [:]

    /// Creates a story with targets in the state unknown.
    public init(_ targets: Target...) {
        self.init(targets)
    }

    /// Creates a story with targets in the state unknown.
    public init(_ targets: [Target]) {
        take(roster.apply(Settings(targets: targets), at: .zero))
    }

    /// Creates a story without targets.
    init() {}

    /// Records outcomes of one target, a second apart.
    public mutating func hear(_ letters: String, from name: String = "NAS", every step: Duration = .seconds(1)) {
        for outcome in Outcome.picture(letters) {
            now += step
            hear(outcome, from: name)
        }
    }

    /// Records one outcome at the current time, of a probe that was sent at another time.
    /// - Parameter sequence: the number of the probe; nil for the next one of the target.
    public mutating func hear(
        _ outcome: Outcome,
        from name: String = "NAS",
        sent: Duration? = nil,
        sequence: Int? = nil
    ) {
        if let consequences = consequences(of: outcome, from: name, sent: sent, sequence: sequence) {
            take(consequences)
        }
    }

    /// Records one outcome at the current time, and returns the consequences.
    mutating func consequences(
        of outcome: Outcome,
        from name: String,
        sent: Duration? = nil,
        sequence: Int? = nil
    ) -> Consequences? {
        guard let state = self[name] else { return nil }
        let number = sequence ?? sequences[name, default: 0] + 1
        sequences[name] = max(number, sequences[name] ?? 0)
        let observation = Observation(
            target: state.id,
            sequence: number,
            sent: sent,
            time: now,
            outcome: outcome,
            address: "192.0.2.5"
        )
        return roster.record([.observation(observation)])
    }

    /// Advances the time.
    public mutating func wait(_ duration: Duration) {
        now += duration
    }

    /// The state of a target.
    public subscript(name: String) -> TargetState? {
        roster.states.first { $0.target.name == name }
    }

    /// Records the consequences of an input that a test gave to the roster itself.
    public mutating func take(_ consequences: Consequences) {
        runs += consequences.runs
        requests += consequences.requests
        for event in consequences.events {
            if case .transition(let transition) = event.kind,
                let name = event.targets.first.flatMap({ roster[$0]?.target.name })
            {
                transitions.append("\(name): \(transition.from.rawValue)→\(transition.to.rawValue)")
            } else {
                others.append(event)
            }
        }
    }

    /// Reports the end of a run to the roster.
    public mutating func end(_ run: HookRun, _ status: HookResult.Status) {
        roster.record(.finished(run, HookResult(status: status, duration: .seconds(1))))
    }

    /// The runs as text: `NAS: up`.
    public var runNames: [String] {
        runs.map { "\($0.context.name): \($0.context.event.rawValue)" }
    }
}

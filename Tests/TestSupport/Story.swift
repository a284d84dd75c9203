public import Monitoring

/// A roster that a test tells a story to: outcomes go in, one a second; what follows is kept.
public struct Story {
    /// The roster in the middle of the story.
    public var roster = Roster()
    /// The time of the last outcome.
    public private(set) var now = Duration.zero
    /// Every transition so far, as `NAS: up→down`, in order.
    public private(set) var transitions: [String] = []
    /// Every hook that was due so far, as `NAS: up`, in order.
    public private(set) var runs: [HookRun] = []
    /// Every request to the prober so far.
    public private(set) var requests: [ProbeRequest] = []
    /// Everything that was told besides transitions.
    public private(set) var others: [RosterEvent] = []
    private var sequence = 0

    /// The beginning: these targets, nothing known of them.
    public init(_ targets: Target...) {
        self.init(targets)
    }

    /// The beginning: these targets, nothing known of them.
    public init(_ targets: [Target]) {
        take(roster.apply(Settings(targets: targets), at: .zero))
    }

    /// A story whose targets are yet to come.
    init() {}

    /// Hands the roster outcomes of one target, a second apart.
    public mutating func hear(_ letters: String, from name: String = "NAS", every step: Duration = .seconds(1)) {
        for outcome in Outcome.picture(letters) {
            now += step
            hear(outcome, from: name)
        }
    }

    /// Hands the roster one outcome, now, of a probe that was sent at another time.
    public mutating func hear(_ outcome: Outcome, from name: String = "NAS", sent: Duration? = nil) {
        if let consequences = consequences(of: outcome, from: name, sent: sent) { take(consequences) }
    }

    /// Hands the roster one outcome, now, and returns what follows.
    mutating func consequences(of outcome: Outcome, from name: String, sent: Duration? = nil) -> Consequences? {
        guard let standing = self[name] else { return nil }
        sequence += 1
        let observation = Observation(
            target: standing.id,
            sequence: sequence,
            sent: sent,
            time: now,
            outcome: outcome,
            address: "192.0.2.5"
        )
        return roster.record([.observation(observation)])
    }

    /// Lets time pass.
    public mutating func wait(_ duration: Duration) {
        now += duration
    }

    /// What is known of a target.
    public subscript(name: String) -> Standing? {
        roster.standings.first { $0.target.name == name }
    }

    /// Keeps what follows from something that the test did to the roster itself.
    public mutating func take(_ consequences: Consequences) {
        runs += consequences.runs
        requests += consequences.requests
        for event in consequences.events {
            if case .transition(let id, let transition) = event, let name = roster[id]?.target.name {
                transitions.append("\(name): \(transition.from.rawValue)→\(transition.to.rawValue)")
            } else {
                others.append(event)
            }
        }
    }

    /// Tells the roster how a run ended.
    public mutating func end(_ run: HookRun, _ status: HookResult.Status) {
        roster.record(.finished(run, HookResult(status: status, duration: .seconds(1))))
    }

    /// The runs as text: `NAS: up`.
    public var runNames: [String] {
        runs.map { "\($0.occasion.name): \($0.occasion.event.rawValue)" }
    }
}

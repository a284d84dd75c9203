/// The context of a hook run: the event that fired it, and the state of the target then.
public struct HookContext: Sendable, Hashable {
    /// The trigger of a hook.
    public enum Trigger: Sendable, Hashable {
        /// The health changed.
        case transition(Transition)
        /// The name resolves to another address.
        case address(from: String, to: String)
        /// The path to the target changed, or was traced while the target is down.
        case path(PathNews)
        /// The usual round trips or losses changed.
        case shift(ShiftNews)
        /// Outages have a common cause, or it is over.
        case cause(CommonCause)
        /// The target began or stopped flapping; `share` is how often its health changes, 0…1.
        case flapping(isFlapping: Bool, share: Double)
        /// The user armed a hook of a reachable target, or tested a hook.
        case user
    }

    /// The event that the rule waits for.
    public let event: HookEvent
    /// The trigger.
    public let trigger: Trigger
    /// The time of the trigger, since the start of the program.
    public let time: Duration
    /// The target's name.
    public let name: String
    /// The question of the target: its URL and options.
    public let question: Question
    /// The group that the target belongs to.
    public let group: String?
    /// The tags of the target.
    public let tags: [String]
    /// The numeric address that was probed last.
    public let address: String?
    /// The health of the target at that time.
    public let health: Health
    /// When that health began.
    public let since: Duration
    /// The length of the outage that the transition ends, with the faults in it; nil for other triggers.
    public private(set) var outage: Duration?
    /// The round trip of the newest reply at that time.
    public let roundTrip: Duration?
    /// The loss rate over the window, 0…1; nil before the first finished probe.
    public let loss: Double?
    /// The reason of the acknowledgement; nil for a target that is not acknowledged.
    public let acknowledged: String?
    /// The path to the target: while it is down, and when it is up again, as it was traced in the outage, otherwise as the
    /// newest trace found it; nil if that is not done.
    public package(set) var path: TracedPath?
    /// The common cause that explains the outage of the target; nil if none does.
    public package(set) var commonCause: CommonCause?
    /// The vantage points of a target of the fleet; empty for others.
    package var vantagePoints: [VantagePoint] = []

    /// Creates a context.
    public init(
        event: HookEvent,
        trigger: Trigger,
        at time: Duration,
        name: String,
        question: Question,
        group: String? = nil,
        tags: [String] = [],
        address: String? = nil,
        health: Health,
        since: Duration,
        roundTrip: Duration? = nil,
        loss: Double? = nil,
        acknowledged: String? = nil
    ) {
        self.event = event
        self.trigger = trigger
        self.time = time
        self.name = name
        self.question = question
        self.group = group
        self.tags = tags
        self.address = address
        self.health = health
        self.since = since
        self.roundTrip = roundTrip
        self.loss = loss
        self.acknowledged = acknowledged
        outage = transition?.outage
        if case .cause(let cause) = trigger { commonCause = cause }
    }

    /// The transition; nil unless a change of health fired the rule.
    public var transition: Transition? {
        if case .transition(let transition) = trigger { transition } else { nil }
    }
}

extension HookContext {
    /// Creates a context from the present state of a target.
    init(_ event: HookEvent, by trigger: Trigger, at time: Duration, of state: TargetState) {
        let statistics = state.statistics
        self.init(
            event: event,
            trigger: trigger,
            at: time,
            name: state.target.name,
            question: state.target.question,
            group: state.target.group,
            tags: state.target.tags,
            address: state.address,
            health: state.health,
            since: state.healthSince,
            roundTrip: statistics.last,
            loss: statistics.loss,
            acknowledged: state.acknowledgement?.reason
        )
        vantagePoints = state.vantagePoints?.points ?? []
        // What was traced before an outage says nothing about it.
        path = state.health == .down || event == .up ? state.path?.outage : state.path?.newest
        outage = transition.flatMap { state.hookTracker.outages.outage(endedBy: $0) }
    }
}

extension HookContext {
    /// The environment variables for a hook run. An unknown value is empty, never missing, so that a script under `set
    /// -u` works.
    ///
    /// Target data is passed to a command only through the environment and standard input, never spliced into the
    /// command.
    func environment(wall: WallTime) -> [(name: String, value: String)] {
        [
            ("REACH_EVENT", event.rawValue),
            ("REACH_TARGET", name),
            ("REACH_URL", question.url),
            ("REACH_HOST", question.host ?? ""),
            ("REACH_PORT", question.port.map { String($0) } ?? ""),
            ("REACH_ADDRESS", address ?? ""),
            ("REACH_PREVIOUS_ADDRESS", previousAddress ?? ""),
            ("REACH_GROUP", group ?? ""),
            ("REACH_TAGS", tags.joined(separator: ",")),
            ("REACH_HEALTH", health.rawValue),
            ("REACH_PREVIOUS_HEALTH", transition?.from.rawValue ?? ""),
            ("REACH_FLAPPING", isFlapping.map { $0 ? "true" : "false" } ?? ""),
            ("REACH_REASON", transition?.reason ?? ""),
            ("REACH_SINCE", wall.timestamp(at: since)),
            ("REACH_DOWN_SECONDS", outage.map { $0.decimal(.seconds(1), places: 3) } ?? ""),
            ("REACH_ROUND_TRIP_MS", roundTrip?.millisecondsText ?? ""),
            ("REACH_LOSS", loss.map { String($0) } ?? ""),
            ("REACH_SHIFT", shift?.sentence { wall.minuteOfDay(at: $0) } ?? ""),
            ("REACH_LEVEL_BEFORE_MS", levelShift?.before.millisecondsText ?? ""),
            ("REACH_LEVEL_MS", levelShift?.after.millisecondsText ?? ""),
            ("REACH_PATH_END", path?.end.summary ?? ""),
            ("REACH_PATH_HOPS", path?.hopList ?? ""),
            ("REACH_PATH_BEFORE", path?.listBefore ?? ""),
            ("REACH_CAUSE", commonCause?.place ?? ""),
            ("REACH_CAUSE_COUNT", commonCause.map { String($0.explained) } ?? ""),
            ("REACH_ACKNOWLEDGED", acknowledged ?? ""),
            ("REACH_VANTAGE_UP", vantageNames { $0.isReporting && $0.health == .up }),
            ("REACH_VANTAGE_DEGRADED", vantageNames { $0.isReporting && $0.health == .degraded }),
            ("REACH_VANTAGE_DOWN", vantageNames { $0.isReporting && $0.health == .down }),
            ("REACH_VANTAGE_SILENT", vantageNames { !$0.isVoter }),
        ]
    }

    /// The names of vantage points, separated by commas. A comma in a name is replaced.
    private func vantageNames(where isIncluded: (VantagePoint) -> Bool) -> String {
        vantagePoints.filter(isIncluded).map { $0.name.replacing(",", with: "_") }.joined(separator: ",")
    }

    /// The previous address; nil unless a change of address fired the hook.
    public var previousAddress: String? {
        if case .address(let old, _) = trigger { old } else { nil }
    }

    /// The change of the usual round trips or losses; nil unless it fired the hook.
    package var shift: ShiftNews? {
        if case .shift(let news) = trigger { news } else { nil }
    }

    /// The change of the round-trip level; nil unless it fired the hook.
    public var levelShift: LevelShift? {
        if case .level(let shift) = shift { shift } else { nil }
    }

    /// Whether the target flaps now; nil unless flapping fired the hook.
    public var isFlapping: Bool? {
        if case .flapping(let isFlapping, _) = trigger { isFlapping } else { nil }
    }

    /// The flapping share by the formula of Nagios, 0…1; nil unless flapping fired the hook.
    public var flappingShare: Double? {
        if case .flapping(_, let share) = trigger { share } else { nil }
    }
}

extension Duration {
    /// The milliseconds with three decimals, for machines.
    fileprivate var millisecondsText: String { decimal(.milliseconds(1), places: 3) }
}

extension Transition {
    /// The reason why the target is down, degraded or cannot be probed: the raw value of a ``Reason`` or a
    /// ``Fault/Problem``, or `timeout`, `slow`, `lossy`, `concern`; nil when it is up.
    public var reason: String? {
        switch cause {
        case .replies: nil
        case .losses(_, let failure): failure?.reason.rawValue ?? "timeout"
        case .faults(_, let fault): fault.problem.rawValue
        case .slow: "slow"
        case .lossy: "lossy"
        case .concern: "concern"
        }
    }
}

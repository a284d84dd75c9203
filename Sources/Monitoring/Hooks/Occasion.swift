/// What a hook run is told about what fired it.
public struct Occasion: Sendable, Hashable {
    /// What fired a hook.
    public enum Trigger: Sendable, Hashable {
        /// The health changed.
        case transition(Transition)
        /// The name stands for another address.
        case address(from: String, to: String)
        /// The target began to go up and down too often, or has settled; `share` is how often, 0…1.
        case flapping(isFlapping: Bool, share: Double)
        /// The user did: by arming a hook of a target that answers, or by testing one.
        case user
    }

    /// The event that the rule waited for.
    public let event: HookEvent
    /// What fired the rule.
    public let trigger: Trigger
    /// When that was, since the start of the program.
    public let time: Duration
    /// The target's name.
    public let name: String
    /// What the target was asked.
    public let question: Question
    /// The group that the target belongs to.
    public let group: String?
    /// The numeric address that was asked last.
    public let address: String?
    /// The health of the target then.
    public let health: Health
    /// When that health began.
    public let since: Duration
    /// The round trip of the reply that brought the transition about, or of the last one before it.
    public let roundTrip: Duration?
    /// Loss over the window, 0…1; absent before the first finished probe.
    public let loss: Double?

    /// What is known at that moment.
    public init(
        event: HookEvent,
        trigger: Trigger,
        at time: Duration,
        name: String,
        question: Question,
        group: String? = nil,
        address: String? = nil,
        health: Health,
        since: Duration,
        roundTrip: Duration? = nil,
        loss: Double? = nil
    ) {
        self.event = event
        self.trigger = trigger
        self.time = time
        self.name = name
        self.question = question
        self.group = group
        self.address = address
        self.health = health
        self.since = since
        self.roundTrip = roundTrip
        self.loss = loss
    }

    /// The change of health, when that is what fired the rule.
    public var transition: Transition? {
        if case .transition(let transition) = trigger { transition } else { nil }
    }
}

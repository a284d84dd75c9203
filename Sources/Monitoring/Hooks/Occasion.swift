/// What a hook run is told about the transition that fired it.
public struct Occasion: Sendable, Hashable {
    /// The event that the rule waited for.
    public let event: HookEvent
    /// The target's name.
    public let name: String
    /// What the target was asked.
    public let question: Question
    /// The group that the target belongs to.
    public let group: String?
    /// The numeric address that was asked last.
    public let address: String?
    /// The change of health itself.
    public let transition: Transition
    /// The round trip of the reply that brought the transition about, or of the last one before it.
    public let roundTrip: Duration?
    /// Loss over the window, 0…1; absent before the first finished probe.
    public let loss: Double?

    /// What is known at the moment of the transition.
    public init(
        event: HookEvent,
        name: String,
        question: Question,
        group: String? = nil,
        address: String? = nil,
        transition: Transition,
        roundTrip: Duration? = nil,
        loss: Double? = nil
    ) {
        self.event = event
        self.name = name
        self.question = question
        self.group = group
        self.address = address
        self.transition = transition
        self.roundTrip = roundTrip
        self.loss = loss
    }
}

/// One thing watched: a name and a question, and when its answers count.
public struct Target: Sendable, Hashable {
    /// What a probe and its answer have in common. A target whose question changes gets a new one, so that a late
    /// answer to the old question is never credited to the new.
    public struct ID: Sendable, Hashable, Comparable {
        /// The number, counted from zero, never given twice in one run of the program.
        public let rawValue: Int

        /// An identity with this number.
        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The order in which the identities were given.
        public static func < (one: ID, other: ID) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// All targets that are copies of this one have it in common: the roster's, the prober's and the screen's.
    private var parts: Shared<Parts>

    private struct Parts: Sendable, Hashable {
        // First what is read at every answer.
        var thresholds: Thresholds
        var mayFlap: Bool
        var interval: Duration
        var retryInterval: Duration
        var downInterval: Duration
        var timeout: Duration
        var spread: Double
        var name: String
        var question: Question
        var family: Family
        var isOneOfBoth: Bool
        var addresses: AddressChoice
        var source: String?
        var group: String?
        var dependsOn: [Dependency]
        var hooks: [HookRule]
    }

    /// A target with the defaults of its method.
    public init(
        name: String,
        question: Question,
        family: Family = .any,
        isOneOfBoth: Bool = false,
        addresses: AddressChoice = .any,
        source: String? = nil,
        group: String? = nil,
        dependsOn: [Dependency] = [],
        interval: Duration? = nil,
        timeout: Duration? = nil,
        retryInterval: Duration? = nil,
        downInterval: Duration? = nil,
        spread: Double = 0.05,
        thresholds: Thresholds? = nil,
        mayFlap: Bool = true,
        hooks: [HookRule] = []
    ) {
        let interval = interval ?? question.method.defaultInterval
        parts = Shared(
            Parts(
                thresholds: thresholds ?? Thresholds(fall: question.method.defaultFall),
                mayFlap: mayFlap,
                interval: interval,
                retryInterval: retryInterval ?? min(interval, .seconds(1)),
                downInterval: downInterval ?? question.method.defaultDownInterval(interval: interval),
                timeout: timeout ?? question.method.defaultTimeout(interval: interval),
                spread: spread,
                name: name,
                question: question,
                family: family,
                isOneOfBoth: isOneOfBoth,
                addresses: addresses,
                source: source,
                group: group,
                dependsOn: dependsOn,
                hooks: hooks
            )
        )
    }

    /// The parts of this copy: a change of one leaves the others' as they are.
    private var own: Parts {
        get { parts.value }
        set { parts = Shared(newValue) }
    }

    /// The name, unique among the targets of one settings value but for the two families and the addresses of one target.
    public var name: String {
        get { parts.value.name }
        set { own.name = newValue }
    }

    /// What is asked.
    public var question: Question {
        get { parts.value.question }
        set { own.question = newValue }
    }

    /// By which address family.
    public var family: Family {
        get { parts.value.family }
        set { own.family = newValue }
    }

    /// Whether the other family is asked as well, as a target of its own under the same name.
    public var isOneOfBoth: Bool {
        get { parts.value.isOneOfBoth }
        set { own.isOneOfBoth = newValue }
    }

    /// At which addresses of its name.
    public var addresses: AddressChoice {
        get { parts.value.addresses }
        set { own.addresses = newValue }
    }

    /// The address or the interface that probes leave from; the system's choice when absent.
    public var source: String? {
        get { parts.value.source }
        set { own.source = newValue }
    }

    /// The group that the target is shown in.
    public var group: String? {
        get { parts.value.group }
        set { own.group = newValue }
    }

    /// While one of these is down, the target is blocked: neither asked nor judged.
    public var dependsOn: [Dependency] {
        get { parts.value.dependsOn }
        set { own.dependsOn = newValue }
    }

    /// The time from one probe to the next.
    public var interval: Duration {
        get { parts.value.interval }
        set { own.interval = newValue }
    }

    /// How long a probe may take before it is lost.
    public var timeout: Duration {
        get { parts.value.timeout }
        set { own.timeout = newValue }
    }

    /// The time from one probe to the next while the health is pending.
    public var retryInterval: Duration {
        get { parts.value.retryInterval }
        set { own.retryInterval = newValue }
    }

    /// The time from one probe to the next while the target is down, for the first ten minutes; without effect where it is
    /// longer than ``interval``.
    public var downInterval: Duration {
        get { parts.value.downInterval }
        set { own.downInterval = newValue }
    }

    /// Each probe's random offset, as a share of the interval, so that targets do not march in step.
    public var spread: Double {
        get { parts.value.spread }
        set { own.spread = newValue }
    }

    /// When a streak of outcomes changes the health.
    public var thresholds: Thresholds {
        get { parts.value.thresholds }
        set { own.thresholds = newValue }
    }

    /// Whether it may count as flapping: hooks for its health then wait.
    public var mayFlap: Bool {
        get { parts.value.mayFlap }
        set { own.mayFlap = newValue }
    }

    /// What runs when the health changes.
    public var hooks: [HookRule] {
        get { parts.value.hooks }
        set { own.hooks = newValue }
    }

    /// Whether an answer to one is an answer to the other: the same question, in the same family, at the same address, from
    /// the same source.
    public func asksTheSame(as other: Target) -> Bool {
        question == other.question && family == other.family && addresses == other.addresses && source == other.source
    }

    /// Whether it is asked more often while its health is pending.
    var retriesSooner: Bool { retryInterval < interval }

    /// The name as it is shown, and by which the target is known: with the address where each has a row, with the family
    /// where both are asked.
    public var label: String {
        if case .only(let address) = addresses { return "\(name) \(address)" }
        return isOneOfBoth ? "\(name) IPv\(family.rawValue)" : name
    }
}

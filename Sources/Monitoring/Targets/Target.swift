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

    /// The name, unique among the targets of one settings value but for the two families of one target.
    public var name: String
    /// What is asked.
    public var question: Question
    /// By which address family.
    public var family: Family
    /// Whether the other family is asked as well, as a target of its own under the same name.
    public var isOneOfBoth: Bool
    /// The address or the interface that probes leave from; the system's choice when absent.
    public var source: String?
    /// The group that the target is shown in.
    public var group: String?
    /// While one of these is down, the target is blocked: neither asked nor judged.
    public var dependsOn: [Dependency]
    /// The time from one probe to the next.
    public var interval: Duration
    /// How long a probe may take before it is lost.
    public var timeout: Duration
    /// The time from one probe to the next while the health is pending.
    public var retryInterval: Duration
    /// Each probe's random offset, as a share of the interval, so that targets do not march in step.
    public var spread: Double
    /// When a streak of outcomes changes the health.
    public var thresholds: Thresholds
    /// Whether it may count as flapping: hooks for its health then wait.
    public var mayFlap: Bool
    /// What runs when the health changes.
    public var hooks: [HookRule]

    /// A target with the defaults of its method.
    public init(
        name: String,
        question: Question,
        family: Family = .any,
        isOneOfBoth: Bool = false,
        source: String? = nil,
        group: String? = nil,
        dependsOn: [Dependency] = [],
        interval: Duration? = nil,
        timeout: Duration? = nil,
        retryInterval: Duration? = nil,
        spread: Double = 0.05,
        thresholds: Thresholds? = nil,
        mayFlap: Bool = true,
        hooks: [HookRule] = []
    ) {
        let interval = interval ?? question.method.defaultInterval
        self.name = name
        self.question = question
        self.family = family
        self.isOneOfBoth = isOneOfBoth
        self.source = source
        self.group = group
        self.dependsOn = dependsOn
        self.interval = interval
        self.timeout = timeout ?? question.method.defaultTimeout(interval: interval)
        self.retryInterval = retryInterval ?? min(interval, .seconds(1))
        self.spread = spread
        self.thresholds = thresholds ?? Thresholds(fall: question.method.defaultFall)
        self.mayFlap = mayFlap
        self.hooks = hooks
    }

    /// Whether an answer to one is an answer to the other: the same question, in the same family, from the same source.
    public func asksTheSame(as other: Target) -> Bool {
        question == other.question && family == other.family && source == other.source
    }

    /// Whether it is asked more often while its health is pending.
    var retriesSooner: Bool { retryInterval < interval }

    /// The name as it is shown, and by which the target is known: with the family where both are asked.
    public var label: String {
        isOneOfBoth ? "\(name) IPv\(family.rawValue)" : name
    }
}

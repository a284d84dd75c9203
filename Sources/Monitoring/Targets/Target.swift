/// One thing that is watched: a name, what is probed, and how its answers are judged.
///
/// A target takes a few hundred bytes. What stores thousands of them, such as the roster, stores them in boxes that the
/// prober and the screen share.
public struct Target: Sendable, Hashable {
    /// The identity that a probe and its answer carry. A target whose question changes gets a new one, so that a late
    /// answer to the old question is never counted for the new one.
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

    /// The name, unique within one ``Settings`` value, except for the two families and the addresses of one target.
    public var name: String
    /// What is probed, and how.
    public var question: Question
    /// The address family of the probes.
    public var family: Family
    /// Whether the other family is probed as well, by a target of its own with the same name.
    public var isOneOfBoth: Bool
    /// Which addresses of the name are probed.
    public var addresses: AddressChoice
    /// The address or the interface that probes are sent from; chosen by the system when absent.
    public var source: String?
    /// The group that the target is shown in.
    public var group: String?
    /// While one of these is down, the target is blocked: neither probed nor judged.
    public var dependsOn: [Dependency]
    /// The time from one probe to the next.
    public var interval: Duration
    /// How long a probe may take before it is lost.
    public var timeout: Duration
    /// The time from one probe to the next while the health is pending.
    public var retryInterval: Duration
    /// The time from one probe to the next during the first ten minutes of an outage; ignored where it is longer than
    /// ``interval``.
    public var downInterval: Duration
    /// The random offset of each probe, as a share of the interval, so that probes of many targets do not coincide.
    public var spread: Double
    /// How many outcomes in a row change the health.
    public var thresholds: Thresholds
    /// Whether flapping is detected; it holds back the hooks for changes of health.
    public var mayFlap: Bool
    /// The hooks that run when the health changes.
    public var hooks: [HookRule]

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
        self.name = name
        self.question = question
        self.family = family
        self.isOneOfBoth = isOneOfBoth
        self.addresses = addresses
        self.source = source
        self.group = group
        self.dependsOn = dependsOn
        self.interval = interval
        self.timeout = timeout ?? question.method.defaultTimeout(interval: interval)
        self.retryInterval = retryInterval ?? min(interval, .seconds(1))
        self.downInterval = downInterval ?? question.method.defaultDownInterval(interval: interval)
        self.spread = spread
        self.thresholds = thresholds ?? Thresholds(fall: question.method.defaultFall)
        self.mayFlap = mayFlap
        self.hooks = hooks
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

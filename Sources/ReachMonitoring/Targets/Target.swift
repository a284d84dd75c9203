/// A target: a name, a question, and the rules by which its replies are judged.
///
/// A target takes a few hundred bytes. Collections of thousands, such as the roster, store targets in boxes, which the
/// prober and the screen share.
public struct Target: Sendable, Hashable {
    /// The identity of a target in probes and findings. A target whose question changes gets a new one, so that a late
    /// reply to the old question never counts for the new one.
    public struct ID: Sendable, Hashable, Comparable {
        /// The number, counted from zero, and unique in one run of the program.
        public let rawValue: Int

        /// Creates an identity from its number.
        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Compares identities in the order of their creation.
        public static func < (one: ID, other: ID) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// The largest size of a name in the settings and in lists, in bytes.
    package static let maxNameLength = 256

    /// The name, unique within one ``Settings`` value, except for the two families and the addresses of one target.
    public var name: String
    /// What is probed, and how.
    public var question: Question
    /// The address family of the probes.
    public var family: Family
    /// Whether the other family is probed too, by another target with the same name.
    public var probesBothFamilies: Bool
    /// Which addresses of the name are probed.
    public var addresses: AddressChoice
    /// The source address or interface of the probes; nil for the system's choice.
    public var source: String?
    /// The group that the target is shown in.
    public var group: String?
    /// While one of these is down, the target is blocked: neither probed nor judged.
    public var dependsOn: [Dependency]
    /// The time from one probe to the next. As every time of a target, it counts as a millisecond if it is shorter, and
    /// as a year if it is longer.
    public var interval: Duration
    /// The time after which a probe without a reply is lost.
    public var timeout: Duration
    /// The time from one probe to the next while the health is pending.
    public var retryInterval: Duration
    /// The time from one probe to the next during the first ten minutes of an outage; ignored where it is longer than
    /// ``interval``.
    public var downInterval: Duration
    /// The random offset of each probe, as a share of the interval, so that probes of many targets do not coincide. The
    /// share is limited to 0…1.
    public var spread: Double
    /// The numbers of outcomes in a row that change the health.
    public var thresholds: Thresholds
    /// Whether flapping is detected; it holds back the hooks for changes of health.
    public var mayFlap: Bool
    /// The words by which filters select the target.
    package var tags: [String] = []
    /// The hooks that run when the health changes.
    package var hooks: [HookRule] = []
    /// The name that the target had before: its stored history continues.
    package var formerly: String?
    /// How the path to the target is traced; nil if it is not.
    package var path: PathSettings?
    /// Which changes of round trips and losses are reported; nil if none is.
    package var shifts: ShiftSettings? = ShiftSettings()
    /// The availability that is required of the target.
    package var sla = ServiceLevel.usual
    /// Whether another shard reports the target, and this one probes it only because targets depend on it.
    package var isOfOtherShard = false

    /// Creates a target with the defaults of its method.
    public init(
        name: String,
        question: Question,
        family: Family = .any,
        probesBothFamilies: Bool = false,
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
        mayFlap: Bool = true
    ) {
        let interval = interval ?? question.method.defaultInterval
        self.name = name
        self.question = question
        self.family = family
        self.probesBothFamilies = probesBothFamilies
        self.addresses = addresses
        self.source = source
        self.group = group
        self.dependsOn = dependsOn
        self.interval = interval
        self.timeout = timeout ?? question.method.defaultTimeout(interval: interval)
        self.retryInterval = retryInterval ?? question.method.defaultRetryInterval(interval: interval)
        self.downInterval = downInterval ?? question.method.defaultDownInterval(interval: interval)
        self.spread = spread
        self.thresholds = thresholds ?? question.method.defaultThresholds
        self.mayFlap = mayFlap
    }

    /// The same target with each of its times within the limits.
    var withinLimits: Target {
        var target = self
        target.interval = Self.limited(interval)
        target.timeout = Self.limited(timeout)
        target.retryInterval = Self.limited(retryInterval)
        target.downInterval = Self.limited(downInterval)
        return target
    }

    private static func limited(_ time: Duration) -> Duration {
        min(max(time, Schedule.shortestInterval), longestTime)
    }

    /// The longest interval and timeout. Times after a longer one could overflow.
    private static let longestTime = Duration.seconds(365 * 86_400)

    /// Whether a reply to one target is valid for the other: the same question, family, address and source.
    public func probesTheSame(as other: Target) -> Bool {
        // What other programs probe stays the same when it is judged by another quorum.
        if case .fleet(let fleet) = question, case .fleet(let other) = other.question {
            return fleet.instance == other.instance
        }
        return question == other.question && family == other.family && addresses == other.addresses
            && source == other.source
    }

    /// Whether the target is probed more often while its health is pending.
    var retriesSooner: Bool { retryInterval < interval }

    /// The name for display, which identifies the row: with the address in a row for one address, with the family if
    /// both are probed.
    public var label: String {
        if case .only(let address) = addresses { return "\(name) \(address)" }
        return probesBothFamilies ? "\(name) IPv\(family.rawValue)" : name
    }

    /// The label with the name before; nil if the target was not renamed.
    package var formerLabel: String? {
        formerly.map { $0 + label.dropFirst(name.count) }
    }
}

/// The address family of a target's probes. The two families are never raced.
public enum Family: String, Sendable, Hashable, CaseIterable {
    /// The system's first choice.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
}

/// The addresses of its name at which a target is probed.
public enum AddressChoice: Sendable, Hashable {
    /// The first address that replies; the others are tried before a probe is lost.
    case any
    /// Each address, in a row of its own. Until the name is resolved, the target has one row.
    case each
    /// This address: a row of a target with ``each``.
    case only(String)
}

/// An immutable value in a box, eight bytes for each reference. It suits values that are large or mostly absent, and
/// rarely change.
@usableFromInline
package final class Shared<Value: Sendable>: Sendable {
    /// The value.
    @usableFromInline package let value: Value

    /// Boxes a value.
    package init(_ value: Value) {
        self.value = value
    }
}

extension Shared: Equatable where Value: Equatable {
    @usableFromInline package static func == (one: Shared, other: Shared) -> Bool {
        one === other || one.value == other.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @usableFromInline package func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}

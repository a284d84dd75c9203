import ReachMonitoring

/// A probe of a target, in flight.
struct Probe: Sendable, Hashable {
    let context: ProbeContext
    /// The number of the probe among those of its target, counted from one.
    let sequence: Int
    /// When the probe was due and its name lookup began. The time from here until it is sent is the phase `resolve`.
    /// Set again when the probe is sent again, to another address.
    var made: Duration
    /// When the probe was sent, in nanoseconds since the start of the program.
    private var sentNanoseconds: Int64
    /// The probed address; nil until the name is resolved.
    var address: IPAddress?

    /// Creates a probe that is sent at once, unless ``sent`` is set when its name is resolved.
    init(context: ProbeContext, sequence: Int, made: Duration, address: IPAddress?) {
        self.context = context
        self.sequence = sequence
        self.made = made
        sentNanoseconds = made.nanoseconds
        self.address = address
    }

    /// When the probe was sent: ``made``, or when its name was resolved.
    var sent: Duration {
        get { .nanoseconds(sentNanoseconds) }
        set { sentNanoseconds = newValue.nanoseconds }
    }

    var target: Target.ID { context.target }
    /// Distinguishes this watch of the target from earlier ones, whose replies are ignored.
    var watch: Int { context.watch }
    var question: Question { context.question }
    /// The address family for all lookups of the target, those of redirects included.
    var family: Family { context.family }
    /// The source address or interface; nil leaves the choice to the system.
    var source: String? { context.source }
    var timeout: Duration { context.timeout }
    /// The time until the next probe.
    var interval: Duration { context.interval }
    /// When the probe is lost. The timeout includes the name lookup.
    var deadline: Duration { made + timeout }
}

extension Probe {
    /// Creates a probe with a context of its own.
    init(
        target: Target.ID,
        watch: Int,
        sequence: Int,
        question: Question,
        family: Family = .any,
        source: String? = nil,
        timeout: Duration,
        interval: Duration = .seconds(5),
        made: Duration,
        address: IPAddress? = nil
    ) {
        let context = ProbeContext(
            target: target,
            watch: watch,
            question: question,
            family: family,
            source: source,
            timeout: timeout,
            interval: interval
        )
        self.init(context: context, sequence: sequence, made: made, address: address)
    }
}

/// The part of an ended probe that is needed to match a late reply to it.
struct EndedProbe: Sendable, Hashable {
    let target: Target.ID
    /// Distinguishes this watch of the target from earlier ones, whose replies are ignored.
    let watch: Int
    /// The probed address.
    let address: IPAddress?

    init(_ probe: Probe) {
        target = probe.target
        watch = probe.watch
        address = probe.address
    }

    /// Whether a reply from `source` can belong to this probe.
    func isAnswered(by source: IPAddress) -> Bool {
        address?.isAnswered(by: source) == true
    }
}

/// A message from a prober to the probe loop.
enum ProberEvent {
    /// A probe has ended.
    case ended(Probe, Outcome)
    /// The command of a probe, which may have been queued, is started.
    case started(Probe)
    /// A reply came after its probe's timeout, this long after the probe was sent.
    case late(EndedProbe, roundTrip: Duration, sent: Duration)
    /// A second reply came to one probe.
    case duplicate(EndedProbe)
    /// The target must be probed now, before its next slot: its state has changed.
    case probeNow(Target.ID)
    /// The session of a target has changed its state. The address is that of a session that is ready.
    case session(Target.ID, SessionState, IPAddress? = nil)
}

/// The settings that all probes of one watch of a target share. A class, so that probes are small to copy.
final class ProbeContext: Sendable {
    let target: Target.ID
    /// Distinguishes this watch of the target from earlier ones, whose replies are ignored.
    let watch: Int
    let timeout: Duration
    /// The time between two probes.
    let interval: Duration
    /// The source address or interface; nil leaves the choice to the system.
    let source: String?
    let question: Question
    /// The address family for all lookups of the target, those of redirects included.
    let family: Family

    init(
        target: Target.ID,
        watch: Int,
        question: Question,
        family: Family,
        source: String?,
        timeout: Duration,
        interval: Duration
    ) {
        self.target = target
        self.watch = watch
        self.question = question
        self.family = family
        self.source = source
        self.timeout = timeout
        self.interval = interval
    }
}

extension ProbeContext: Hashable {
    static func == (one: ProbeContext, other: ProbeContext) -> Bool {
        one === other
            || one.target == other.target && one.watch == other.watch && one.question == other.question
                && one.family == other.family && one.source == other.source && one.timeout == other.timeout
                && one.interval == other.interval
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(target)
        hasher.combine(watch)
    }
}

import ReachMonitoring

/// A probe of a target, in flight: a ``ProbeContext`` and what distinguishes it from the other probes of its watch.
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

    var target: Target.ID { context.watch.target }
    var question: Question { context.target.question }
    /// The address family for all lookups of the target, those of redirects included.
    var family: Family { context.target.probedFamily }
    /// The source address or interface; nil leaves the choice to the system.
    var source: String? { context.target.source }
    var timeout: Duration { context.target.timeout }
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
        let shared = Shared(
            Target(name: "", question: question, family: family, source: source, interval: interval, timeout: timeout)
        )
        let context = ProbeContext(WatchID(target: target, number: watch), of: shared)
        self.init(context: context, sequence: sequence, made: made, address: address)
    }
}

/// A message from a prober to the probe loop, which makes a finding of it for the roster.
enum ProberEvent {
    /// A probe has ended.
    case ended(Probe, Outcome)
    /// The command of a probe, which may have been queued, is started.
    case started(Probe)
    /// A reply came after its probe's timeout, this long after the probe was sent.
    case late(WatchID, roundTrip: Duration, sent: Duration)
    /// A second reply came to one probe.
    case duplicate(WatchID)
    /// The target must be probed now, before its next slot: its state has changed.
    case probeNow(Target.ID)
    /// The session of a target has changed its state. The address is that of a session that is ready.
    case session(Target.ID, SessionState, IPAddress? = nil)
}

/// The identity of one watch of a target: a reply to a probe of an earlier watch is ignored. All that is kept of an ended
/// probe, and of a target in a message.
struct WatchID: Sendable, Hashable {
    let target: Target.ID
    /// The number of the watch among those of its loop.
    let number: Int
}

/// What all probes of one watch of a target share. Unlike the ``WatchedTarget``, which changes with every probe, it never
/// does. A class, so that probes are small to copy.
final class ProbeContext: Sendable {
    let watch: WatchID
    /// The interval of a session, which the roster has set; nil for that of the target.
    private let pace: Duration?
    private let sharedTarget: Shared<Target>

    init(_ watch: WatchID, of target: Shared<Target>, pace: Duration? = nil) {
        self.watch = watch
        self.pace = pace
        sharedTarget = target
    }

    var target: Target { sharedTarget.value }
    /// The time from one probe to the next.
    var interval: Duration { pace ?? target.interval }

    /// The same target in another watch, or at another pace.
    func with(number: Int? = nil, pace: Duration? = nil) -> ProbeContext {
        let watch = WatchID(target: watch.target, number: number ?? watch.number)
        return ProbeContext(watch, of: sharedTarget, pace: pace ?? self.pace)
    }
}

extension ProbeContext: Hashable {
    static func == (one: ProbeContext, other: ProbeContext) -> Bool {
        one === other || one.watch == other.watch && one.pace == other.pace && one.sharedTarget == other.sharedTarget
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(watch)
    }
}

import ReachMonitoring

/// A probe of a target, in flight. It keeps the target as it was when the probe was made, while the settings of the
/// ``WatchedTarget`` may change; its sockets are in a ``ProbeAttempt``.
struct Probe: Sendable, Hashable {
    let watch: WatchID
    private let sharedTarget: Shared<Target>
    /// The number of the probe among those of its target, counted from one.
    let sequence: Int
    /// The nanoseconds since the start of the program at ``made`` and at ``sent``; smaller than a `Duration`.
    private var (madeNanoseconds, sentNanoseconds): (Int64, Int64)
    /// The probed address; nil until the name is resolved.
    var address: IPAddress?

    /// Creates a probe that is sent at once, unless ``sent`` is set when its name is resolved.
    init(watch: WatchID, target: Shared<Target>, sequence: Int, made: Duration, address: IPAddress?) {
        self.watch = watch
        sharedTarget = target
        self.sequence = sequence
        madeNanoseconds = made.nanoseconds
        sentNanoseconds = madeNanoseconds
        self.address = address
    }

    /// When the probe was due and its name lookup began. The time from here until it is sent is the phase `resolve`.
    /// Set again when the probe is sent again, to another address.
    var made: Duration {
        get { .nanoseconds(madeNanoseconds) }
        set { madeNanoseconds = newValue.nanoseconds }
    }

    /// When the probe was sent: ``made``, or when its name was resolved.
    var sent: Duration {
        get { .nanoseconds(sentNanoseconds) }
        set { sentNanoseconds = newValue.nanoseconds }
    }

    var target: Target.ID { watch.target }
    var question: Question { sharedTarget.value.question }
    /// The address family for all lookups of the target, those of redirects included.
    var family: Family { sharedTarget.value.probedFamily }
    /// The source address or interface; nil leaves the choice to the system.
    var source: String? { sharedTarget.value.source }
    var timeout: Duration { sharedTarget.value.timeout }
    /// The time until the next probe.
    var interval: Duration { sharedTarget.value.interval }
    /// When the probe is lost. The timeout includes the name lookup.
    var deadline: Duration { made + timeout }
}

extension Probe {
    /// Creates a probe of a question that no target in the settings has.
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
        let watch = WatchID(target: target, number: watch)
        self.init(watch: watch, target: shared, sequence: sequence, made: made, address: address)
    }
}

/// A message from a prober to the probe loop. It has the whole probe, which may be sent again to another address; the
/// loop makes a `Finding` of it for the roster only when the probe has ended for good.
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

/// The identity of one watch of a target: a reply to a probe of an earlier watch is ignored. For late and duplicate
/// replies, it is kept after the probe has ended.
struct WatchID: Sendable, Hashable {
    let target: Target.ID
    /// The number of the watch among those of its loop.
    let number: Int
}

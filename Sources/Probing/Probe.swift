import Monitoring

/// One question to one target, on its way.
struct Probe: Sendable, Hashable {
    let inquiry: Inquiry
    /// Which of the target's probes this is, counted from one.
    let sequence: Int
    /// When it was due and its name began to be resolved; what has passed since is the phase `resolve`. Anew where it is
    /// sent again, to another address.
    var made: Duration
    /// Nanoseconds from the start of the program until it was sent.
    private var sentNanoseconds: Int64
    /// Who is asked; nil until the name is resolved.
    var address: IPAddress?

    /// A probe that is sent at once, unless ``sent`` is set when its name is resolved.
    init(inquiry: Inquiry, sequence: Int, made: Duration, address: IPAddress?) {
        self.inquiry = inquiry
        self.sequence = sequence
        self.made = made
        sentNanoseconds = made.nanoseconds
        self.address = address
    }

    /// When it was sent: ``made``, or when its name was resolved.
    var sent: Duration {
        get { .nanoseconds(sentNanoseconds) }
        set { sentNanoseconds = newValue.nanoseconds }
    }

    var target: Target.ID { inquiry.target }
    /// Distinguishes this watch of the target from earlier ones, whose answers are ignored.
    var watch: Int { inquiry.watch }
    var question: Question { inquiry.question }
    /// The family that the target is asked in, for whoever looks up another name on the target's behalf.
    var family: Family { inquiry.family }
    /// The address or the interface that it leaves from; the system's choice when absent.
    var source: String? { inquiry.source }
    var timeout: Duration { inquiry.timeout }
    /// The time until the next probe.
    var interval: Duration { inquiry.interval }
    /// When it is lost: resolving the name is a part of it.
    var deadline: Duration { made + timeout }
}

extension Probe {
    /// A probe that shares nothing with others.
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
        let inquiry = Inquiry(
            target: target,
            watch: watch,
            question: question,
            family: family,
            source: source,
            timeout: timeout,
            interval: interval
        )
        self.init(inquiry: inquiry, sequence: sequence, made: made, address: address)
    }
}

/// What is left of a probe that has ended: as much as tells whose a late answer is.
struct EndedProbe: Sendable, Hashable {
    let target: Target.ID
    /// Distinguishes this watch of the target from earlier ones, whose answers are ignored.
    let watch: Int
    /// Who was asked.
    let address: IPAddress?

    init(_ probe: Probe) {
        target = probe.target
        watch = probe.watch
        address = probe.address
    }

    /// Whether an answer from `source` may be the one to this probe.
    func isAnswered(by source: IPAddress) -> Bool {
        address?.isAnswered(by: source) == true
    }
}

/// What a prober tells.
enum Notice {
    /// A probe has ended.
    case ended(Probe, Outcome)
    /// A reply came after its probe's timeout.
    case late(EndedProbe)
    /// A second reply came to one probe.
    case duplicate(EndedProbe)
    /// There is something to tell of a target before its next probe is due.
    case hasten(Target.ID)
    /// The held connection of a target has changed its state; one that is ready leads to this address.
    case session(Target.ID, SessionState, IPAddress? = nil)
}

import Monitoring

/// A target that is asked, and how far that has come. Confined to the event loop; a class, since every probe changes it
/// and a target is large to copy.
final class Watch {
    /// So many replies in a row, and no fewer than make a target be up, are news.
    private static let leastNews = 3

    // First what every probe reads: thousands of targets are each far away in memory by the time they are due.
    private(set) var method: Method
    /// Whether it was due while a probe was in flight, and has to be asked when that one ends.
    var isOwedProbe = false
    /// Whether the target is down and its recovery is to be seen at once.
    var isUrgent = false
    /// Whether its newest probe was lost.
    var isSilent = false
    /// How many probes in a row were answered.
    private var replies: Int32 = 0
    /// How many replies in a row are news.
    private var news: Int32
    /// How many probes have not ended.
    var inFlight = 0
    /// The newest probe that was answered.
    var answered = 0
    /// How many probes were made.
    private var sequence = 0
    /// What the probes have in common, by the present settings.
    private var inquiry: Inquiry
    private(set) var prober: any Prober
    /// The address that was put into words last, since a target rarely moves.
    private var address: (numbers: IPAddress, text: String)?
    private(set) var place: Place
    private var sharedTarget: Shared<Target>
    var target: Target { sharedTarget.value }
    /// Which of its name's addresses is probed; nil while the name has one.
    var selection: AddressSelection?
    /// The probes under way that were sent again, since their name has other addresses by now.
    var resent: Set<Int> = []
    /// The only address that is probed, whatever else the name stands for.
    private(set) var onlyAddress: IPAddress?
    /// Whether its place depends on the index of an interface.
    private var hasZone = false
    /// What the name stood for at the last probe; kept only where each address has a row.
    private var named: [IPAddress] = []

    /// How many of its probes a second are timed by us, and not by the kernel.
    var rateTimedHere: Double {
        target.question.isTimedByKernel
            ? 0 : 1e9 / Double(max(target.interval, Schedule.shortestInterval).nanoseconds)
    }

    /// Whether the next probe may leave while others are under way.
    var mayOverlap: Bool {
        method.overlaps || isUrgent && method.overlapsWhileDown && inFlight < Target.mostOverlapping
    }

    var id: Target.ID { inquiry.target }
    /// Tells this watching of the target from earlier ones.
    var number: Int { inquiry.watch }

    init(number: Int, of assignment: ProbeRequest.Assignment, prober: any Prober) {
        let (id, target) = (assignment.id, assignment.target)
        sharedTarget = assignment.sharedTarget
        self.prober = prober
        place = Place(of: target)
        onlyAddress = target.onlyAddress
        hasZone = target.hasZone
        method = target.question.method
        news = Self.news(of: target)
        inquiry = Inquiry(of: target, id, watch: number, every: target.interval)
    }

    /// Goes on by other settings.
    ///
    /// - Parameter number: another one, if answers that are on their way are nobody's from now on; the probes are
    ///   counted on.
    func update(to assignment: ProbeRequest.Assignment, prober: any Prober, number: Int) {
        let target = assignment.target
        if number != self.number { forgetProbes() }
        sharedTarget = assignment.sharedTarget
        self.prober = prober
        place = Place(of: target)
        onlyAddress = target.onlyAddress
        hasZone = target.hasZone
        method = target.question.method
        news = Self.news(of: target)
        inquiry = Inquiry(of: target, inquiry.target, watch: number, every: target.interval)
    }

    /// Whether the interface of its link-local address has another index by now, has come, or has gone.
    var hasMoved: Bool {
        hasZone && (Place(of: target) != place || target.onlyAddress != onlyAddress)
    }

    /// Goes on where its link-local address is found now.
    func follow(number: Int) {
        forgetProbes()
        place = Place(of: target)
        onlyAddress = target.onlyAddress
        inquiry = Inquiry(of: target, inquiry.target, watch: number, every: inquiry.interval)
    }

    private func forgetProbes() {
        inFlight = 0
        isOwedProbe = false
        replies = 0
        resent = []
        selection = nil
        named = []
    }

    /// Goes on at another pace, which only a held connection has to know: it limits the pauses between its attempts.
    func setPace(_ interval: Duration) {
        guard method == .session else { return }
        inquiry = Inquiry(of: target, inquiry.target, watch: number, every: interval)
    }

    /// Counts the next probe, and describes it.
    func nextProbe(at time: Duration) -> Probe {
        sequence += 1
        inFlight += 1
        isOwedProbe = false
        return Probe(inquiry: inquiry, sequence: sequence, made: time, address: place.address)
    }

    /// Counts the end of a probe; whether it is no more than another reply after many, which nobody waits for.
    func isRoutine(_ outcome: Outcome) -> Bool {
        guard case .reply = outcome else {
            replies = 0
            return false
        }
        if replies <= news { replies += 1 }
        return replies > news
    }

    private static func news(of target: Target) -> Int32 {
        Int32(clamping: max(leastNews, target.thresholds.rise))
    }

    /// Notes what its name stands for.
    ///
    /// - Returns: whether that differs from what was noted before.
    func note(_ addresses: [IPAddress]) -> Bool {
        defer { named = addresses }
        return named != addresses
    }

    /// Which of several addresses is probed.
    func selection(of addresses: [IPAddress]) -> AddressSelection {
        if let selection {
            selection.update(to: addresses)
            return selection
        }
        let selection = AddressSelection(addresses)
        self.selection = selection
        return selection
    }

    /// The address in words.
    func text(of numbers: IPAddress) -> String {
        if let address, address.numbers == numbers { return address.text }
        let text = "\(numbers)"
        address = (numbers, text)
        return text
    }
}

extension Target {
    fileprivate var onlyAddress: IPAddress? {
        if case .only(let text) = addresses { IPAddress(literal: text) } else { nil }
    }

    fileprivate var hasZone: Bool {
        if case .only(let text) = addresses, text.contains("%") { return true }
        return question.host?.contains("%") == true
    }
}

extension Inquiry {
    fileprivate convenience init(of target: Target, _ id: Target.ID, watch: Int, every interval: Duration) {
        self.init(
            target: id,
            watch: watch,
            question: target.question,
            family: target.askedFamily,
            source: target.source,
            timeout: target.timeout,
            interval: interval
        )
    }
}

/// The state of one hop of a path, for one flow.
public struct PathHop: Sendable, Equatable {
    /// The number of probes sent.
    public var sent: Int { Int(sentCount) }
    /// The number of probes answered.
    public var answered: Int { Int(answeredCount) }
    /// The number of probes lost.
    public var lost: Int { Int(lostCount) }
    /// The number of answers that came after the timeout. They are counted as answers.
    public var late: Int { Int(lateCount) }
    /// The number of second answers to one probe.
    public var duplicates: Int { Int(duplicateCount) }
    /// The number of probes without a result yet.
    public var inFlight: Int { Int(sentCount) - Int(answeredCount) - Int(lostCount) }

    /// The newest answer: what it says; nil before the first.
    public private(set) var answer: PathAnswer.Kind?
    /// The source of the newest answer, also of one that is not this hop's router: a report of an obstacle comes from
    /// the router before it.
    public private(set) var source: String?
    /// The MPLS labels of the newest answer.
    public private(set) var labels: [MPLSLabel] = []
    /// The largest packet that the link behind this router carries, as it reported; nil if it reported none.
    public internal(set) var mtu: Int?
    /// The newest results.
    public private(set) var history = PathHistory()
    /// Whether this hop was not measured by probes of this trace: its address is that of a trace with the same hops
    /// behind it.
    public private(set) var isShared = false

    /// Whether a lost probe is repeated: one loss may be chance.
    private var isRepeated = false
    private(set) var addressGroup = HopAddresses()
    /// The newest answers: a set bit for an arrival at the destination, the newest in bit 0.
    private var arrivals: UInt8 = 0
    private var sentCount: UInt32 = 0
    private var answeredCount: UInt32 = 0
    private var lostCount: UInt32 = 0
    private var lateCount: UInt16 = 0
    private var duplicateCount: UInt16 = 0
    private var lastNanoseconds: Int64 = 0
    private var bestNanoseconds: Int64 = .max
    private var worstNanoseconds: Int64 = 0
    private var sumNanoseconds = 0.0
    private var sumOfDifferences = 0.0
    /// When the newest answered probe was sent, in nanoseconds; `Int64.min` before the first.
    private var answeredAt: Int64 = .min
    private var changedAt: Int64 = .min

    init() {}

    /// The current address; nil if the hop never answered. Before another answer, that of the router which reports an
    /// obstacle here.
    public var address: String? { addressGroup.current ?? (reportsObstacle ? source : nil) }

    /// The address of the newest answer, also while it is undecided whether the hop has changed; of routers that answer in turn,
    /// the current one.
    var observed: String? {
        guard !isShared, let source, !addressGroup.isMember(source) else { return address }
        return source
    }

    /// The addresses that answered. At most eight are kept.
    public var addresses: [HopAddress] { addressGroup.all }

    /// The share of lost probes among those with a result, 0…1; nil before the first result.
    public var loss: Double? {
        let finished = answeredCount + lostCount
        return finished == 0 ? nil : Double(lostCount) / Double(finished)
    }

    /// The newest round trip.
    public var last: Duration? { answeredCount == 0 ? nil : .nanoseconds(lastNanoseconds) }
    /// The shortest round trip.
    public var best: Duration? { answeredCount == 0 ? nil : .nanoseconds(bestNanoseconds) }
    /// The longest round trip.
    public var worst: Duration? { answeredCount == 0 ? nil : .nanoseconds(worstNanoseconds) }
    /// The mean round trip.
    public var mean: Duration? {
        answeredCount == 0 ? nil : .nanoseconds(Int64((sumNanoseconds / Double(answeredCount)).rounded()))
    }
    /// The mean absolute difference of successive round trips, in arrival order; nil for fewer than two.
    public var jitter: Duration? {
        answeredCount < 2 ? nil : .nanoseconds(Int64((sumOfDifferences / Double(answeredCount - 1)).rounded()))
    }

    /// When the newest answered probe was sent; nil before the first.
    public var lastAnswered: Duration? { answeredAt == .min ? nil : .nanoseconds(answeredAt) }

    /// When the address changed last; nil if it never did.
    public var lastChange: Duration? { changedAt == .min ? nil : .nanoseconds(changedAt) }

    /// Whether the hop answered a probe that was sent at `time` or later.
    func hasAnswered(since time: Duration) -> Bool { answeredAt >= time.nanoseconds && answeredAt != .min }

    /// Whether a probe has a result that was sent at `time` or later.
    func hasResult(since time: Duration) -> Bool {
        hasAnswered(since: time) || history.last.map { $0.sent >= time.roundedDownToTenths } ?? false
    }

    /// Why the hop has no result, in words; nil if it has one.
    package var absence: String? {
        guard history.isEmpty || isRepeated && isQuiet else { return nil }
        return isShared ? "shared" : sent > 0 ? "waiting" : "not probed"
    }

    /// How long before the end of a watch its answers still say what the path is like.
    static let patience = Duration.seconds(8)

    /// The probability below which losses in a row are no chance.
    private static let leastChance = 0.001

    /// Whether the hop is not silent: the losses since its newest answer may be chance, by the share of losses before.
    var isAnswering: Bool {
        let losses = history.reversed().prefix(while: \.isLost).count
        guard losses >= 3 else { return true }
        let earlier = history.dropLast(losses)
        // The rule of succession: with few results, the share is uncertain.
        let share = Double(earlier.count(where: \.isLost) + 1) / Double(earlier.count + 2)
        var chance = 1.0
        for _ in 0..<losses { chance *= share }
        return chance >= Self.leastChance
    }

    /// Whether the hop never answered: neither two probes, nor those of other traces.
    var isKnownSilent: Bool { addressGroup.current == nil && (lost >= 2 || isShared) }

    /// Whether the newest answer came from the end of the path: the destination, or a machine that refuses for it.
    var isEnd: Bool {
        switch answer {
        case .reached, .unreachable(.refused): true
        case .exceeded, .unreachable, .tooBig, nil: false
        }
    }

    /// Whether the newest answers all came from the end of the path: eight of them, or all if there are fewer.
    var isSettledEnd: Bool {
        guard isEnd else { return false }
        let mask: UInt8 = answeredCount >= 8 ? .max : (1 << UInt8(answeredCount)) - 1
        return arrivals & mask == mask
    }
}

extension PathHop {
    mutating func recordSent() {
        sentCount &+= 1
    }

    /// Forgets a probe that could not be sent.
    mutating func withdraw() {
        if inFlight > 0 { sentCount -= 1 }
    }

    /// Counts an answer. Returns the address before if the answer completes a change.
    mutating func record(
        _ answer: PathAnswer,
        sent: Duration,
        at time: Duration,
        wasLost: Bool,
        historyLimit: Int
    ) -> String? {
        let wasShared = isShared
        isRepeated = false
        if wasLost {
            if lostCount > 0 { lostCount -= 1 }
            lateCount = lateCount == .max ? .max : lateCount + 1
        }
        let roundTrip = answer.roundTrip.nanoseconds
        if answeredCount > 0 { sumOfDifferences += Double((roundTrip - lastNanoseconds).magnitude) }
        answeredCount += 1
        sumNanoseconds += Double(roundTrip)
        lastNanoseconds = roundTrip
        bestNanoseconds = min(bestNanoseconds, roundTrip)
        worstNanoseconds = max(worstNanoseconds, roundTrip)
        answeredAt = max(answeredAt, sent.nanoseconds)
        if !wasLost || !history.replaceLoss(sent: sent, roundTrip: answer.roundTrip) {
            history.append(PathResult(sent: sent, roundTrip: answer.roundTrip), limit: historyLimit)
        }
        (self.answer, source, isShared) = (answer.kind, answer.source, false)
        labels = answer.labels
        arrivals = arrivals << 1 | (isEnd ? 1 : 0)
        if case .unreachable(let obstacle) = answer.kind, obstacle != .refused { return nil }
        // What was taken over from another trace is no measurement to compare with.
        if wasShared { addressGroup = HopAddresses() }
        let before = addressGroup.record(answer.source)
        guard before != nil else { return nil }
        changedAt = time.nanoseconds
        // The path has become shorter: the destination does not only take turns with a router.
        if isEnd { settleEnd() }
        return before
    }

    mutating func recordLoss(sent: Duration, historyLimit: Int) {
        lostCount += 1
        isRepeated = false
        if address == nil { isShared = false }
        history.append(PathResult(sent: sent, roundTrip: nil), limit: historyLimit)
    }

    mutating func recordRepetition() { isRepeated = true }

    mutating func endRepetition() { isRepeated = false }

    mutating func recordDuplicate() {
        duplicateCount = duplicateCount == .max ? .max : duplicateCount + 1
    }

    /// Takes over the address that another trace found at `time`; nil if the hop does not answer.
    mutating func share(_ address: String?, confirmed time: Duration?) {
        guard let address else {
            if sentCount == 0 { isShared = true }
            return
        }
        if let time { clearObstacle(reportedBefore: time) }
        // Its own measurement stands.
        guard isShared || self.address != address else { return }
        if addressGroup.current != address {
            self = PathHop()
            addressGroup.assume(address)
        }
        isShared = true
        answer = answer ?? .exceeded
        if let time { answeredAt = max(answeredAt, time.nanoseconds) }
    }

    /// Records that the router answered another trace at `time`.
    mutating func confirm(at time: Duration) {
        clearObstacle(reportedBefore: time)
        answeredAt = max(answeredAt, time.nanoseconds)
    }

    /// Forgets the report of an obstacle, if its probe was sent until `time`: packets have passed since. The machine that sent it
    /// is not the router of this hop.
    mutating func clearObstacle(reportedBefore time: Duration) {
        guard reportsObstacle, answeredAt <= time.nanoseconds else { return }
        source = addressGroup.current
        answer = source == nil ? nil : .exceeded
        labels = []
    }

    /// Takes this hop for the end of the path, whatever it was before.
    mutating func settleEnd() { arrivals = .max }

    mutating func trimHistory(to limit: Int) { history.keep(limit) }
}

/// What is known about the way from this machine to the targets, and whether it is interrupted before the far side.
///
/// A target on the far side is down only if its last probe was lost while others answered. Until that is known, its
/// verdict waits. If no other answers, the way is interrupted on the own side: the targets beyond are blocked, and still
/// probed, so that the first answer ends the outage.
package struct SideWatch: Sendable {
    /// Where a target is.
    enum Place: Sendable, Hashable {
        /// Nowhere that says anything about the way: an address of this machine, a command, a target of the fleet.
        case elsewhere
        /// A link or a route of this machine.
        case thisMachine
        /// The default gateway.
        case gateway
        /// Another host of the network that this machine is in.
        case neighbour
        /// A host of the own network behind the gateway.
        case behindGateway
        /// A host behind the own network.
        case farSide(NetworkKey)
    }

    /// The place of a target, and what it was derived from.
    struct KnownPlace: Sendable {
        var address: String?
        var revision: Int
        var place: Place
    }

    /// A lost probe of a target on the far side, since another one answered.
    struct Loss: Sendable {
        var sent: Duration
        let network: NetworkKey
        let family: Family
        var isUnroutable: Bool
        let isWitness: Bool
    }

    /// A verdict of down that waits.
    struct Held: Sendable {
        /// When it began to wait.
        let since: Duration
        let family: Family
        /// When the newest lost probe was sent.
        var sent: Duration
        /// Others that answer a probe sent from then on show that the loss is the target's own.
        var acquitted: Duration
    }

    /// An interruption before the far side.
    package struct Outage: Sendable {
        /// Where and why.
        package internal(set) var verdict: SideVerdict
        /// When the first lost probe was sent.
        package let since: Duration
        /// A later verdict that has to last.
        var candidate: SideVerdict?
        /// Since when the evidence no longer shows an interruption before the far side; nil while it does.
        var doubtedSince: Duration?
        /// The targets that answered since, although no target does whose answers count.
        var answering: Set<Target.ID> = []
    }

    /// What traces found during an interruption.
    struct Trace: Sendable {
        let started: Duration
        let reach: TraceReach
    }

    /// What the known paths have in common.
    struct PathFacts: Sendable {
        var time: Duration
        var hopSides: HopSides
        var hasInnerRouters: Bool
    }

    /// Before all times.
    static let never: Duration = .nanoseconds(Int64.min)
    /// The longest time that a verdict waits.
    static let patience = Duration.seconds(5)
    /// The time after which a packet to the far side was answered, if it is.
    static let roundTrip = Duration.milliseconds(500)
    /// How long a target may take to answer before it counts as silent.
    static let answerTime = Duration.seconds(2)
    /// The shortest time between two examinations.
    static let pause = Duration.milliseconds(100)
    /// The most targets that are probed at once to see whether they answer.
    static let askedLimit = 3

    /// The identities of the targets whose answers count; empty if all count.
    var trusted: Set<Target.ID> = []
    /// The default gateways of this machine, if they are known.
    var gateways: Set<String> = []
    /// When the uplink came or went last.
    var linkChanged = Duration.zero
    /// Whether the far side cannot answer without an uplink. It can where all routes are to single networks.
    var needsUplink = true
    var places = TargetMap<KnownPlace>()
    /// The targets at the gateway, in this machine and its network, for evidence.
    var near: [Target.ID: Place] = [:]
    /// Incremented when the places of targets may change.
    var revision = 0
    /// The sources of the first answers of traces.
    var firstHops: Set<String> = []

    /// When the newest probe was sent that a target on the far side answered.
    var answered = SideWatch.never
    /// The same for targets behind the gateway.
    var answeredBehindGateway = SideWatch.never
    /// Losses of probes of a family sent before this time are explained by an interruption that several targets had.
    var suspectUntil: [Family: Duration] = [:]
    /// The targets that lost probes since then.
    var losses: [Target.ID: Loss] = [:]
    /// The number of these that count, by network.
    var lostNetworks: [NetworkKey: Int] = [:]
    /// The targets that answered since then, and whose answers do not count.
    var answeringOthers: Set<Target.ID> = []
    var held: [Target.ID: Held] = [:]
    /// The targets that were probed at once, and when.
    var asked: [Target.ID: Duration] = [:]
    /// When targets were last chosen for that.
    var askedLast = SideWatch.never
    var traces: [Trace] = []
    var pathFacts: PathFacts?
    /// When the verdicts that wait were examined last, and when they are again.
    var examined = SideWatch.never
    var examination: Duration?

    /// The present interruption; nil if there is none.
    package internal(set) var outage: Outage?
    /// Losses of probes that were sent before this time say nothing: the way was interrupted.
    var restored = SideWatch.never
    /// The interruptions, and their ends.
    private var past: [(time: Duration, outage: Outage?)] = []
    private static let pastLimit = 1_000

    /// Whether nothing points to an interruption.
    var isQuiet: Bool { losses.isEmpty && held.isEmpty && outage == nil }

    /// Whether a target on the far side has answered since the start.
    var hasAnswered: Bool { answered > Self.never }

    /// When the first loss was sent since a target on the far side answered.
    var firstLoss: Duration? { losses.values.lazy.map(\.sent).min() }

    /// When the next examination is due; nil if none is.
    var deadline: Duration? {
        let waiting = held.values.lazy.map { $0.since + Self.patience }.min()
        let doubt = outage?.doubtedSince.map { $0 + Self.patience }
        return [waiting, doubt, examination].compactMap(\.self).min()
    }

    /// From when on the answers to probes show that the first verdict that waits is the target's own; nil if none waits.
    var acquitted: Duration? { held.values.lazy.map(\.acquitted).min() }

    /// Whether a target's answers count.
    func isWitness(_ id: Target.ID) -> Bool { trusted.isEmpty || trusted.contains(id) }

    // MARK: Losses

    mutating func recordLoss(_ loss: Loss, of id: Target.ID) {
        guard loss.sent > answered else { return }
        if var known = losses[id] {
            known.isUnroutable = loss.isUnroutable
            losses[id] = known
            return
        }
        losses[id] = loss
        if loss.isWitness { lostNetworks[loss.network, default: 0] += 1 }
    }

    mutating func removeLoss(of id: Target.ID) {
        guard let loss = losses.removeValue(forKey: id), loss.isWitness, let count = lostNetworks[loss.network] else {
            return
        }
        lostNetworks[loss.network] = count > 1 ? count - 1 : nil
    }

    /// Records that a target whose answers count has answered a probe. If several of its family lost probes before, they may
    /// have been interrupted together, for all that is known until `restored`.
    mutating func recordAnswer(sent: Duration, by family: Family, restored: Duration) {
        guard sent > answered else { return }
        answered = sent
        guard !losses.isEmpty else { return }
        let networks = Set(losses.values.lazy.filter { $0.isWitness && $0.family == family }.map(\.network))
        if networks.count > (trusted.isEmpty ? 1 : 0) { suspectUntil[family] = restored }
        let later = losses.filter { $0.value.sent > sent }
        (losses, lostNetworks, traces, answeringOthers) = ([:], [:], [], [])
        for (id, loss) in later { recordLoss(loss, of: id) }
    }

    /// Whether the loss of a verdict that waits is the target's own.
    func isOwnLoss(_ held: Held, isBehindGateway: Bool) -> Bool {
        let answered = isBehindGateway ? max(answered, answeredBehindGateway) : answered
        return answered >= held.acquitted && !isSuspected(held)
    }

    /// Whether an interruption may be the reason for the loss of a verdict that waits.
    func isSuspected(_ held: Held) -> Bool { held.sent < suspectUntil[held.family] ?? Self.never }

    /// Forgets a target.
    mutating func forget(_ id: Target.ID) {
        removeLoss(of: id)
        (held[id], asked[id], places[id], near[id]) = (nil, nil, nil, nil)
        answeringOthers.remove(id)
        outage?.answering.remove(id)
    }

    /// Forgets everything that is about a present interruption, after a time in which the program did not run.
    mutating func forgetEvidence() {
        (losses, lostNetworks, traces, answeringOthers) = ([:], [:], [], [])
        (held, asked, examination) = ([:], [:], nil)
    }

    // MARK: The past

    /// Begins, changes or ends an interruption.
    mutating func set(_ outage: Outage?, at now: Duration) {
        self.outage = outage
        past.append((now, outage))
        if past.count > Self.pastLimit { past.removeFirst(Self.pastLimit / 2) }
    }

    /// The state at a past time.
    func rewound(to time: Duration) -> SideWatch {
        var rewound = self
        rewound.outage = past.last { $0.time <= time }?.outage
        rewound.forgetEvidence()
        return rewound
    }
}

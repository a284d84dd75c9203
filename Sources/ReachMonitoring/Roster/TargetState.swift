/// The state of one target.
public struct TargetState: Sendable, Identifiable {
    /// The identity that the target's findings carry.
    public private(set) var id: Target.ID
    /// The target of the settings, in a box shared with the prober.
    @usableFromInline package internal(set) var sharedTarget: Shared<Target>
    /// Decides the health.
    package internal(set) var judge: Judge
    /// The recent observations.
    public internal(set) var history: SampleHistory
    /// The totals since the start or the last reset.
    public internal(set) var totals = Totals()
    /// The newest proper reply.
    public internal(set) var lastReply: Reply?
    /// The numeric address that was probed last.
    public internal(set) var address: String?
    /// The time from which the present health is not in the totals yet.
    var countedSince: Duration
    /// Whether the target was probed because of a child's loss, and that probe is not finished.
    var isRecheckPending = false
    var pace = ProbePace.usual
    /// What is known from elsewhere than probes; nil if nothing is.
    private var elsewhere: Elsewhere?
    /// The state that few targets have; nil if the target has none.
    var rare: Shared<RareState>?

    /// What is known from elsewhere than probes. The vantage points of a target of the fleet know no path.
    private enum Elsewhere: Sendable {
        case vantagePoints(Shared<VantagePoints>)
        case path(Shared<TargetPath>)
    }

    init(id: Target.ID, target: Shared<Target>, history: SampleHistory, since: Duration) {
        self.id = id
        sharedTarget = target
        self.history = history
        judge = Judge(since: since)
        countedSince = since
    }

    /// A copy for another row of the target. Armed hooks stay with the first row.
    func copy(as id: Target.ID) -> TargetState {
        var copy = self
        copy.id = id
        copy.armed = []
        (copy.levelShift, copy.lossShift) = (nil, nil)
        if case .path = elsewhere { copy.elsewhere = nil }
        return copy
    }

    /// The target of the settings.
    @inlinable public var target: Target { sharedTarget.value }

    /// The vantage points that report on a target of the fleet; nil before the first report, and for other targets.
    package internal(set) var vantagePoints: VantagePoints? {
        get { sharedVantagePoints?.value }
        set { elsewhere = newValue.map { .vantagePoints(Shared($0)) } }
    }

    private var sharedVantagePoints: Shared<VantagePoints>? {
        if case .vantagePoints(let points) = elsewhere { points } else { nil }
    }

    /// The path to the target; nil if it is not traced.
    var path: TargetPath? {
        get {
            if case .path(let path) = elsewhere { path.value } else { nil }
        }
        set { elsewhere = newValue.map { .path(Shared($0)) } }
    }

    /// The path in its box, which a past condition shares.
    var sharedPath: Shared<TargetPath>? {
        get {
            if case .path(let path) = elsewhere { path } else { nil }
        }
        set { elsewhere = newValue.map { .path($0) } }
    }

    /// Whether some vantage points see the target down, and others see it reachable.
    var isDisputed: Bool { sharedVantagePoints?.value.isDisputed ?? false }

    /// The present verdict of the vantage points; nil before the first report, and for other targets.
    package var vantageVerdict: VantageVerdict? {
        guard let sharedVantagePoints, case .fleet(let question) = target.question else { return nil }
        return sharedVantagePoints.value.verdict(under: question.quorum)
    }

    /// The health of the target.
    public var health: Health { judge.health }

    /// The summary of the state.
    package var targetSummary: TargetSummary { TargetSummary(self) }

    /// Whether the user paused the target.
    public var isPaused: Bool { pausedSince != nil }

    /// Whether the target is blocked, and was not down before. A target that was down before stays down: its outage is
    /// its own.
    public var isBlocked: Bool { blockedBy != nil && !isPaused && health != .down }

    /// Whether the target is probed: it is not paused, and no dependency that is down blocks it. A target that is blocked since
    /// the way to it is interrupted is probed.
    public var isProbed: Bool { !isPaused && (blockedBy == nil || blockedBy?.isSide == true) }

    /// Whether the health changes too often. Hooks that wait for it are held back meanwhile.
    public var isFlapping: Bool { flapping?.isFlapping == true && !isPaused }

    /// Whether the target is down, degraded or flapping, and neither paused nor blocked.
    package var isFailing: Bool {
        !isPaused && !isBlocked && (health == .down || health == .degraded || isFlapping)
    }

    /// Whether the user has noted that the failure is known.
    package var isAcknowledged: Bool { acknowledgement != nil }

    /// Whether the user can acknowledge the failure, or change the note.
    package var canBeAcknowledged: Bool { isFailing || isAcknowledged }

    /// How often the health changed, by the formula of Nagios, 0…1.
    package var flappingShare: Double { flapping?.share ?? 0 }

    /// The pending change of health, while a streak runs.
    public var pending: Pending? {
        isProbed && !isBlocked ? judge.pending(under: target.thresholds) : nil
    }

    /// When the present health, pause or block began.
    public var since: Duration { pausedSince ?? (isBlocked ? blockedSince : healthSince) }

    /// When the present health began: an outage that goes on since the run before, before the start of the program.
    var healthSince: Duration { (health == .down ? outageStart : nil) ?? judge.since }

    /// The failure of the present losses; nil for a reply or timeouts. The reason of the first loss stays until another one
    /// lasts for as many probes as take the target down.
    public var failure: Failure? { judge.lossFailure }

    /// The share of lost probes for which the target is degraded; nil if that is not the cause.
    package var excessLoss: Double? {
        health == .degraded ? judge.excessLoss(under: target.thresholds) : nil
    }

    /// Whether the target is degraded since its replies are slow, and for no other cause.
    var isDegradedBySlowness: Bool {
        health == .degraded && lastReply?.concern == nil && target.thresholds.slow != nil && excessLoss == nil
    }

    /// The statistics of the newest probes.
    public var statistics: Statistics {
        Statistics(history.suffix(Statistics.window))
    }

    /// The jitter of the statistics before the newest probe; nil if fewer than two of their probes were answered.
    package var earlierJitter: Duration? {
        Statistics.jitter(ofNanoseconds: history.suffix(Statistics.window + 1).dropLast().compactMap(\.nanoseconds))
    }

    /// The share of the judged time in which the target replied, 0…1; nil before the first verdict. Time paused,
    /// blocked or unknown is not judged, nor is time in which this program did not run.
    public func availability(at now: Duration) -> Double? {
        var state = self
        state.count(until: now)
        let judged = state.totals.reachable + state.totals.unreachable
        return judged > .zero ? state.totals.reachable / judged : nil
    }

    /// Adds a change of health to the totals. In maintenance, it counts only for the time before: an outage that had begun
    /// then counts until the maintenance.
    mutating func count(_ transition: Transition) {
        count(until: transition.began, as: transition.from)
        guard let start = maintenance?.since else { return totals.record(transition) }
        // After a reset in maintenance, the time before does not count.
        guard transition.start < start, countedSince <= start else { return }
        guard transition.began < start else {
            if transition.outage != nil { totals.record(transition.ending(at: start)) }
            return
        }
        // The time from then to the maintenance was counted as the health before.
        totals.close(transition.from, after: transition.began - start)
        totals.close(transition.to, after: start - transition.began)
        totals.record(transition)
    }

    /// Adds the time until `now` to the totals: of the present health, or of `past`, the health that has just ended.
    mutating func count(until now: Duration, as past: Health? = nil) {
        guard !isPaused, !isBlocked, !isInMaintenance, now > countedSince else { return }
        totals.close(past ?? health, after: now - countedSince)
        countedSince = now
    }
}

// Accessors for the rare state: a property without a value takes no memory.
extension TargetState {
    /// Why the target cannot be probed, while it cannot.
    public var fault: Fault? { rare?.value.fault }

    /// The number of faults in a row; not counted beyond the threshold.
    var faultCount: Int {
        get { rare?.value.faultCount ?? 0 }
        set { set(\.faultCount, to: newValue) }
    }

    /// When the first of these probes was due.
    var faultsSince: Duration {
        get { rare?.value.faultsSince ?? .zero }
        set { set(\.faultsSince, to: newValue) }
    }

    /// When the newest of them was due.
    var newestFault: Duration {
        get { rare?.value.newestFault ?? .zero }
        set { set(\.newestFault, to: newValue) }
    }

    /// The recent changes of health; nil if there were none.
    var flapping: Flapping? {
        get { rare?.value.flapping }
        set { set(\.flapping, to: newValue) }
    }

    /// When the outage began that the target had at the end of the run before, until it ends.
    var outageStart: Duration? {
        get { rare?.value.outageStart }
        set { set(\.outageStart, to: newValue) }
    }

    /// The state of the session, for a target with the method `session`.
    public var session: SessionState? { rare?.value.session }

    /// When the session entered that state.
    public var sessionSince: Duration? { rare?.value.sessionSince }

    /// The state of the session that was reported last.
    var reportedSession: SessionState? {
        get { rare?.value.reportedSession }
        set { set(\.reportedSession, to: newValue) }
    }

    /// When the user paused the target, while it is paused.
    public var pausedSince: Duration? { rare?.value.pausedSince }

    /// The user's note that the failure is known; nil if there is none.
    package internal(set) var acknowledgement: Acknowledgement? {
        get { rare?.value.acknowledgement }
        set { set(\.acknowledgement, to: newValue) }
    }

    /// The planned work at the target, while hooks and alerts wait; nil if there is none.
    package internal(set) var maintenance: Maintenance? {
        get { rare?.value.maintenance }
        set { set(\.maintenance, to: newValue) }
    }

    /// The common cause that explains the outage; nil if none is named.
    package internal(set) var commonCause: CommonCause.ID? {
        get { rare?.value.commonCause }
        set { set(\.commonCause, to: newValue) }
    }

    /// When the interruption of the own side began after which the target has not replied yet; nil if there is none.
    var interruptedSince: Duration? {
        get { rare?.value.interruptedSince }
        set { set(\.interruptedSince, to: newValue) }
    }

    /// The hooks that wait until the target is reachable, in the order in which they were armed.
    package internal(set) var armed: [ArmedHook] {
        get { rare?.value.armed ?? [] }
        set { set(\.armed, to: newValue) }
    }

    /// The dependency that is down. Until it is up again, the target is neither probed nor judged.
    public var blockedBy: Blocker? { rare?.value.blockedBy }

    /// When the block began.
    var blockedSince: Duration {
        get { rare?.value.blockedSince ?? .zero }
        set { set(\.blockedSince, to: newValue) }
    }

    /// When probing began again after a pause or a block; earlier findings are ignored.
    var probedSince: Duration {
        get { rare?.value.probedSince ?? .zero }
        set { set(\.probedSince, to: newValue) }
    }

    /// The parents whose replies the verdict on the target's losses waits for.
    var awaitedParents: Set<DependencyGraph.Parent> {
        get { rare?.value.awaitedParents ?? [] }
        set { set(\.awaitedParents, to: newValue) }
    }

    /// When the lost probe was sent that made the verdict due. The parents' replies to earlier probes do not count.
    var parentsAwaitedSince: Duration {
        get { rare?.value.parentsAwaitedSince ?? .zero }
        set { set(\.parentsAwaitedSince, to: newValue) }
    }

    /// The history of the hook rules.
    var hookTracker: HookTracker {
        get { rare?.value.hookTracker ?? HookTracker() }
        set { set(\.hookTracker, to: newValue) }
    }

    /// The newest reply that came after its timeout, while the target loses probes; nil if there is none.
    var lateReply: LateReply? {
        get { rare?.value.lateReply }
        set { set(\.lateReply, to: newValue) }
    }

    /// Sets a part of the rare state.
    mutating func set<Value: Equatable>(_ part: WritableKeyPath<RareState, Value>, to value: Value) {
        var rareState = rare?.value ?? .none
        guard rareState[keyPath: part] != value else { return }
        rareState[keyPath: part] = value
        rare = rareState == .none ? nil : Shared(rareState)
    }
}

/// The state that few targets have: pauses, blocks, faults, flapping, acknowledgements, maintenance, shifts, hooks, sessions
/// and late replies. ``TargetState`` has its properties.
struct RareState: Sendable, Hashable {
    var fault: Fault?
    var faultCount = 0
    var faultsSince = Duration.zero
    var newestFault = Duration.zero
    var flapping: Flapping?
    var outageStart: Duration?
    /// When a target began to be up that was so at the end of the run before, until its first verdict.
    var upStart: Duration?
    var session: SessionState?
    var sessionSince: Duration?
    var reportedSession: SessionState?
    var pausedSince: Duration?
    var acknowledgement: Acknowledgement?
    var maintenance: Maintenance?
    var commonCause: CommonCause.ID?
    var levelShift: LevelShift?
    var lossShift: LossShift?
    var interruptedSince: Duration?
    var armed: [ArmedHook] = []
    var blockedBy: Blocker?
    var blockedSince = Duration.zero
    var probedSince = Duration.zero
    var awaitedParents: Set<DependencyGraph.Parent> = []
    var parentsAwaitedSince = Duration.zero
    var hookTracker = HookTracker()
    var lateReply: LateReply?

    /// The state of a target that has none of these.
    static let none = RareState()
}

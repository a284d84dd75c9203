import Logging
import NIOCore
import ReachMonitoring

/// Probes every target of its lane when it is due, and collects the outcomes. Confined to one event loop, on which a
/// single timer covers all deadlines.
final class ProbeLoop {
    /// The maximum number of probes sent in one batch. More would overflow the sockets' buffers with their replies, and
    /// the last reply would wait behind the first.
    static let batch = 100
    /// The longest delay of a probe that waits to be sent together with others.
    private static let maxCoalescingWindow = Duration.milliseconds(250)
    /// The longest such delay while a target is urgent.
    private static let maxUrgentCoalescingWindow = Duration.milliseconds(20)
    /// The delay of the timer from which the process counts as stopped, suspended or starved.
    static let stall = Duration.seconds(1)

    /// The delay before names and sockets that no target needs are released: targets removed one at a time cause one
    /// scan.
    static let tidyPause = Duration.milliseconds(100)

    /// A time before every slot: no target waits to be coalesced with it.
    static let distantPast = Duration.seconds(-3_600)

    let lane: LaneContext
    let gate: LoopGate
    let logger: Logger
    let findingBuffer: FindingBuffer
    let now: @Sendable () -> Duration
    var watches = TargetMap<WatchedTarget>()
    var schedule: Schedule
    /// Targets that are due and not yet probed, each once.
    var backlog: [Target.ID] = []
    var load = ScheduleLoad()
    var watchNumber = 0
    var budget = DescriptorBudget()
    var reserve = DescriptorReserve()
    private var alarm: Scheduled<Void>?
    private var alarmTime: Duration?
    private var isClosed = false
    /// The end of the last stall. The probes made before are discarded, and their outcomes ignored.
    private(set) var resumed = ProbeLoop.distantPast
    /// When targets were last due; long ago where a new target must not wait for others.
    var lastSlot = ProbeLoop.distantPast
    /// The shortest interval of a target since the last change of targets.
    var shortestInterval = Duration.zero
    /// The rate, in probes per second, of the targets whose round trips this process times, not the kernel.
    var rateTimedHere = 0.0
    /// The number of urgent targets.
    var urgent = 0
    var silent = SilentTargets()
    private var findings: [Finding] = []
    /// When the findings must be handed over; nil while there are none.
    private var handOverDue: Duration?
    /// Whether all pending findings are routine.
    private var hasRoutineOnly = false
    private(set) var lastHandOver = Duration.zero
    /// The probers of the methods in use; each manages its own probes.
    var probers: [Method: any MethodProber] = [:]
    lazy var names = makeNames()
    lazy var links = makeLinks()
    lazy var neighbours = makeNeighbours()
    lazy var environment = makeEnvironment()
    /// The names of targets that are no longer watched. Other targets may still have them.
    var removedNames: Set<NameQuery> = []
    var willTidy = false
    let resolve: @Sendable (NameQuery) -> Resolution
    let commands: CommandPool
    let searchPool: PatternSearchPool

    init(
        lane: LaneContext,
        gate: LoopGate,
        logger: Logger,
        findingBuffer: FindingBuffer,
        commands: CommandPool,
        searchPool: PatternSearchPool,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        now: @escaping @Sendable () -> Duration,
        seed: UInt64
    ) {
        self.lane = lane
        self.gate = gate
        self.logger = logger
        self.findingBuffer = findingBuffer
        self.commands = commands
        self.searchPool = searchPool
        self.resolve = resolve
        self.now = now
        schedule = Schedule(seed: seed)
    }

    /// Performs a request of the roster.
    func perform(_ request: ProbeRequest) {
        let now = now()
        switch request {
        case .watch(let assignments): watch(assignments, at: now)
        case .forget(let ids): forget(ids)
        case .now(let ids): schedule.probeNow(ids, at: now)
        case .pace(let id, let interval, let isUrgent):
            guard schedule.contains(id) else { return }
            if let watch = watches[id] {
                setUrgent(isUrgent, of: watch)
                rateTimedHere -= watch.rateTimedHere
                watch.setPace(interval)
                rateTimedHere += watch.rateTimedHere
            }
            shortestInterval = min(shortestInterval, interval)
            schedule.pace(id, interval: interval, at: now)
        }
        setAlarm()
    }

    /// Closes everything. Nothing is reported afterwards.
    func close() {
        alarm?.cancel()
        isClosed = true
        forget(watches.ids)
        tidy()
        for prober in probers.values { prober.discardInFlight(at: now()) }
        names.close()
        environment.redirects.close()
        links.close()
        neighbours.close()
        handOver()
    }

    /// Discards the probes in flight, without a loss for their targets, if the timer is far too late: this process did
    /// not run, so they cannot be timed. Called where the event loop is entered (``LoopGate``), for each event of a
    /// prober, and before the timer is set again.
    func noticeStall(at now: Duration) {
        guard let alarmTime, now - alarmTime > Self.stall else { return }
        self.alarmTime = now
        discardInFlight(at: now, after: now - alarmTime)
    }

    /// Reports a finding to the consumer. The first finding after a pause is handed over in this turn of the event
    /// loop, together with all others of the turn. The next ones are batched, routine ones for longer, unless no further
    /// reply is expected.
    func report(_ finding: Finding, isRoutine: Bool = false) {
        findings.append(finding)
        guard handOverDue == nil || hasRoutineOnly && !isRoutine else { return }
        hasRoutineOnly = isRoutine
        let now = now()
        let due = isRoutine ? now + findingBuffer.routineDelay : max(now, lastHandOver + handOverPause)
        handOverDue = due
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.execute {
            bound.value.handOverIfDue(at: now)
            // Probes that have ended no longer need the timer for their deadlines.
            bound.value.setAlarm()
        }
    }

    /// Sets the timer for the next deadline. Without one, no timer is set.
    func setAlarm() {
        let now = now()
        noticeStall(at: now)
        setAlarm(for: nextDue(at: now), at: now)
    }

    /// Sets the timer at the end of this turn of the event loop.
    func setAlarmSoon() {
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.execute { bound.value.setAlarm() }
    }

    private func setAlarm(for due: Duration?, at now: Duration) {
        // The records of ended probes must not wake the event loop, which may be shared.
        guard !isClosed else { return }
        guard let due = backlog.isEmpty ? due : now else {
            alarm?.cancel()
            (alarm, alarmTime) = (nil, nil)
            return
        }
        let time = max(due, now + minimumTickInterval)
        // A few milliseconds do not matter; setting the timer again for each of them would cost time.
        if let alarmTime, alarmTime < time + minimumTickInterval, time < alarmTime + minimumTickInterval { return }
        alarm?.cancel()
        alarmTime = time
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        alarm = gate.loop.scheduleTask(in: .nanoseconds((time - now).nanoseconds)) { bound.value.tick() }
    }

    private func nextDue(at now: Duration) -> Duration? {
        // Ticks at least once a second, so that a suspension is noticed soon after resuming.
        var first = watches.isEmpty ? nil : now + Self.stall
        func consider(_ time: Duration?) {
            guard let time else { return }
            first = first.map { min($0, time) } ?? time
        }
        consider(nextSlot)
        consider(links.nextCheck)
        consider(budget.next(at: now))
        consider(handOverDue)
        consider(names.nextDeadline)
        for prober in probers.values { consider(prober.nextDeadline) }
        return first
    }

    /// When the next targets are due, coalesced with those due soon after them. A target whose probe was requested is
    /// due at once.
    private var nextSlot: Duration? {
        schedule.next.map { schedule.hasDueNow ? $0 : max($0, lastSlot + coalescingWindow) }
    }

    /// The time in which due probes are coalesced into one tick: at most a quarter of the shortest interval, less if many
    /// probes are due or a target is urgent. Waking an idle core costs more than a probe.
    private var coalescingWindow: Duration {
        let longest = urgent > 0 ? Self.maxUrgentCoalescingWindow : Self.maxCoalescingWindow
        return min(burstInterval, .nanoseconds(min(shortestInterval.nanoseconds / 4, longest.nanoseconds)))
    }

    /// The shortest time between two ticks for any reason.
    private var minimumTickInterval: Duration {
        guard backlog.isEmpty else { return .milliseconds(1) }
        let longest = schedule.rate > 500 ? min(.milliseconds(10), burstInterval) : .milliseconds(5)
        // With the shortest intervals, slots would pass between two ticks.
        return max(.milliseconds(1), min(longest, shortestInterval / 4))
    }

    /// The time in which about thirty-five probes are due. Two full packets have room for as many echo requests; more
    /// at once would congest the outbound link. A link that carries more than seven thousand a second also carries the
    /// probes of five milliseconds. A probe that this process times counts as eight: its reply waits while the replies
    /// to other probes of the tick are processed.
    private var burstInterval: Duration {
        .nanoseconds(Int64(35e9 / min(max(schedule.rate + 7 * rateTimedHere, 0.1), 7_000)))
    }

    /// The shortest time between two batches of findings: waking the consumer costs more than sending a probe. At high
    /// rates that is most of the cost, and a delay of half a frame is not noticeable.
    private var handOverPause: Duration {
        schedule.rate > 500 ? min(.milliseconds(50), findingBuffer.routineDelay / 2) : .milliseconds(10)
    }

    /// Whether ticks are so frequent that no reply needs to wake the loop: the kernel stamps its time, and a delay of a
    /// twenty-fourth of a second is not noticeable.
    private var isBusy: Bool { schedule.rate > 830 }

    /// Does what is due.
    func tick() {
        let now = now()
        noticeStall(at: now)
        alarmTime = nil
        links.check(at: now)
        names.expire(at: now)
        for prober in probers.values {
            // A reply that arrived in time must not be lost to a deadline that has passed meanwhile.
            if let deadline = prober.nextDeadline, deadline <= now { prober.listen(isPolled: isBusy) }
            prober.expire(at: now)
        }
        // The timer may have fired for another reason, before the coalescing window of the targets that are due ends.
        let dueProbes = nextSlot.map { $0 <= now } ?? false ? schedule.dueProbes(at: now) : []
        if !dueProbes.isEmpty { lastSlot = now }
        for case let watch? in budget.nextTargets(at: now).map({ watches[$0] }) { enqueue(watch) }
        for due in dueProbes { enqueue(due) }
        sendBatch()
        report(load.endWindow(at: now), at: now)
        for prober in probers.values { prober.listen(isPolled: isBusy) }
        let end = self.now()
        // The process may also have been stopped during this tick. Later, the timer shows it.
        var due = nextDue(at: end)
        if let first = due, end - first > Self.stall {
            discardInFlight(at: end, after: end - first)
            due = nextDue(at: end)
        }
        if handOverIfDue(at: end) { due = nextDue(at: end) }
        lane.stalls.recordRun(lane.number, at: end)
        setAlarm(for: due, at: end)
    }

    /// Hands the findings over to the consumer if they are due.
    ///
    /// - Returns: Whether they were.
    @discardableResult
    private func handOverIfDue(at now: Duration) -> Bool {
        guard let handOverDue, handOverDue <= now || isComplete(at: now) else { return false }
        handOver()
        return true
    }

    /// Whether routine findings would wait for nothing: no probe is in flight, and the last batch is old enough. A timer for
    /// them would wake the process once more.
    private func isComplete(at now: Duration) -> Bool {
        hasRoutineOnly && lastHandOver + findingBuffer.routineDelay <= now
            && probers.values.allSatisfy { $0.nextDeadline == nil }
    }

    /// Hands the findings over to the consumer.
    func handOver() {
        handOverDue = nil
        lastHandOver = now()
        let dropped = findingBuffer.append(findings)
        // The buffer may share the array's storage.
        findings.removeAll(keepingCapacity: true)
        guard dropped > 0 else { return }
        logger.warning("findings buffer full: dropped the oldest", metadata: ["dropped": "\(dropped)"])
    }

    private func discardInFlight(at now: Duration, after gap: Duration) {
        resumed = now
        logger.notice("process did not run for \(gap.spanText): probes in flight are discarded")
        for prober in probers.values { prober.discardInFlight(at: now) }
        names.discardInFlight()
        budget.discardInFlight()
        for watch in watches.values {
            watch.inFlight = 0
            watch.hasDeferredProbe = false
            watch.resent = []
            watch.selection?.discardInFlight()
        }
        let stall = lane.stalls.record(gap, until: now, of: lane.number)
        // A lane that did not run while others did is late.
        if stall != .ofLane {
            load.recordStall(until: now)
            for watch in watches.values { watch.lateFrom = nil }
        }
        if stall == .new {
            report(.stalled(gap: gap, at: now))
            // Later findings of other lanes must follow this one.
            handOver()
        }
        setAlarmSoon()
        // The state of every target may have changed meanwhile.
        schedule.probeNow(watches.ids, at: now)
    }
}

extension ProbeLoop {
    /// Adds a target that is due to the backlog, and counts its slot.
    func enqueue(_ due: Schedule.DueProbe) {
        guard let watch = watches[due.id] else { return }
        if let slot = due.slot, load.record(slot) {
            if watch.lateFrom != nil {
                // The probe of an earlier slot has not left.
                load.recordSkipped()
            } else if !watch.awaitsItsProbe {
                watch.lateFrom = slot.lateFrom
            }
        }
        enqueue(watch)
    }

    /// Adds a target to the backlog, once.
    func enqueue(_ watch: WatchedTarget) {
        guard !watch.isInBacklog else { return }
        watch.isInBacklog = true
        backlog.append(watch.id)
    }

    /// Removes the targets of a batch from the backlog, and probes them.
    func sendBatch() {
        let batch = backlog.prefix(Self.batch)
        backlog.removeFirst(batch.count)
        for id in batch {
            guard let watch = watches[id] else { continue }
            watch.isInBacklog = false
            sendProbe(to: watch)
        }
    }

    /// Counts the slot of a target as late if its probe leaves too late.
    func recordDeparture(of watch: WatchedTarget, at time: Duration) {
        guard let lateFrom = watch.lateFrom else { return }
        watch.lateFrom = nil
        if time > lateFrom { load.recordLate() }
    }

    /// Reports how this lane keeps its schedule.
    func report(_ schedule: ScheduleReport?, at time: Duration) {
        guard let schedule else { return }
        report(.schedule(schedule, lane: lane.number, at: time), isRoutine: true)
    }
}

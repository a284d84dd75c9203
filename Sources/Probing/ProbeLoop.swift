import Logging
import Monitoring
import NIOCore

/// Asks every target of its lane when it is due and collects what comes of it. All of it lives on one event loop, which
/// one timer wakes for whatever is due next.
final class ProbeLoop {
    /// How many probes leave in one go. More at once would overflow the sockets' buffers with their replies, and the
    /// last reply would wait behind the first.
    static let batch = 100
    /// How long another reply of somebody who replies may wait for others: nobody's recovery waits for it, and with few
    /// targets each would wake the consumer for itself.
    static let routinePause = Duration.milliseconds(400)
    /// How long a probe may wait to leave together with others.
    private static let gathering = Duration.milliseconds(200)
    /// The same while a target is urgent.
    private static let urgentGathering = Duration.milliseconds(20)
    /// How late the timer must be for this process to have been stopped, suspended or starved.
    static let stall = Duration.seconds(1)

    /// How long what no target needs any more is kept, so that many targets that are removed one by one are few changes.
    static let tidyPause = Duration.milliseconds(100)

    /// Before every slot that anybody has to be gathered with.
    static let longAgo = Duration.seconds(-3_600)

    let share: Share
    let gate: LoopGate
    let logger: Logger
    let basket: FindingBasket
    let now: @Sendable () -> Duration
    var watches = TargetTable<Watch>()
    var schedule: Schedule
    /// Targets that are due and not asked yet.
    var backlog: [Target.ID] = []
    var watchNumber = 0
    var budget = DescriptorBudget()
    var reserve = DescriptorReserve()
    private var alarm: Scheduled<Void>?
    private var alarmTime: Duration?
    private var isClosed = false
    /// When targets were due last; long ago where nobody new is to wait for others.
    var lastSlot = ProbeLoop.longAgo
    /// The shortest interval of a target since the targets were last told.
    var shortestInterval = Duration.zero
    /// How many probes a second, by the settings, are timed by us and not by the kernel.
    var rateTimedHere = 0.0
    /// How many targets are urgent.
    var urgent = 0
    var silent = SilentTargets()
    private var findings: [Finding] = []
    /// When the findings are to be handed over, at the latest; nil while there are none.
    private var handOverDue: Duration?
    /// Whether all the findings are of routine.
    private var hasRoutineOnly = false
    private(set) var lastHandOver = Duration.zero
    /// Those that somebody is or was asked by; each looks after its own probes.
    var probers: [Method: any Prober] = [:]
    lazy var names = makeNames()
    lazy var links = makeLinks()
    lazy var neighbours = makeNeighbours()
    lazy var wayside = makeWayside()
    lazy var tls = makeTLS()
    lazy var searches = makeSearches()
    /// The names of targets that are no longer watched; other targets may have them still.
    var leftNames: Set<NameQuery> = []
    var willTidy = false
    let resolve: @Sendable (NameQuery) -> Resolution
    let commands: CommandPool
    let searchPool: SearchPool

    init(
        share: Share,
        gate: LoopGate,
        logger: Logger,
        basket: FindingBasket,
        commands: CommandPool,
        searchPool: SearchPool,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        now: @escaping @Sendable () -> Duration,
        seed: UInt64
    ) {
        self.share = share
        self.gate = gate
        self.logger = logger
        self.basket = basket
        self.commands = commands
        self.searchPool = searchPool
        self.resolve = resolve
        self.now = now
        schedule = Schedule(seed: seed)
    }

    /// Does what the roster asks for.
    func perform(_ request: ProbeRequest) {
        let now = time()
        switch request {
        case .watch(let assignments): watch(assignments, at: now)
        case .forget(let ids): forget(ids)
        case .now(let ids): schedule.hasten(ids, at: now)
        case .pace(let id, let interval, let isUrgent):
            guard schedule.contains(id) else { return }
            setUrgent(isUrgent, of: watches[id])
            watches[id]?.setPace(interval)
            shortestInterval = min(shortestInterval, interval)
            schedule.pace(id, interval: interval, at: now)
        }
        setAlarm()
    }

    /// Closes everything; nothing is told any more.
    func close() {
        alarm?.cancel()
        isClosed = true
        forget(watches.ids)
        tidy()
        for prober in probers.values { prober.void(at: now()) }
        names.close()
        wayside.close()
        links.close()
        neighbours.close()
        handOver()
    }

    /// Reads the clock. A timer that is far too late says that this process did not run: no probe that was under way
    /// can be timed, and none is held against its target.
    func time() -> Duration {
        let now = now()
        if let alarmTime, now - alarmTime > Self.stall {
            self.alarmTime = now
            void(at: now, after: now - alarmTime)
        }
        return now
    }

    /// Leaves a finding for the consumer. The first one after a while crosses in this turn of the event loop, with
    /// whatever else the turn brings; the next ones wait for each other, and those of routine for a while.
    func report(_ finding: Finding, isRoutine: Bool = false) {
        findings.append(finding)
        guard handOverDue == nil || hasRoutineOnly && !isRoutine else { return }
        hasRoutineOnly = isRoutine
        let now = now()
        let due = isRoutine ? now + Self.routinePause : max(now, lastHandOver + handOverPause)
        handOverDue = due
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.execute {
            if due <= now { bound.value.handOver() }
            // What has been answered needs no waking for its deadline.
            bound.value.setAlarm()
        }
    }

    /// Sets the timer for whatever is due next; with nothing to do, it is not set.
    func setAlarm() {
        let now = time()
        setAlarm(for: nextDue(at: now), at: now)
    }

    private func setAlarm(for due: Duration?, at now: Duration) {
        // What is remembered of old probes would keep the loop, which others may share, waking for nobody.
        guard !isClosed else { return }
        guard let due = backlog.isEmpty ? due : now else {
            alarm?.cancel()
            (alarm, alarmTime) = (nil, nil)
            return
        }
        let time = max(due, now + pause)
        // A few milliseconds do not matter; setting the timer anew for every one of them would.
        if let alarmTime, alarmTime < time + pause, time < alarmTime + pause { return }
        alarm?.cancel()
        alarmTime = time
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        alarm = gate.loop.scheduleTask(in: .nanoseconds((time - now).nanoseconds)) { bound.value.tick() }
    }

    private func nextDue(at now: Duration) -> Duration? {
        // The timer comes often enough to notice at once that the process was stopped, or the machine asleep.
        var first = watches.isEmpty ? nil : now + Self.stall
        func consider(_ time: Duration?) {
            guard let time else { return }
            first = first.map { min($0, time) } ?? time
        }
        consider(nextSlot)
        consider(links.nextLook)
        consider(budget.next(at: now))
        consider(handOverDue)
        consider(names.nextDeadline)
        consider(wayside.nextDeadline)
        for prober in probers.values { consider(prober.nextDeadline) }
        return first
    }

    /// When the next targets are due, together with those that are due soon after them. Somebody who was asked for is
    /// due at once.
    private var nextSlot: Duration? {
        schedule.next.map { schedule.isHastened ? $0 : max($0, lastSlot + gathering) }
    }

    /// The shortest time between two ticks for what is due by the schedule. Waking an idle core costs more than a probe,
    /// and so the probes of a fifth of their interval leave together, as long as they are few and none is urgent.
    private var gathering: Duration {
        let longest = urgent > 0 ? Self.urgentGathering : Self.gathering
        return min(crowding, .nanoseconds(min(shortestInterval.nanoseconds / 5, longest.nanoseconds)))
    }

    /// The shortest time between two ticks, for whatever they are needed.
    private var pause: Duration {
        guard backlog.isEmpty else { return .milliseconds(1) }
        return schedule.rate > 500 ? min(.milliseconds(10), crowding) : .milliseconds(5)
    }

    /// The time in which some thirty-five probes are due, as many echo requests as two full packets have room for: more of
    /// them at once would crowd the way out. Who has a way for more than seven thousand a second has one for the probes of
    /// five milliseconds, too. A probe that is timed here counts as eight: what it is told of its peer waits while others of
    /// its tick are told of theirs.
    private var crowding: Duration {
        .nanoseconds(Int64(35e9 / min(max(schedule.rate + 7 * rateTimedHere, 0.1), 7_000)))
    }

    /// The shortest time between two batches of findings: a consumer costs more to wake than a probe to send. At high rates
    /// that is most of what it costs, and half a frame goes unnoticed.
    private var handOverPause: Duration { .milliseconds(schedule.rate > 500 ? 50 : 10) }

    /// Whether ticks come so often that nothing else need wake the loop for a reply: its time is the kernel's, and nobody
    /// notices that it is told of a twenty-fourth of a second later.
    private var isBusy: Bool { schedule.rate > 830 }

    private func tick() {
        let now = time()
        alarmTime = nil
        links.look(at: now)
        names.expire(at: now)
        wayside.expire(at: now)
        for prober in probers.values {
            // What came in time must not be lost to a deadline that has passed meanwhile.
            if let deadline = prober.nextDeadline, deadline <= now { prober.listen(isPolled: isBusy) }
            prober.expire(at: now)
        }
        let asked = schedule.due(at: now)
        if !asked.isEmpty { lastSlot = now }
        backlog += budget.take(at: now) + asked
        let batch = backlog.prefix(Self.batch)
        backlog.removeFirst(batch.count)
        for id in batch { ask(id) }
        for prober in probers.values { prober.listen(isPolled: isBusy) }
        let end = self.now()
        // The process may have been stopped in the middle of this, too; after this reading, the timer tells.
        var due = nextDue(at: end)
        if let first = due, end - first > Self.stall {
            void(at: end, after: end - first)
            due = nextDue(at: end)
        }
        if let handOverDue, handOverDue <= end {
            handOver()
            due = nextDue(at: end)
        }
        share.stalls.ran(share.number, at: end)
        setAlarm(for: due, at: end)
    }

    /// Hands the findings over to the consumer.
    func handOver() {
        handOverDue = nil
        lastHandOver = now()
        let dropped = basket.leave(findings)
        // The basket may have taken them as they are.
        findings.removeAll(keepingCapacity: true)
        guard dropped > 0 else { return }
        logger.warning("nobody takes the findings; dropped the oldest", metadata: ["dropped": "\(dropped)"])
    }

    private func void(at now: Duration, after gap: Duration) {
        logger.notice("did not run for \(gap.spanText); probes under way are void")
        for prober in probers.values { prober.void(at: now) }
        names.void()
        budget.void()
        for watch in watches.values {
            watch.inFlight = 0
            watch.isOwedProbe = false
            watch.resent = []
            watch.selection?.void()
        }
        if share.stalls.isNews(gap, until: now, to: share.number) {
            report(.stalled(gap: gap, at: now))
            // What other lanes find from now on is to be told later.
            handOver()
        }
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.execute { bound.value.setAlarm() }
        // Nobody knows what has changed meanwhile.
        schedule.hasten(watches.ids, at: now)
    }
}

import DequeModule

/// The schedule of all traces: which probe is sent when.
///
/// - A watched path (``open(_:flows:searchesMTU:at:)``) is probed at all hops at once, and then once a second at each
///   hop.
/// - Every path is traced when it is added, in its interval, and when ``traceNow(_:at:)`` asks.
/// - Traces share hops (`SharedHops`), except those of ``traceNow(_:at:)`` and one in n traces of each path: n grows
///   with the number of paths, so that about 300 complete traces are made in each interval.
/// - The first trace of a network goes first; the others of that network wait for it and use its length.
/// - No router and no destination is probed more than once a second, whatever the probes are for (`PathBudget`).
/// - What is not watched stays within a rate: first targets that went down, then first traces, then refreshes.
///
/// Time is an argument. Call ``due(at:)`` at ``nextDeadline``, send what it returns, and pass on answers; then take
/// the events (``takeEvents()``). A plan without paths has no deadline and uses no memory to speak of.
public struct PathPlan: Sendable {
    /// The default time from one trace of a path to the next.
    public static let defaultInterval = Duration.seconds(600)
    /// The number of complete traces in an interval.
    static let completeTraces = 300

    struct Slot: Sendable {
        let id: Target.ID?
        var trace: PathTrace
        var interval: Duration?
        var run: PathRun?
        /// The hops to take over when the run is done.
        var shared: [SharedHops.Router] = []
        var watch: PathWatch?
        /// The changes that the run has found.
        var changes: [PathChange] = []
        /// The number of traces so far.
        var runs = 0
        var isQueued = false
        /// When the next refresh is due: distinguishes its timer from obsolete ones.
        var refresh: Duration?
        /// When the last refresh was due.
        var wasDue: Duration?
        /// Whether the next refresh only decides whether the path has changed.
        var isDeciding = false
    }

    enum Timer: Sendable {
        /// `due` distinguishes it from one that was set earlier.
        case refresh(slot: Int, due: Duration)
        case watch(slot: Int, serial: UInt32)
        case patience(slot: Int, serial: UInt32)
        case budget(PathBudget.Key)
        /// The probe of a trace for a target that went down is lost, if it was not answered.
        case loss(UInt32)
    }

    struct Pending: Sendable {
        enum State: Sendable { case inFlight, lost, answered }

        let probe: PathProbe
        let slot: Int
        let id: Target.ID
        let serial: UInt32
        let purpose: PathWish.Purpose
        let sent: Duration
        let key: PathBudget.Key
        var state = State.inFlight
    }

    private(set) var options: PathPlanOptions
    var slots: [Slot] = []
    var indices: [Target.ID: Int] = [:]
    var free: [Int] = []
    var timers = CalendarQueue<Timer>()
    var pending: [UInt32: Pending] = [:]
    /// The numbers of the probes, in the order of sending: those that may time out, and those whose answers still
    /// count.
    var timeouts = Deque<(number: UInt32, time: Duration)>()
    var answerable = Deque<(number: UInt32, time: Duration)>()
    var budget = PathBudget()
    var rate = PathRate(limit: 10)
    var shared = SharedHops()
    /// The probes that need not wait for a budget, by priority.
    var ready: [Deque<PathWish>] = PathPriority.allCases.map { _ in Deque() }
    /// The paths that wait for their first trace, and for a refresh.
    var firstQueue = Deque<Int>()
    var refreshQueue = Deque<Int>()
    /// The number of running first traces and refreshes.
    var running = 0
    var events: [PathEvent] = []
    var forgotten: [UInt32] = []
    /// The latest time that was passed.
    var now = Duration.zero
    var number: UInt32 = 0
    var serial: UInt32 = 0
    /// The networks of the destinations: paths there are likely to have the same hops.
    var networks: [String: PathNetwork] = [:]
    /// How answers of each hop are divided among routers, for the budget of probes of unknown hops.
    var divisions: [PathBudget.Key: HopDivision] = [:]
    /// The usual length of a path.
    var usualLength = 5.0
    /// The questions whether a router has answered that wait for probes, by number.
    var confirmations: [UInt32: HopConfirmation] = [:]

    /// Creates a plan without paths.
    public init(options: PathPlanOptions = PathPlanOptions()) {
        self.options = options
    }

    /// The number of paths.
    public var count: Int { indices.count }

    /// Returns the path of this identity; nil if it is not in the plan.
    public func trace(of id: Target.ID) -> PathTrace? {
        indices[id].map { slots[$0].trace }
    }

    /// Whether the rounds of a watched path are over, and all of their probes have ended.
    public func isComplete(_ id: Target.ID) -> Bool {
        guard let index = indices[id], let watch = slots[index].watch else { return false }
        return watch.isComplete && watch.waiting.isEmpty && !slots[index].trace.isWaiting
    }

    /// When ``due(at:)`` is to be called next; nil if nothing is to be done.
    public var nextDeadline: Duration? {
        var deadline = timers.next
        func consider(_ time: Duration?) {
            guard let time else { return }
            deadline = min(deadline ?? time, time)
        }
        consider(timeouts.first?.time)
        // What is forgotten a little late does no harm, and other deadlines are in between.
        consider(answerable.last?.time)
        for priority in PathPriority.allCases where !ready[priority.rawValue].isEmpty {
            consider(priority.isPaced ? max(now, rate.next(isUrgent: priority == .down)) : now)
        }
        return deadline
    }

    /// Returns what happened since the last call.
    public mutating func takeEvents() -> [PathEvent] {
        defer { events = [] }
        return events
    }

    /// Returns the numbers of probes whose answers no longer count, since the last call.
    public mutating func takeForgotten() -> [UInt32] {
        defer { forgotten = [] }
        return forgotten
    }
}

extension PathPlan {
    /// Adds a path, or replaces it if its destination is another one.
    ///
    /// - Parameters:
    ///   - interval: The time from one trace to the next; nil if the path is only traced when asked.
    ///   - maxHops: The number of the last hop, at most 255.
    public mutating func add(
        _ id: Target.ID,
        destination: PathDestination,
        every interval: Duration? = Self.defaultInterval,
        maxHops: Int = 30,
        at time: Duration
    ) {
        now = max(now, time)
        let interval = interval.map { max($0, .seconds(1)) }
        if let index = indices[id] {
            if slots[index].trace.destination == destination, slots[index].trace.maxHops == min(max(maxHops, 1), 255) {
                slots[index].interval = interval
                scheduleRefresh(index)
                return
            }
            remove(id, at: time)
        }
        let slot = Slot(id: id, trace: PathTrace(destination: destination, maxHops: maxHops), interval: interval)
        let index = free.popLast() ?? slots.count
        if index < slots.count { slots[index] = slot } else { slots.append(slot) }
        indices[id] = index
        updateRate()
        guard interval != nil else { return }
        slots[index].isQueued = true
        firstQueue.append(index)
        startQueued()
    }

    /// Removes a path. Answers to its probes are ignored from now on.
    public mutating func remove(_ id: Target.ID, at time: Duration) {
        now = max(now, time)
        guard let index = indices.removeValue(forKey: id) else { return }
        cancelRun(index)
        endConfirmations(of: index)
        let destination = slots[index].trace.destination
        networks[destination.network]?.remove(index)
        continueFirst(in: destination.network)
        continueOutages(in: destination.network)
        slots[index] = Slot(id: nil, trace: PathTrace(destination: destination))
        free.append(index)
        updateRate()
        if indices.isEmpty {
            forgotten += pending.keys
            let (forgotten, events, now, number, serial) = (forgotten, events, now, number, serial)
            self = PathPlan(options: options)
            (self.forgotten, self.events, self.now, self.number, self.serial) = (forgotten, events, now, number, serial)
        }
        dropObsoleteTimers()
        startQueued()
    }

    /// Traces a path at once, with its own probes at every hop that matters: its target went down.
    public mutating func traceNow(_ id: Target.ID, at time: Duration) {
        now = max(now, time)
        guard let index = indices[id], slots[index].run?.cause != .down else { return }
        cancelRun(index)
        startOutage(index)
        startQueued()
    }

    /// Brings the next trace of a path in its interval forward: it waits for others then.
    public mutating func traceSoon(_ id: Target.ID, at time: Duration) {
        now = max(now, time)
        guard let index = indices[id], slots[index].refresh != nil, slots[index].run == nil else { return }
        slots[index].refresh = now
        timers.add(.refresh(slot: index, due: now), at: now)
    }

    /// Watches a path: it is probed every second until as many ``close(_:at:)``.
    ///
    /// - Parameters:
    ///   - flows: The number of flows, which are probed in turn.
    ///   - searchesMTU: Whether the path MTU is searched; never by TCP, whose first packet has one size, and not with several
    ///     flows, which need the budget of the destination.
    ///   - rounds: The number of rounds after which no probe is sent; nil for any. Another view changes it.
    public mutating func open(
        _ id: Target.ID,
        flows: Int = 1,
        searchesMTU: Bool = false,
        rounds: Int? = nil,
        at time: Duration
    ) {
        now = max(now, time)
        guard let index = indices[id] else { return }
        let searchesMTU = searchesMTU && flows == 1 && slots[index].trace.destination.method != .tcp
        if var watch = slots[index].watch {
            watch.views += 1
            watch.addFlows(flows)
            if searchesMTU { watch.searchesMTU = true }
            if watch.isComplete, rounds == nil { timers.add(.watch(slot: index, serial: watch.serial), at: time) }
            if rounds == nil { watch.rounds = nil }
            slots[index].watch = watch
            return
        }
        let watch = PathWatch(serial: nextSerial(), flows: flows, searchesMTU: searchesMTU, rounds: rounds, at: time)
        slots[index].watch = watch
        slots[index].trace.watch(at: time)
        timers.add(.watch(slot: index, serial: watch.serial), at: time)
    }

    /// Ends a view of a path.
    public mutating func close(_ id: Target.ID, at time: Duration) {
        now = max(now, time)
        guard let index = indices[id], let watch = slots[index].watch else { return }
        guard watch.views <= 1 else {
            slots[index].watch?.views -= 1
            return
        }
        slots[index].watch = nil
        slots[index].trace.endWatch(at: time)
        dropObsoleteTimers()
    }

    mutating func nextSerial() -> UInt32 {
        serial &+= 1
        return serial
    }

    /// Changes the maximum number of background probes a second; nil for the default.
    public mutating func setRate(_ rate: Int?) {
        options.rate = rate
        updateRate()
    }

    private mutating func updateRate() {
        rate.change(limit: options.rate ?? max(10, indices.count / 60))
    }

    mutating func scheduleRefresh(_ index: Int) {
        guard let interval = slots[index].interval else {
            slots[index].refresh = nil
            return
        }
        // The pace is kept although a refresh starts a little late.
        let time = max((slots[index].wasDue ?? now) + interval, now + interval / 2)
        slots[index].wasDue = nil
        slots[index].refresh = time
        timers.add(.refresh(slot: index, due: time), at: time)
    }

    /// Brings the next refresh forward if another router answered, and it is undecided whether that is a change.
    mutating func decideSoon(_ index: Int) {
        guard let due = slots[index].refresh, let interval = slots[index].interval,
            !slots[index].isDeciding, slots[index].trace.isUndecided
        else {
            slots[index].isDeciding = false
            return
        }
        slots[index].isDeciding = true
        let time = min(due, now + max(interval / 10, .seconds(10)))
        slots[index].refresh = time
        timers.add(.refresh(slot: index, due: time), at: time)
    }

    /// Removes timers from the front that would do nothing.
    mutating func dropObsoleteTimers() {
        let (slots, pending) = (slots, pending)
        timers.discard { timer in
            switch timer {
            case .refresh(let slot, let due): slots[slot].refresh != due
            case .watch(let slot, let serial): slots[slot].watch?.serial != serial
            case .patience(let slot, let serial): slots[slot].run?.serial != serial
            case .budget: false
            case .loss(let number): pending[number].map { $0.state != .inFlight } ?? true
            }
        }
    }
}

/// What a plan reports.
public enum PathEvent: Sendable {
    /// A trace in the background is done.
    case completed(Target.ID, PathCompletion)
    /// Another router answers at a hop.
    case changed(Target.ID, PathChange, at: Duration)
    /// Whether a router has answered, as ``PathPlan/confirm(_:of:since:at:)`` asked.
    case confirmed(Target.ID, hop: String, answered: Bool)
}

/// The result of one trace in the background.
public struct PathCompletion: Sendable, Hashable {
    /// Why the path was traced.
    public let cause: PathCause
    /// Where it ends.
    public let end: PathEnd
    /// When the trace started.
    public let started: Duration
    /// The number of probes that were sent for it.
    public let probes: Int
    /// The addresses of the hops, the first router first; nil for a hop that does not answer.
    public let hops: [String?]

    /// Creates a result.
    public init(cause: PathCause, end: PathEnd, started: Duration, probes: Int, hops: [String?]) {
        (self.cause, self.end, self.started, self.probes, self.hops) = (cause, end, started, probes, hops)
    }
}

/// The settings of a plan.
public struct PathPlanOptions: Sendable, Hashable {
    /// The maximum number of background probes a second; nil for ten, or a sixtieth of the number of traces if that
    /// is more.
    public var rate: Int?
    /// How long a probe waits for its answer.
    public var timeout = Duration.seconds(2)
    /// How long after sending an answer still counts.
    public var latest = Duration.seconds(10)
    /// The time between the first probes of a watched path.
    public var spacing = Duration.milliseconds(2)

    /// Creates the default settings.
    public init() {}
}

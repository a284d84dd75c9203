public import ReachMonitoring
import ReachSystem
import Synchronization

/// Traces paths on a thread of its own: a ``PathPlan`` decides which probe is sent when, and a prober sends it.
///
/// The thread starts with the first change of the plan, and sleeps until the plan's next deadline.
public final class PathEngine: Sendable {
    /// A path as it is known at one time.
    public struct Snapshot: Sendable {
        /// The time since the start of the program.
        public let time: Duration
        /// The hops.
        public let trace: PathTrace
        /// Whether all probes of a limited number of rounds have ended.
        public let isComplete: Bool
        /// Why the newest probe could not be sent; nil if it was sent.
        public let problem: Outcome?
    }

    private typealias Job = @Sendable (inout Tracing) -> Void

    private struct Mailbox: Sendable {
        var jobs: [Job] = []
        var isClosed = false
        /// The write end of the pipe that wakes the thread; nil before the thread starts.
        var wakeUp: CInt?
    }

    private let now: @Sendable () -> Duration
    private let options: PathPlanOptions
    private let report: @Sendable ([PathEvent]) -> Void
    private let mailbox = Mutex(Mailbox())

    /// Creates an engine without paths. Nothing is opened before the first change.
    ///
    /// - Parameters:
    ///   - now: returns the time since the start of the program.
    ///   - report: called on the engine's thread with the events of the plan.
    public init(
        options: PathPlanOptions = PathPlanOptions(),
        now: @escaping @Sendable () -> Duration,
        report: @escaping @Sendable ([PathEvent]) -> Void = { _ in }
    ) {
        (self.options, self.now, self.report) = (options, now, report)
    }

    /// Changes the plan, soon, on the engine's thread. Ignored after ``shutdown()``.
    ///
    /// - Throws: a fault, if the system refuses the thread or its descriptors. The change is lost then.
    public func change(_ body: @escaping @Sendable (inout PathPlan, Duration) -> Void) throws(Fault) {
        let now = now
        _ = try enqueue { body(&$0.plan, now()) }
    }

    /// Returns what is known about paths, in the order of `ids`; targets without a path are left out.
    public func snapshots(of ids: [Target.ID]) async -> [Target.ID: Snapshot] {
        let now = now
        return await withCheckedContinuation { continuation in
            let job: Job = { tracing in continuation.resume(returning: tracing.snapshots(of: ids, at: now())) }
            if (try? enqueue(job)) != true { continuation.resume(returning: [:]) }
        }
    }

    /// Closes the sockets and ends the thread. Later changes are ignored. Does not wait for the thread.
    public func shutdown() {
        mailbox.withLock { mailbox in
            mailbox.isClosed = true
            Self.wake(mailbox.wakeUp)
        }
    }

    /// - Returns: whether the job will run: not after the shutdown.
    private func enqueue(_ job: @escaping Job) throws(Fault) -> Bool {
        try mailbox.withLock { mailbox throws(Fault) in
            guard !mailbox.isClosed else { return false }
            if mailbox.wakeUp == nil { mailbox.wakeUp = try start() }
            mailbox.jobs.append(job)
            Self.wake(mailbox.wakeUp)
            return true
        }
    }

    private static func wake(_ descriptor: CInt?) {
        guard let descriptor else { return }
        var byte: UInt8 = 0
        // A full pipe wakes the thread too.
        _ = write(descriptor, &byte, 1)
    }

    /// Starts the thread. Returns the write end of its pipe.
    private func start() throws(Fault) -> CInt {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Fault(errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        guard let thread = WorkerThread(stackSize: 1 << 20) else {
            ends.forEach(closeDescriptor)
            throw Fault(.noMemory, detail: "the system refuses a thread for paths")
        }
        let wakeUps = ends[0]
        thread.run { [self] in
            run(wakeUps)
            thread.close()
        }
        return ends[1]
    }

    private func run(_ wakeUps: CInt) {
        var tracing = Tracing(plan: PathPlan(options: options))
        while true {
            let (jobs, isClosed) = mailbox.withLock { mailbox in
                defer { mailbox.jobs = [] }
                return (mailbox.jobs, mailbox.isClosed)
            }
            for job in jobs { job(&tracing) }
            guard !isClosed else { break }
            let events = tracing.advance(now: now)
            if !events.isEmpty { report(events) }
            tracing.wait(for: wakeUps, now: now)
        }
        tracing.close()
        mailbox.withLock { mailbox in
            if let end = mailbox.wakeUp { closeDescriptor(end) }
            mailbox.wakeUp = nil
        }
        closeDescriptor(wakeUps)
    }
}

/// The plan and the prober of a ``PathEngine``, confined to its thread.
private struct Tracing {
    var plan: PathPlan
    /// Opened with the first probe.
    private var prober: PathProber?
    /// Why the newest probe to a destination could not be sent.
    private var problems: [PathDestination: Outcome] = [:]
    /// The largest number of destinations with a problem that is remembered.
    private static let maxProblems = 10_000

    init(plan: PathPlan) {
        self.plan = plan
    }

    func snapshots(of ids: [Target.ID], at time: Duration) -> [Target.ID: PathEngine.Snapshot] {
        let pairs = ids.compactMap { id in
            plan.trace(of: id).map { trace in
                let snapshot = PathEngine.Snapshot(
                    time: time,
                    trace: trace,
                    isComplete: plan.isComplete(id),
                    problem: problems[trace.destination]
                )
                return (id, snapshot)
            }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Sends what is due. Returns the events.
    mutating func advance(now: () -> Duration) -> [PathEvent] {
        for probe in plan.due(at: now()) {
            let problem = send(probe, at: now())
            if let problem {
                plan.fail(probe: probe.number, at: now())
                if problems.count < Self.maxProblems { problems[probe.destination] = problem }
            } else if !problems.isEmpty {
                problems[probe.destination] = nil
            }
        }
        for number in plan.takeForgotten() { prober?.forget(number) }
        return plan.takeEvents()
    }

    private mutating func send(_ probe: PathProbe, at time: Duration) -> Outcome? {
        do throws(Fault) {
            if prober == nil { prober = try PathProber() }
            return prober?.send(probe, at: time)
        } catch {
            return .fault(error)
        }
    }

    /// Waits for answers, changes or the next deadline, and records the answers.
    mutating func wait(for wakeUps: CInt, now: () -> Duration) {
        var descriptors = [pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0)]
        if let prober { descriptors.append(pollfd(fd: prober.descriptor, events: Int16(POLLIN), revents: 0)) }
        let deadline = [plan.nextDeadline, prober?.nextDeadline].compactMap(\.self).min()
        let timeout = deadline.map { Int32(clamping: ($0 - now()).roundedUpMilliseconds) } ?? -1
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) >= 0 else { return }
        if descriptors[0].revents != 0 { Self.drain(wakeUps) }
        guard let prober, descriptors[1].revents != 0 || prober.nextDeadline.map({ $0 <= now() }) ?? false else {
            return
        }
        for answer in prober.read(at: now()) { plan.record(answer, at: now()) }
    }

    private static func drain(_ descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    mutating func close() {
        prober?.close()
        prober = nil
    }
}

extension Duration {
    /// The whole milliseconds, rounded up; zero for the past.
    fileprivate var roundedUpMilliseconds: Int64 {
        max(0, (nanoseconds + 999_999) / 1_000_000)
    }
}

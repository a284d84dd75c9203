public import Monitoring
import Synchronization

/// Asks any number of targets and says what becomes of them, as the dashboard does.
///
/// ```swift
/// let monitor = Monitor([try Target("tcp://nas.local:445", name: "NAS")])
/// for await events in monitor.events {
///     for case .transition(let id, let transition) in events {
///         print(monitor[id]?.target.name ?? "", transition.to)
///     }
/// }
/// ```
///
/// Targets are asked while a task listens to ``events``. Otherwise nothing runs and no socket is open; what is known stays,
/// and the time in which nobody listened counts neither for a target nor against it.
///
/// While something that a target depends on is down, the target is blocked: neither asked nor judged. Hooks of targets do not
/// run: what happens is told, and what to do is the program's affair.
public final class Monitor: Sendable {
    /// When targets are asked for the first time.
    public enum FirstProbes: Sendable, Hashable {
        /// Spread over the interval, so that they do not march in step: for a watch that goes on.
        case staggered
        /// All at once: for who waits for all the answers.
        case atOnce
    }

    private let watch: ProberWatch
    private let work: Mutex<Work>

    private struct Work {
        var course: MonitorCourse
        var audience = Audience<Event>()
        /// How often the asking has begun or ended: what an earlier one finds is nobody's.
        var runs = 0
        var isRunning = false
        var isCancelled = false
    }

    /// A monitor that asks while somebody listens to its ``events``.
    ///
    /// - Parameters:
    ///   - targets: whom to ask. Of several that have one name, and one family where it is asked in both, the first counts.
    ///   - firstProbes: when they are asked for the first time.
    ///   - history: how far back observations are kept; the newest hundred in any case.
    ///   - prober: what asks.
    public init(
        _ targets: [Target],
        firstProbes: FirstProbes = .staggered,
        history: Duration = .zero,
        by prober: Prober = .shared
    ) {
        watch = prober.reserve()
        work = Mutex(
            Work(
                course: MonitorCourse(
                    targets,
                    firstID: watch.firstID,
                    firstProbes: firstProbes,
                    history: history,
                    at: prober.time
                )
            )
        )
    }

    /// The time since the prober was made, by which events and standings are dated.
    public var time: Duration { watch.prober.time }

    // MARK: What is known

    /// All that is known of every target, in their order.
    public var standings: Standings {
        work.withLock { $0.course.roster.standings }
    }

    /// All that is known of one target; nil if it is watched no more.
    public subscript(id: Target.ID) -> Standing? {
        work.withLock { $0.course.roster[id] }
    }

    // MARK: What is wanted

    /// Watches other targets from now on. One that has the same name, question, family and source as before keeps its
    /// identity, its health and its history; others are added or removed.
    public func update(_ targets: [Target]) {
        change { $0.update(targets, at: $1) }
    }

    /// Switches targets off: they are neither asked nor judged.
    public func pause(_ ids: [Target.ID]) {
        change { $0.pause(ids, at: $1) }
    }

    /// Switches targets on again: they are asked at once and start from unknown, their history kept.
    public func resume(_ ids: [Target.ID]) {
        change { $0.resume(ids, at: $1) }
    }

    /// Asks targets now, besides their schedule; those that are paused or blocked are not asked, and nobody is while no task
    /// listens.
    public func probe(_ ids: [Target.ID]) {
        change { course, _ in course.probe(ids) }
    }

    /// Ends the monitor for good: nobody is asked any more, and whoever listens comes to the end.
    public func cancel() {
        let audience = work.withLock { work in
            work.isCancelled = true
            stop(&work)
            defer { work.audience = Audience() }
            return work.audience
        }
        audience.finish()
    }

    // MARK: Listeners

    func listen() -> Inbox<Event>.Reader {
        let number = work.withLock { $0.audience.nextNumber() }
        // Whoever listens keeps the monitor alive.
        let (inbox, reader) = Inbox<Event>.open(room: Events.room) { self.leave(number) }
        let audience = work.withLock { work in
            guard !work.isCancelled else { return Audience<Event>() }
            work.audience.add(inbox, as: number)
            start(&work)
            return work.audience
        }
        audience.isEmpty ? inbox.finish() : audience.ring()
        return reader
    }

    private func leave(_ number: Int) {
        work.withLock { work in
            work.audience.remove(number)
            if work.audience.isEmpty { stop(&work) }
        }
    }

    // MARK: The asking

    private func start(_ work: inout Work) {
        guard !work.isRunning else { return }
        work.isRunning = true
        work.runs += 1
        let link = watch.prober.begin(watch) { [weak self, run = work.runs] in self?.hear($0, in: run) }
        perform(work.course.begin(link: link, at: time), &work)
    }

    private func stop(_ work: inout Work) {
        guard work.isRunning else { return }
        work.isRunning = false
        work.runs += 1
        work.course.rest(at: time)
        watch.end(asking: work.course.roster.standings.map(\.id))
    }

    private func hear(_ findings: [Finding], in run: Int) {
        change { course, _ in
            course.record(findings)
        } unless: {
            $0.runs != run
        }
    }

    private func change(
        _ body: (inout MonitorCourse, _ now: Duration) -> MonitorCourse.Step,
        unless isObsolete: (Work) -> Bool = { _ in false }
    ) {
        let audience = work.withLock { work -> Audience<Event>? in
            guard !isObsolete(work) else { return nil }
            perform(body(&work.course, time), &work)
            return work.audience
        }
        audience?.ring()
    }

    private func perform(_ step: MonitorCourse.Step, _ work: inout Work) {
        work.audience.tell(step.events)
        if work.isRunning { watch.perform(step.requests) }
    }
}

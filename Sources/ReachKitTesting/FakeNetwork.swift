public import ReachKit
import ReachMonitoring
import Synchronization

/// A simulated network for tests. A script defines what answers and when; no socket is opened.
///
/// ```swift
/// let nas = Reachability(of: "nas.local", prober: network.prober)
/// let backup = nas.whenReachable(within: .seconds(60)) { "done" }
/// await clock.advance(by: .seconds(31))
/// #expect(await backup.value == .performed("done"))
/// ```
///
/// Targets are probed on their schedules, as in a real network, by the clock of the test. ``ManualClock/advance(by:)``
/// goes from one probe, reply or end of a limit to the next, so the result does not depend on the steps in which a test
/// advances it.
///
/// Hosts that no script names do not answer. Names need no lookup, and every host has the address `192.0.2.1`, an
/// address for documentation (RFC 5737). Commands (`exec:`) and the connections of a ``Fetch`` are not simulated.
public final class FakeNetwork: Sendable {
    /// What a host answers to a probe.
    public enum Answer: Sendable, Hashable {
        /// A proper reply after a round trip. With a round trip of zero, a test need not advance the clock for it.
        case reply(after: Duration = .zero)
        /// No reply: the probe is lost after the timeout of its target.
        case noReply
        /// A negative answer at once, such as `.refused`.
        case failure(Reason)
        /// This machine cannot probe, for example for lack of permission.
        case fault(Fault)
    }

    /// The prober of this network, for ``Reachability``, ``Session`` and ``Monitor``.
    public let prober: Prober
    private let script: Script

    /// Creates a network that has a link, and in which nothing answers.
    ///
    /// - Parameter clock: the clock of the prober; a ``ManualClock`` for tests that must not wait.
    public init(clock: some Clock<Duration> = ManualClock()) {
        let script = Script()
        self.script = script
        let start = clock.now
        let manual = clock as? ManualClock
        manual?.add(script)
        prober = Prober(
            clock: clock,
            tracker: manual?.tasks,
            findLink: { _, _ in script.link ?? .other },
            findPath: { script.path(at: start.duration(to: clock.now)) }
        ) { now in
            FakeBackend(of: script, on: manual?.tasks, now: now) { time in
                guard let manual else { return try await clock.sleep(for: time - now(), tolerance: nil) }
                try await manual.sleep(until: manual.now.advanced(by: time - now()), isNetwork: true)
            }
        }
    }

    /// Changes the answer of a host.
    ///
    /// - Parameters:
    ///   - place: a host for all its services (`nas.local`), a service (`nas.local:445`), or the URL of a target
    ///     (`https://nas.local/health`). The most specific script of a target decides. Names match without regard to
    ///     case and a final dot.
    ///   - answer: the answer from then on.
    ///   - delay: when, from now on; at once by default.
    /// - Precondition: The place is valid, and answers: links and routes follow ``setLink(_:after:)``.
    public func set(_ place: String, to answer: Answer, after delay: Duration = .zero) {
        script.set(Self.key(of: place, in: "set"), to: answer, at: prober.time + max(.zero, delay))
    }

    /// Waits until a target is probed. It returns at once if one is, and when the task is cancelled.
    ///
    /// A task that was just started has not subscribed yet. Wait for it before you advance the clock:
    ///
    /// ```swift
    /// async let status = nas.check()
    /// await network.untilProbed("nas.local")
    /// await clock.advance(by: .seconds(5))
    /// ```
    ///
    /// A target that was added at the present time of the clock counts, even if its subscriber has ended.
    ///
    /// - Parameter place: a host, a service or the URL of a target, as for ``set(_:to:after:)``; nil for any target.
    /// - Precondition: The place is valid, and answers.
    public func untilProbed(_ place: String? = nil) async {
        await script.untilProbed(place.map { Self.key(of: $0, in: "untilProbed") }, at: prober.time)
    }

    /// The key of a place, as a precondition of a call.
    private static func key(of place: String, in call: String) -> String {
        do {
            return try key(of: place)
        } catch {
            preconditionFailure("\(call)(\"\(place)\", …): \(error)")
        }
    }

    /// The key of a place: the URL of a target, a service, or a host.
    ///
    /// - Throws: The problem of a place that no target can have.
    package static func key(of place: String) throws(URLProblem) -> String {
        let question = try Question(place)
        switch question.method {
        case .link, .route: throw URLProblem("links and routes have no answer of their own", hint: "use setLink")
        case .exec: throw URLProblem("commands are not simulated", hint: "such as nas.local:445")
        default: return question.places[place.contains("://") ? 0 : 1]
        }
    }

    /// Changes the link that packets leave by.
    ///
    /// - Parameters:
    ///   - link: the link; nil for none, so that nothing can be reached.
    ///   - delay: when, from now on; at once by default.
    public func setLink(_ link: Reachability.Link?, after delay: Duration = .zero) {
        script.setLink(link, at: prober.time + max(.zero, delay))
    }

    /// Changes the path that ``ReachKit/Prober/networkPath()`` and ``ReachKit/Prober/networkPaths`` return. Until this
    /// call, the path follows the link: it has one interface, such as `eth0`, with IPv4 and DNS, and is expensive on a
    /// mobile network.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - delay: when, from now on; at once by default.
    public func setPath(_ path: NetworkPath, after delay: Duration = .zero) {
        script.setPath(path, at: prober.time + max(.zero, delay))
    }

    /// The URLs of the targets that are probed now, in order; empty soon after the last subscriber has ended.
    public var probedURLs: [String] { script.probedURLs }

    /// How many probes were sent so far.
    public var probeCount: Int { script.probeCount }
}

/// The backend of a fake network. It probes targets on their schedules in simulated time, which follows the clock.
///
/// The simulation advances in the consumer's task, one moment at a time: the consumer's requests at one moment, such as
/// a faster pace after a loss, are performed before the next.
final class FakeBackend: ProbeBackend {
    private let simulation: Mutex<FakeSimulation>
    private let script: Script
    private let number: Int
    private let executor: (any TaskExecutor)?
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (_ time: Duration) async throws -> Void
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - executor: Runs its tasks; nil for the thread pool.
    ///   - sleep: Sleeps until a time, which may have passed.
    init(
        of script: Script,
        on executor: (any TaskExecutor)?,
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (_ time: Duration) async throws -> Void
    ) {
        let number = script.addBackend()
        simulation = Mutex(FakeSimulation(of: script, number: number, at: now()))
        self.script = script
        self.number = number
        self.executor = executor
        self.now = now
        self.sleep = sleep
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        script.onChange(of: number) { [wake] in wake.yield() }
    }

    /// Findings at one moment each.
    var batches: AsyncStream<[Finding]> { AsyncStream { await self.next() } }

    func perform(_ request: ProbeRequest) {
        simulation.withLock { $0.perform(request, at: now()) }
        wake.yield()
    }

    func shutdown() async {
        script.removeBackend(number)
        wake.finish()
    }

    /// Waits for the next findings; nil after the shutdown.
    private func next() async -> [Finding]? {
        while true {
            let (findings, due) = simulation.withLock { simulation in
                (simulation.advance(to: now()), simulation.next)
            }
            if !findings.isEmpty { return findings }
            guard await wait(until: due) else { return nil }
        }
    }

    /// Waits for a time, a request or a change of the script.
    ///
    /// - Returns: False after the shutdown.
    private func wait(until time: Duration?) async -> Bool {
        let alarm = time.map { time in
            Task(executorPreference: executor) { [sleep, wake] in
                guard (try? await sleep(time)) != nil else { return }
                wake.yield()
            }
        }
        defer { alarm?.cancel() }
        var iterator = wakes.makeAsyncIterator()
        return await iterator.next() != nil
    }
}

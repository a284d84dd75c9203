public import Logging
public import NIOCore
import NIOPosix
package import ReachMonitoring
package import ReachProbing
import ReachSystem
import Synchronization

/// Probes the targets of any number of clients, with one probe engine and one clock.
///
/// Every type of this module uses ``shared`` unless another prober is given. Nothing runs, and no socket is open, while
/// there is no client.
public final class Prober: Sendable {
    /// The default prober: it uses SwiftNIO's shared event loops, logs nothing, and its clock continues while the
    /// machine sleeps.
    public static let shared = Prober()

    /// The clock that measures round trips, pauses and time limits.
    public let clock: any Clock<Duration>
    private let now: @Sendable () -> Duration
    /// Sleeps once until a time of this prober, by its clock.
    let sleepOnce: @Sendable (_ time: Duration) async throws -> Void
    /// The longest single sleep; nil without a limit. The runtime keeps a timer of its own clocks until its deadline,
    /// even if its task was cancelled long before: the timer of an hour would keep its memory for an hour. Any other
    /// clock, such as that of a test, sleeps once.
    let maxSleep: Duration?
    /// Returns the link to a destination.
    let findLink: @Sendable (_ question: Question, _ address: String?) -> Reachability.Link
    private let findPath: @Sendable () async -> NetworkPath
    private let makeBackend: @Sendable (_ now: @escaping @Sendable () -> Duration) -> any ProbeBackend
    /// Runs the tasks of a simulated network; nil for the thread pool.
    let tracker: (any TaskTracker)?
    private let state = Mutex(State())

    private struct State {
        /// Nil while there is no client.
        var backend: (any ProbeBackend)?
        /// The handlers for findings, by client number.
        var handlers: [Int: @Sendable ([Finding]) -> Void] = [:]
        var clientCount = 0
        /// Shuts down the backends of earlier clients.
        var closing: Task<Void, Never>?
        /// The last finding on whether this machine has a route out, for clients that start later.
        var link: Finding?
    }

    /// Creates a prober. No socket is opened before its first use.
    ///
    /// - Parameters:
    ///   - eventLoopGroup: the event loops of its sockets; SwiftNIO's shared ones by default. It must outlive the
    ///     prober: after its shutdown, probes have no result, and `check()` waits until its task is cancelled.
    ///   - clock: measures round trips, pauses and time limits. Deadlines of sockets follow the time of the event
    ///     loops.
    ///   - logger: gets messages for debugging; silent by default.
    ///   - runCommand: runs the commands of targets such as `exec:./test.sh`, which cannot be probed without it. It
    ///     returns a ``CommandResult``.
    public convenience init(
        eventLoopGroup: (any EventLoopGroup)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "reach") { _ in SwiftLogNoOpLogHandler() },
        runCommand: CommandRunner? = nil
    ) {
        let group = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        self.init(clock: clock) {
            ProbeEngine(now: $0, logger: logger, runCommand: runCommand, group: group)
        }
    }

    /// - Parameters:
    ///   - tracker: runs the prober's tasks, and tracks its subscribers; by default, the thread pool runs the tasks.
    ///   - findLink: returns the link to a destination; by default, as the system reports it.
    ///   - findPath: returns the path to the network; by default, as the system reports it.
    ///   - backend: makes the backend whenever a first client starts.
    package init(
        clock: some Clock<Duration>,
        tracker: (any TaskTracker)? = nil,
        findLink: @escaping @Sendable (_ question: Question, _ address: String?) -> Reachability.Link = {
            Reachability.Link($0.outboundLinkKind(address: $1))
        },
        findPath: @escaping @Sendable () async -> NetworkPath = { await NetworkPath.current() },
        backend: @escaping @Sendable (_ now: @escaping @Sendable () -> Duration) -> any ProbeBackend
    ) {
        self.clock = clock
        maxSleep = clock is ContinuousClock || clock is SuspendingClock ? .seconds(5) : nil
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleepOnce = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        self.findLink = findLink
        self.findPath = findPath
        self.tracker = tracker
        makeBackend = backend
    }

    /// The time since the prober was created, by its clock. All findings are dated by it.
    public var time: Duration { now() }

    /// Returns the properties of this machine's path to the network, such as whether it is expensive. No packet is sent.
    public func networkPath() async -> NetworkPath {
        await findPath()
    }

    /// The paths of this machine to the network: the present one, and then every change. No packet is sent.
    ///
    /// Any number of tasks can subscribe. A slow subscriber misses earlier changes, never the newest one. On Linux, a
    /// change of the DNS servers alone is noticed with the next change of a link, an address or a route.
    public var networkPaths: NetworkPaths { NetworkPaths(prober: self) }

    /// Creates a client and starts it.
    ///
    /// - Parameter onFindings: is called with batches of findings about the client's targets, one at a time and on any
    ///   thread.
    func startClient(onFindings: @escaping @Sendable ([Finding]) -> Void) -> ProberClient {
        let client = makeClient()
        if let link = start(client, onFindings: onFindings) { onFindings([link]) }
        return client
    }

    /// Creates a client that is not started. It can be started and stopped any number of times.
    func makeClient() -> ProberClient {
        state.withLock { state in
            state.clientCount += 1
            return ProberClient(number: state.clientCount, prober: self)
        }
    }

    /// Starts a client.
    ///
    /// - Returns: The last finding on whether this machine has a route out, which is not passed to `onFindings`.
    func start(_ client: ProberClient, onFindings: @escaping @Sendable ([Finding]) -> Void) -> Finding? {
        let (newBackend, link) = state.withLock { state -> ((any ProbeBackend)?, Finding?) in
            state.handlers[client.number] = onFindings
            guard state.backend == nil else { return (nil, state.link) }
            let backend = makeBackend(now)
            (state.backend, state.link) = (backend, nil)
            return (backend, nil)
        }
        if let newBackend { Task(executorPreference: tracker) { await self.deliverFindings(of: newBackend) } }
        return link
    }

    /// Sends requests to the backend; ignored while there is none.
    func perform(_ requests: [ProbeRequest]) {
        let backend = state.withLock { $0.backend }
        for request in requests { backend?.perform(request) }
    }

    /// Stops a client, whose targets are forgotten. Stopping the last client shuts the backend down.
    func stop(_ number: Int, forgetting ids: [Target.ID]) {
        let remaining = state.withLock { state -> (any ProbeBackend)? in
            guard state.handlers.removeValue(forKey: number) != nil else { return nil }
            guard state.handlers.isEmpty, let last = state.backend else { return state.backend }
            state.backend = nil
            state.closing = Task(executorPreference: tracker) { [earlier = state.closing] in
                await last.shutdown()
                await earlier?.value
            }
            return nil
        }
        remaining?.perform(.forget(ids))
    }

    /// Waits until the sockets, timers and commands that are no longer used are closed. Those that still have a subscriber
    /// stay open, and so do the connections of a `Fetch`.
    ///
    /// Call it before you shut down the event loops that the prober was given, or exit the program while commands run:
    /// after the tasks of all subscribers have ended, and after `Fetch.shutdown()`. It is not needed otherwise.
    public func closed() async {
        await state.withLock { $0.closing }?.value
    }

    private func deliverFindings(of backend: some ProbeBackend) async {
        for await findings in backend.batches {
            let handlers = state.withLock { state -> [Int: @Sendable ([Finding]) -> Void] in
                // Findings of a backend that was shut down are not for the clients of the next one.
                guard state.backend === backend else { return [:] }
                for case .link(let isUp, let time) in findings { state.link = .link(isUp: isUp, at: time) }
                return state.handlers
            }
            for (number, batch) in Self.group(findings, by: handlers.keys) { handlers[number]?(batch) }
        }
    }

    /// Groups findings by client. Every client gets those about the whole machine.
    static func group(_ findings: [Finding], by clients: some Collection<Int>) -> [(Int, [Finding])] {
        var batches: [Int: [Finding]] = [:]
        for finding in findings {
            if let id = finding.target {
                batches[ProberClient.number(of: id), default: []].append(finding)
            } else {
                for client in clients { batches[client, default: []].append(finding) }
            }
        }
        return batches.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Prober {
    /// Sleeps until a time of the prober's clock, or until the task is cancelled.
    func sleep(until time: Duration) async {
        while !Task.isCancelled, self.time < time {
            try? await sleepOnce(maxSleep.map { min(time, self.time + $0) } ?? time)
        }
    }

    /// Waits until an operation ends or the deadline passes, by the prober's own clock.
    ///
    /// - Returns: The result of the operation; false after the deadline.
    func wait(until deadline: Duration?, for operation: @escaping @Sendable () async -> Bool) async -> Bool {
        guard let deadline else { return await operation() }
        let (result, isLate) = await withLimit({ await self.sleep(until: deadline) }) {
            let result = await operation()
            // The clock decides, not the order in which the tasks are resumed.
            return result && self.time <= deadline
        }
        return result && !isLate
    }
}

/// Runs the tasks of a prober, and tracks its subscribers, so that a simulated clock advances only when all of them have
/// settled.
package protocol TaskTracker: TaskExecutor {
    /// A subscriber that waited has an event to read.
    func subscriberResumed(_ id: ObjectIdentifier)
    /// A subscriber waits for the next event, or has ended.
    func subscriberSettled(_ id: ObjectIdentifier)
}

/// A client of a prober, with its own range of target identities. It receives the findings about those targets.
struct ProberClient: Sendable {
    /// The size of the range: how many identities a client can use before they collide with those of the next one.
    private static let capacity = 1 << 32

    let number: Int
    let prober: Prober

    /// The first identity of the range.
    var firstID: Int { number * Self.capacity }

    /// The number of the client that a target belongs to.
    static func number(of id: Target.ID) -> Int { id.rawValue / capacity }

    /// Sends requests to the backend.
    func perform(_ requests: [ProbeRequest]) {
        prober.perform(requests)
    }

    /// Stops the client: its targets are no longer probed, and it receives no more findings.
    func stop(forgetting ids: [Target.ID]) {
        prober.stop(number, forgetting: ids)
    }
}

extension Finding {
    /// The target that the finding is about; nil for one about the whole machine.
    var target: Target.ID? {
        switch self {
        case .observation(let observation): observation.target
        case .late(let id, _, _), .duplicate(let id), .addressChanged(let id, _, _, _), .addresses(let id, _, _),
            .session(let id, _, _, _), .path(let id, _, _), .vantageReports(let id, _, _):
            id
        case .link, .schedule, .stalled, .vantagePointsReporting: nil
        }
    }
}

/// The backend of a prober: it performs probe requests and delivers findings. Production code uses the probe engine,
/// tests use a script.
package protocol ProbeBackend: AnyObject, Sendable {
    associatedtype Batches: AsyncSequence<[Finding], Never> & Sendable

    /// The findings, in batches, for a single consumer.
    var batches: Batches { get }

    /// Performs a request asynchronously. Requests are performed in the order of the calls.
    func perform(_ request: ProbeRequest)

    /// Closes every socket and finishes ``batches``.
    func shutdown() async
}

extension ProbeEngine: ProbeBackend {
    package var batches: Findings { findings }
}

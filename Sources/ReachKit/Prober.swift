public import Logging
public import NIOCore
import NIOPosix
package import ReachMonitoring
package import ReachProbing
import ReachSystem
import Synchronization

#if canImport(Network)
import Network
#elseif canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    ///     prober.
    ///   - clock: measures round trips, pauses and time limits. Deadlines of sockets follow the time of the event
    ///     loops.
    ///   - logger: gets messages for debugging; silent by default.
    ///   - runCommand: runs the commands of targets such as `exec:./test.sh`, which cannot be probed without it.
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
    ///   - findLink: returns the link to a destination; by default, as the system reports it.
    ///   - findPath: returns the path to the network; by default, as the system reports it.
    ///   - backend: makes the backend whenever a first client starts.
    package init(
        clock: some Clock<Duration>,
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
        makeBackend = backend
    }

    /// The time since the prober was created, by its clock. All findings are dated by it.
    public var time: Duration { now() }

    /// Returns the properties of this machine's path to the network, such as whether it is expensive. No packet is sent.
    public func networkPath() async -> NetworkPath {
        await findPath()
    }

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
        if let newBackend { Task { await deliverFindings(of: newBackend) } }
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
            state.closing = Task { [earlier = state.closing] in
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
        let (result, isLate) = await withLimit({ await self.sleep(until: deadline) }, operation)
        // The clock decides, not the order in which the tasks ended.
        return result && !isLate && time <= deadline
    }
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
            .session(let id, _, _, _), .vantageReports(let id, _, _):
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

/// The properties of this machine's path to the network, from ``Prober/networkPath()``. They have the names of those of
/// `NWPath` in Apple's Network framework. A property that the system does not report is nil.
public struct NetworkPath: Sendable, Hashable, Codable {
    /// Whether the traffic may cost money, as on a mobile network or the hotspot of a phone. Linux does not report it.
    public var isExpensive: Bool?
    /// Whether programs shall reduce their traffic (Low Data Mode). Linux does not report it.
    public var isConstrained: Bool?
    /// Whether a DNS server is configured; whether it answers is not known. On Linux, that is a `nameserver` in
    /// `/etc/resolv.conf` (resolv.conf(5)), and nil without the file.
    public var supportsDNS: Bool?

    /// Creates a path with these properties; unknown by default.
    public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, supportsDNS: Bool? = nil) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.supportsDNS = supportsDNS
    }
}

extension NetworkPath {
    #if canImport(Network)
    /// Asks the system.
    static func current() async -> NetworkPath {
        for await path in NWPathMonitor() {
            return NetworkPath(
                isExpensive: path.isExpensive,
                isConstrained: path.isConstrained,
                supportsDNS: path.supportsDNS
            )
        }
        return NetworkPath()
    }
    #else
    /// Asks the system.
    @concurrent static func current() async -> NetworkPath {
        let text = try? Data(contentsOf: URL(filePath: "/etc/resolv.conf"))
        return NetworkPath(supportsDNS: text.map { namesServer(String(decoding: $0, as: UTF8.self)) })
    }
    #endif

    /// Whether a text in the format of resolv.conf(5) names a server.
    static func namesServer(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.first == "nameserver" && words.count > 1
        }
    }
}

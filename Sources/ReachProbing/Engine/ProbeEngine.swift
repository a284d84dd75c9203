public import Logging
public import NIOCore
import NIOPosix
public import ReachMonitoring
import Synchronization

/// The engine that probes targets. It takes requests and delivers batches of findings. Its work runs on event loops;
/// each loop owns its sockets and the state of its probes in flight.
public final class ProbeEngine: Sendable {
    /// An event loop with its probe loop.
    private struct Lane: Sendable {
        let gate: LoopGate
        let loop: NIOLoopBoundBox<ProbeLoop>
        /// The thread that the engine made for this loop; nil where the caller gave event loops.
        let thread: MultiThreadedEventLoopGroup?

        /// Closes the probe loop after all requests before this one.
        func close() async {
            await withCheckedContinuation { continuation in
                let isFirst = gate.close {
                    loop.value.close()
                    continuation.resume()
                }
                if !isFirst { continuation.resume() }
            }
        }
    }

    private let laneAssignment: LaneAssignment
    /// The lanes that have or had targets, by number; nil after the shutdown.
    private let lanes = Mutex<[Int: Lane]?>([:])
    private let stalls = StallLog()
    private let findingBuffer: FindingBuffer
    private let commands: CommandPool
    private let searches: PatternSearchPool
    private let makeLane: @Sendable (_ context: LaneContext) -> Lane

    /// Starts an engine without targets.
    ///
    /// - Parameters:
    ///   - now: returns the time since the start of the program, which findings carry. With a clock that goes on while
    ///     the machine sleeps, the engine notices the sleep.
    ///   - runCommand: runs the commands of `exec:`; without it, they are a fault.
    ///   - group: the event loops to run on; by default the engine makes its own, one thread for each core.
    public convenience init(
        now: @escaping @Sendable () -> Duration,
        logger: Logger,
        runCommand: CommandRunner? = nil,
        group: (any EventLoopGroup)? = nil
    ) {
        self.init(now: now, logger: logger, runCommand: runCommand, group: group, resolve: Resolution.system)
    }

    /// Starts an engine that resolves names with `resolve`, which may block.
    init(
        now: @escaping @Sendable () -> Duration,
        logger: Logger,
        seed: UInt64 = .random(in: .min ... .max),
        capacity: Int = 100_000,
        runCommand: CommandRunner? = nil,
        group: (any EventLoopGroup)? = nil,
        resolve: @escaping @Sendable (NameQuery) -> Resolution
    ) {
        let loops = group.map(Self.loops) ?? []
        laneAssignment = LaneAssignment(cores: group == nil ? System.coreCount : loops.count)
        let findingBuffer = FindingBuffer(capacity: capacity)
        let commands = CommandPool(run: runCommand)
        let searches = PatternSearchPool()
        (self.findingBuffer, self.commands, self.searches) = (findingBuffer, commands, searches)
        makeLane = { context in
            let (eventLoop, thread) = Self.eventLoop(context.number, of: loops)
            let gate = LoopGate(eventLoop)
            let loop = ProbeLoop(
                lane: context,
                gate: gate,
                logger: logger,
                findingBuffer: findingBuffer,
                commands: commands,
                searchPool: searches,
                resolve: resolve,
                now: now,
                seed: seed &+ UInt64(context.number)
            )
            return Lane(gate: gate, loop: .makeBoxSendingValue(loop, eventLoop: gate.loop), thread: thread)
        }
    }

    /// The loops of a group, starting with the group's next one: several engines on one group have different first
    /// loops.
    private static func loops(of group: any EventLoopGroup) -> [any EventLoop] {
        let loops = Array(group.makeIterator())
        let next = group.next()
        let start = loops.firstIndex { $0 === next } ?? 0
        return Array(loops[start...] + loops[..<start])
    }

    /// The loop with this number of those given, or else a new one with its own thread.
    private static func eventLoop(
        _ number: Int,
        of loops: [any EventLoop]
    ) -> (any EventLoop, MultiThreadedEventLoopGroup?) {
        guard loops.isEmpty else { return (loops[number % loops.count], nil) }
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return (thread.next(), thread)
    }

    /// The findings, in batches. The findings of a target are in order. There is a single consumer.
    public var findings: Findings {
        Findings(buffer: findingBuffer)
    }

    /// Performs a request of the roster. Returns at once; requests are performed in the order of the calls.
    public func perform(_ request: ProbeRequest) {
        lanes.withLock { lanes in
            guard var open = lanes else { return }
            for number in numbers(for: request) where open[number] == nil { open[number] = makeLane(context(number)) }
            for lane in open.values { lane.gate.enter { lane.loop.value.perform(request) } }
            lanes = open
        }
    }

    /// Sets the longest delay of a routine finding: another reply of a target that replies. No recovery waits for it.
    /// With few targets, each reply would otherwise wake the consumer.
    ///
    /// - Parameter delay: the delay; 400 ms by default.
    public func setRoutineDelay(_ delay: Duration) {
        findingBuffer.setRoutineDelay(delay)
    }

    /// Reloads the files that targets name, before their next probes. Changed files of authorities are noticed anyway,
    /// but a new file may have the identity, size and time of the old one.
    public func rereadFiles() {
        lanes.withLock { lanes in
            for lane in (lanes ?? [:]).values { lane.gate.enter { lane.loop.value.environment.contexts.rereadFiles() } }
        }
    }

    /// Closes every socket, ends every command, and finishes ``findings``. Later requests are ignored.
    public func shutdown() async {
        let last = lanes.withLock { lanes in
            defer { lanes = nil }
            return lanes?.values.map(\.self)
        }
        guard let last else { return }
        await withTaskGroup(of: Void.self) { group in
            for lane in last { group.addTask { await lane.close() } }
        }
        findingBuffer.finish()
        searches.close()
        await commands.close()
        // An error of a loop that does not shut down is ignored: there is no remedy.
        for lane in last { try? await lane.thread?.shutdownGracefully() }
    }

    /// The lanes that a request needs. The first one is always needed: it listens for changes of links.
    private func numbers(for request: ProbeRequest) -> Set<Int> {
        guard case .watch(let assignments) = request else { return [] }
        return assignments.reduce(into: [0]) { $0.insert(laneAssignment.lane(of: $1)) }
    }

    private func context(_ number: Int) -> LaneContext {
        LaneContext(number: number, assignment: laneAssignment, stalls: stalls) { [weak self] event in
            self?.relay(event, from: number)
        }
    }

    /// Forwards what a lane has noticed of this machine's network: from the first lane to all others, and from them to
    /// the first. An answering host is forwarded to all lanes.
    private func relay(_ event: LinkWatch.Event, from number: Int) {
        let isForAll = if case .answered = event { true } else { number == 0 }
        lanes.withLock { lanes in
            for (other, lane) in lanes ?? [:] where other != number && (isForAll || other == 0) {
                lane.gate.enter { lane.loop.value.receiveRelayed(event) }
            }
        }
    }
}

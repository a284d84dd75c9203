public import Logging
public import Monitoring
public import NIOCore
import NIOPosix
import Synchronization

/// Asks the network. Requests go in, batches of findings come out; between them are event loops, of which each owns its
/// sockets and all that is known of its probes under way.
public final class ProbeEngine: Sendable {
    /// An event loop, and what asks on it.
    private struct Lane: Sendable {
        let gate: LoopGate
        let loop: NIOLoopBoundBox<ProbeLoop>
        /// The thread that is this one's alone; nil where loops were given.
        let thread: MultiThreadedEventLoopGroup?

        /// Has it close everything, after what was asked of it before.
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

    private let division: Division
    /// The lanes that have had something to ask, by their numbers; nil after the end.
    private let lanes = Mutex<[Int: Lane]?>([:])
    private let stalls = StallLog()
    private let basket: FindingBasket
    private let commands: CommandPool
    private let searches: SearchPool
    private let makeLane: @Sendable (_ share: Share) -> Lane

    /// Starts an engine that asks nobody yet.
    ///
    /// - Parameters:
    ///   - now: the time since the start of the program, which findings carry. A clock that runs on while the machine
    ///     sleeps lets the engine notice that it slept.
    ///   - runCommand: what runs the commands of `exec:`, which are a fault without it.
    ///   - group: whose event loops to live on; loops of its own, with a thread each, as many as there are cores, unless
    ///     given.
    public convenience init(
        now: @escaping @Sendable () -> Duration,
        logger: Logger,
        runCommand: CommandRunner? = nil,
        group: (any EventLoopGroup)? = nil
    ) {
        self.init(now: now, logger: logger, runCommand: runCommand, group: group, resolve: Resolution.system)
    }

    /// An engine that resolves names by `resolve`, which may block.
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
        division = Division(cores: group == nil ? System.coreCount : loops.count)
        let basket = FindingBasket(capacity: capacity)
        let commands = CommandPool(run: runCommand)
        let searches = SearchPool()
        (self.basket, self.commands, self.searches) = (basket, commands, searches)
        makeLane = { share in
            let (eventLoop, thread) = Self.eventLoop(share.number, of: loops)
            let gate = LoopGate(eventLoop)
            let loop = ProbeLoop(
                share: share,
                gate: gate,
                logger: logger,
                basket: basket,
                commands: commands,
                searchPool: searches,
                resolve: resolve,
                now: now,
                seed: seed &+ UInt64(share.number)
            )
            return Lane(gate: gate, loop: .makeBoxSendingValue(loop, eventLoop: gate.loop), thread: thread)
        }
    }

    /// The loops of a group, beginning with another one each time: whoever else has it is not to have the same first one.
    private static func loops(of group: any EventLoopGroup) -> [any EventLoop] {
        let loops = Array(group.makeIterator())
        let next = group.next()
        let start = loops.firstIndex { $0 === next } ?? 0
        return Array(loops[start...] + loops[..<start])
    }

    /// The loop of this number, or else one of its own with its thread.
    private static func eventLoop(
        _ number: Int,
        of loops: [any EventLoop]
    ) -> (any EventLoop, MultiThreadedEventLoopGroup?) {
        guard loops.isEmpty else { return (loops[number % loops.count], nil) }
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return (thread.next(), thread)
    }

    /// What was found, in batches; what is found of one target is in order. There is one consumer.
    public var findings: Findings {
        Findings(basket: basket)
    }

    /// Does what the roster asks for, soon and in the order of the calls; returns at once.
    public func perform(_ request: ProbeRequest) {
        lanes.withLock { lanes in
            guard var open = lanes else { return }
            for number in numbers(for: request) where open[number] == nil { open[number] = makeLane(share(number)) }
            for lane in open.values { lane.gate.enter { lane.loop.value.perform(request) } }
            lanes = open
        }
    }

    /// Reads the files again that targets name, before their next probes. The files of authorities are looked at anyway, but a
    /// new one may have identity, size and time of an old one.
    public func rereadFiles() {
        lanes.withLock { lanes in
            for lane in (lanes ?? [:]).values { lane.gate.enter { lane.loop.value.tls.rereadFiles() } }
        }
    }

    /// Closes every socket, ends every command, and ends ``findings``. Requests that come later are ignored.
    public func shutdown() async {
        let last = lanes.withLock { lanes in
            defer { lanes = nil }
            return lanes?.values.map(\.self)
        }
        guard let last else { return }
        await withTaskGroup(of: Void.self) { group in
            for lane in last { group.addTask { await lane.close() } }
        }
        basket.close()
        searches.close()
        await commands.close()
        // Nothing can be done about a loop that does not end.
        for lane in last { try? await lane.thread?.shutdownGracefully() }
    }

    /// The lanes that something is needed of. The first one is needed by all: it listens for news of links.
    private func numbers(for request: ProbeRequest) -> Set<Int> {
        guard case .watch(let assignments) = request else { return [] }
        return assignments.reduce(into: [0]) { $0.insert(division.lane(of: $1)) }
    }

    private func share(_ number: Int) -> Share {
        Share(number: number, division: division, stalls: stalls) { [weak self] word in
            self?.relay(word, from: number)
        }
    }

    /// Passes on what one lane has noticed of this machine's network: the first tells all others, and they tell the first.
    /// That a host answers is passed on to all.
    private func relay(_ word: LinkWatch.Word, from number: Int) {
        let isForAll = if case .answered = word { true } else { number == 0 }
        lanes.withLock { lanes in
            for (other, lane) in lanes ?? [:] where other != number && (isForAll || other == 0) {
                lane.gate.enter { lane.loop.value.learn(word) }
            }
        }
    }
}

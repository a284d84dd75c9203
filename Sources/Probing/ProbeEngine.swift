public import Logging
public import Monitoring
public import NIOCore
import NIOPosix

/// Asks the network. Requests go in, batches of findings come out; between them is one event loop that owns every
/// socket and all that is known of the probes under way.
public final class ProbeEngine: Sendable {
    /// The thread that is the engine's alone; nil where it was given a loop.
    private let thread: MultiThreadedEventLoopGroup?
    private let gate: LoopGate
    private let loop: NIOLoopBoundBox<ProbeLoop>
    private let basket: FindingBasket
    private let commands: CommandDesk

    /// Starts an engine that asks nobody yet.
    ///
    /// - Parameters:
    ///   - now: the time since the start of the program, which findings carry. A clock that runs on while the machine
    ///     sleeps lets the engine notice that it slept.
    ///   - runCommand: what runs the commands of `exec:`, which are a fault without it.
    ///   - loop: the event loop to live on; one of its own, with a thread, unless given.
    public convenience init(
        now: @escaping @Sendable () -> Duration,
        logger: Logger,
        runCommand: CommandRunner? = nil,
        loop: (any EventLoop)? = nil
    ) {
        self.init(now: now, logger: logger, runCommand: runCommand, loop: loop, resolve: Resolution.system)
    }

    /// An engine that resolves names by `resolve`, which may block.
    init(
        now: @escaping @Sendable () -> Duration,
        logger: Logger,
        seed: UInt64 = .random(in: .min ... .max),
        capacity: Int = 100_000,
        runCommand: CommandRunner? = nil,
        loop given: (any EventLoop)? = nil,
        resolve: @escaping @Sendable (NameQuery) -> Resolution
    ) {
        if let given {
            thread = nil
            gate = LoopGate(given)
        } else {
            let own = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            thread = own
            gate = LoopGate(own.next())
        }
        basket = FindingBasket(capacity: capacity)
        commands = CommandDesk(run: runCommand)
        let (gate, basket, commands) = (gate, basket, commands)
        loop = .makeBoxSendingValue(
            ProbeLoop(
                gate: gate,
                logger: logger,
                basket: basket,
                commands: commands,
                resolve: resolve,
                now: now,
                seed: seed
            ),
            eventLoop: gate.loop
        )
    }

    /// What was found, in batches. There is one consumer.
    public var findings: Findings {
        Findings(basket: basket)
    }

    /// Does what the roster asks for, soon and in the order of the calls; returns at once.
    public func perform(_ request: ProbeRequest) {
        gate.enter { [loop] in loop.value.perform(request) }
    }

    /// Closes every socket, ends every command, and ends ``findings``. Requests that come later are ignored.
    public func shutdown() async {
        let isFirst = await withCheckedContinuation { continuation in
            let isFirst = gate.close { [loop] in
                loop.value.close()
                continuation.resume(returning: true)
            }
            if !isFirst { continuation.resume(returning: false) }
        }
        guard isFirst else { return }
        await commands.close()
        // Nothing can be done about a loop that does not end.
        try? await thread?.shutdownGracefully()
    }
}

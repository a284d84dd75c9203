import Monitoring
import NIOCore
import NIOPosix

/// Looks names up, off the event loop, and holds the probes that wait for one. Confined to its event loop.
///
/// SwiftNIO's own resolver asks for one name after the other: one dead server would hold up every connection behind it.
final class NameDesk {
    /// How many names an engine looks up at the same time.
    static let places = 16
    /// How many threads an engine has for that at the most: each lookup that hangs holds one.
    static let threads = 256

    /// What becomes of a probe that was brought here.
    enum Word {
        /// Its target's address is known.
        case resolved(Probe)
        /// Its target has these addresses, two or more, in the order of preference.
        case found(Probe, [IPAddress])
        /// It has ended without one.
        case ended(Probe, Outcome)
        /// A name has other addresses than before.
        case moved(NameQuery, AddressBook.Change)
    }

    private struct Waiting {
        let probe: Probe
        let name: NameQuery
    }

    private let gate: LoopGate
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private let tell: (Word) -> Void
    private var book = AddressBook()
    private var lookups: LookupQueue
    /// Threads of one each, made when they are needed.
    private var threads: [NIOThreadPool] = []
    private var idleThreads: [NIOThreadPool] = []
    private var waiting = InFlight<Waiting>()
    private var tickets: [NameQuery: [InFlight<Waiting>.Ticket]] = [:]

    /// - Parameters:
    ///   - lanes: how many desks an engine has.
    ///   - descriptors: how many this process may have open: few, and lookups that hang must not hold them.
    init(
        gate: LoopGate,
        lanes: Int = 1,
        descriptors: DescriptorLimit = .current,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration,
        tell: @escaping (Word) -> Void
    ) {
        self.gate = gate
        let areFew = descriptors.soft < 16 * UInt(Self.threads)
        let places = max(1, Self.places / lanes)
        lookups = LookupQueue(places: places, most: areFew ? places : max(places, Self.threads / lanes))
        self.resolve = resolve
        self.time = time
        self.tell = tell
    }

    /// When ``expire(at:)`` has something to do.
    var nextDeadline: Duration? {
        [waiting.nextDeadline, lookups.nextDeadline].compactMap(\.self).min()
    }

    /// Finds the address of a probe whose target has this name, now or when it is resolved.
    func bring(_ probe: Probe, of name: NameQuery) {
        let now = time()
        let (answer, startsLookup) = book.ask(name, at: now)
        if startsLookup {
            lookups.add(name)
            startLookups(at: now)
        }
        switch answer {
        case .address(let address):
            var probe = probe
            probe.address = address
            tell(.resolved(probe))
        case .addresses(let addresses):
            tell(.found(probe, addresses))
        case .failure(let failure):
            tell(.ended(probe, .failure(failure)))
        case .fault(let fault):
            tell(.ended(probe, .fault(fault)))
        case .awaited:
            let ticket = waiting.add(Waiting(probe: probe, name: name), deadline: now + probe.timeout)
            tickets[name, default: []].append(ticket)
        }
    }

    /// Ends the probes whose name was not resolved in time, and looks up what waits behind lookups that hang.
    func expire(at time: Duration) {
        startLookups(at: time)
        for (ticket, item) in waiting.expire(at: time) {
            tickets[item.name]?.removeAll { $0 == ticket }
            tell(.ended(item.probe, .failure(.awaitingResolver(of: item.name.host))))
        }
    }

    /// Ends all waiting probes; nothing is said of them.
    func void() {
        _ = waiting.removeAll()
        tickets = [:]
    }

    /// Whether probes wait for this name.
    func isAwaited(_ name: NameQuery) -> Bool {
        tickets[name]?.isEmpty == false
    }

    /// A probe of this name failed: perhaps it has moved.
    func doubt(_ name: NameQuery) {
        book.doubt(name)
    }

    /// The network is another: each name is looked up again when it is asked for next.
    func doubtAll() {
        book.doubtAll(at: time())
    }

    /// Nobody asks for this name any more.
    func forget(_ name: NameQuery) {
        book.forget(name)
        lookups.forget(name)
    }

    /// Lets the threads go. One that hangs in a lookup is not waited for: it would hold up the program's end.
    func close() {
        for thread in threads { thread.shutdownGracefully { _ in } }
    }

    private func startLookups(at now: Duration) {
        for name in lookups.start(at: now) { lookUp(name, on: idleThreads.popLast() ?? newThread()) }
    }

    private func newThread() -> NIOThreadPool {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        threads.append(thread)
        return thread
    }

    private func lookUp(_ name: NameQuery, on thread: NIOThreadPool) {
        let (gate, resolve) = (gate, resolve)
        let desk = NIOLoopBound(self, eventLoop: gate.loop)
        thread.submit { state in
            guard case .active = state else { return }
            let resolution = resolve(name).only(name)
            gate.enter {
                desk.value.idleThreads.append(thread)
                desk.value.record(resolution, of: name)
            }
        }
    }

    private func record(_ resolution: Resolution, of name: NameQuery) {
        let now = time()
        lookups.end(name, at: now)
        startLookups(at: now)
        let change = book.record(resolution, of: name, at: now)
        if let change { tell(.moved(name, change)) }
        for ticket in tickets.removeValue(forKey: name) ?? [] {
            if let item = waiting.remove(ticket) { bring(item.probe, of: name) }
        }
    }
}

import Monitoring
import NIOCore
import NIOPosix

/// Looks names up, off the event loop, and holds the probes that wait for one. Confined to its event loop.
///
/// SwiftNIO's own resolver asks for one name after the other: one dead server would hold up every connection behind it.
final class NameDesk {
    /// How many names are looked up at the same time.
    static let threads = 16

    /// What becomes of a probe that was brought here.
    enum Word {
        /// Its target's address is known.
        case resolved(Probe)
        /// It has ended without one.
        case ended(Probe, Outcome)
        /// A name stands for another address than before.
        case moved(NameQuery, AddressBook.Change)
    }

    private struct Waiting {
        let probe: Probe
        let name: NameQuery
    }

    private let gate: LoopGate
    private let pool = NIOThreadPool(numberOfThreads: NameDesk.threads)
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private let tell: (Word) -> Void
    private var book = AddressBook()
    private var waiting = InFlight<Waiting>()
    private var tickets: [NameQuery: [InFlight<Waiting>.Ticket]] = [:]
    private var isRunning = false

    init(
        gate: LoopGate,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration,
        tell: @escaping (Word) -> Void
    ) {
        self.gate = gate
        self.resolve = resolve
        self.time = time
        self.tell = tell
    }

    /// The first deadline of a probe that waits for its name.
    var nextDeadline: Duration? { waiting.nextDeadline }

    /// Finds the address of a probe whose target has this name, now or when it is resolved.
    func bring(_ probe: Probe, of name: NameQuery) {
        let now = time()
        let (answer, startsLookup) = book.ask(name, at: now)
        if startsLookup { lookUp(name) }
        switch answer {
        case .address(let address):
            var probe = probe
            probe.address = address
            tell(.resolved(probe))
        case .failure(let failure):
            tell(.ended(probe, .failure(failure)))
        case .fault(let fault):
            tell(.ended(probe, .fault(fault)))
        case .awaited:
            let ticket = waiting.add(Waiting(probe: probe, name: name), deadline: now + probe.timeout)
            tickets[name, default: []].append(ticket)
        }
    }

    /// Ends the probes whose name was not resolved in time.
    func expire(at time: Duration) {
        for (ticket, item) in waiting.expire(at: time) {
            tickets[item.name]?.removeAll { $0 == ticket }
            let detail = "the resolver does not answer for \(item.name.host)"
            tell(.ended(item.probe, .failure(Failure(.resolverFailed, detail: detail))))
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
    }

    /// Lets the threads go. One that hangs in a lookup is not waited for: it would hold up the program's end.
    func close() {
        pool.shutdownGracefully { _ in }
    }

    private func lookUp(_ name: NameQuery) {
        if !isRunning {
            pool.start()
            isRunning = true
        }
        let (gate, resolve) = (gate, resolve)
        let desk = NIOLoopBound(self, eventLoop: gate.loop)
        pool.submit { state in
            guard case .active = state else { return }
            let resolution = resolve(name).only(name)
            gate.enter { desk.value.record(resolution, of: name) }
        }
    }

    private func record(_ resolution: Resolution, of name: NameQuery) {
        let change = book.record(resolution, of: name, at: time())
        if let change { tell(.moved(name, change)) }
        for ticket in tickets.removeValue(forKey: name) ?? [] {
            if let item = waiting.remove(ticket) { bring(item.probe, of: name) }
        }
    }
}

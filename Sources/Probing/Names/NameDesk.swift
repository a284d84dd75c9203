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
        case moved(String, AddressBook.Change)
    }

    private let gate: LoopGate
    private let pool = NIOThreadPool(numberOfThreads: NameDesk.threads)
    private let resolve: @Sendable (String) -> Resolution
    private let time: () -> Duration
    private let tell: (Word) -> Void
    private var book = AddressBook()
    private var waiting = InFlight<Probe>()
    private var tickets: [String: [InFlight<Probe>.Ticket]] = [:]
    private var isRunning = false

    init(
        gate: LoopGate,
        resolve: @escaping @Sendable (String) -> Resolution,
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

    /// Finds the address of a probe, now or when its name is resolved.
    func bring(_ probe: Probe) {
        guard let host = probe.question.host else { return tell(.resolved(probe)) }
        let now = time()
        let (answer, startsLookup) = book.ask(host, at: now)
        if startsLookup { lookUp(host) }
        switch answer {
        case .address(let address):
            var probe = probe
            probe.address = address
            tell(.resolved(probe))
        case .failure(let failure):
            tell(.ended(probe, .failure(failure)))
        case .awaited:
            tickets[host, default: []].append(waiting.add(probe, deadline: now + probe.timeout))
        }
    }

    /// Ends the probes whose name was not resolved in time.
    func expire(at time: Duration) {
        for (ticket, probe) in waiting.expire(at: time) {
            let host = probe.question.host ?? ""
            tickets[host]?.removeAll { $0 == ticket }
            let detail = "the resolver does not answer for \(host)"
            tell(.ended(probe, .failure(Failure(.resolverFailed, detail: detail))))
        }
    }

    /// Ends all waiting probes; nothing is said of them.
    func void() {
        _ = waiting.removeAll()
        tickets = [:]
    }

    /// Whether probes wait for this name.
    func isAwaited(_ host: String) -> Bool {
        tickets[host]?.isEmpty == false
    }

    /// A probe of this name failed: perhaps it has moved.
    func doubt(_ host: String) {
        book.doubt(host)
    }

    /// The network is another: each name is looked up again when it is asked for next.
    func doubtAll() {
        book.doubtAll(at: time())
    }

    /// Nobody asks for this name any more.
    func forget(_ host: String) {
        book.forget(host)
    }

    /// Lets the threads go. One that hangs in a lookup is not waited for: it would hold up the program's end.
    func close() {
        pool.shutdownGracefully { _ in }
    }

    private func lookUp(_ host: String) {
        if !isRunning {
            pool.start()
            isRunning = true
        }
        let (gate, resolve) = (gate, resolve)
        let desk = NIOLoopBound(self, eventLoop: gate.loop)
        pool.submit { state in
            guard case .active = state else { return }
            let resolution = resolve(host)
            gate.enter { desk.value.record(resolution, of: host) }
        }
    }

    private func record(_ resolution: Resolution, of host: String) {
        let change = book.record(resolution, of: host, at: time())
        if let change { tell(.moved(host, change)) }
        for ticket in tickets.removeValue(forKey: host) ?? [] {
            if let probe = waiting.remove(ticket) { bring(probe) }
        }
    }
}

import Monitoring
import NIOCore

/// Looks names up, off the event loop, and holds the probes that wait for one. Confined to its event loop.
///
/// SwiftNIO's own resolver asks for one name after the other: one dead server would hold up every connection behind it.
final class NameDesk {
    /// How many names an engine looks up at the same time.
    static let places = 48
    /// How many threads a desk has for that at the most: each lookup that hangs holds one, with a small stack. Few cores
    /// leave one desk with all names.
    static let threads = 1_280
    /// How many descriptors there must be for each lookup; with fewer, fewer names are looked up at the same time.
    private static let descriptorsPerLookup: UInt = 16

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
    private let time: () -> Duration
    private let tell: (Word) -> Void
    private var book = AddressBook()
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let queue: LookupQueue
    private lazy var lookups = LookupPool(
        gate: gate,
        queue: queue,
        resolve: resolve,
        time: time,
        ended: { [weak self] name, resolution in
            if let resolution { self?.record(resolution, of: name) }
        }
    )
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
        let places = max(1, min(Self.places, Int(clamping: descriptors.soft / Self.descriptorsPerLookup)) / lanes)
        let threads = min(Self.threads, Int(clamping: descriptors.soft / Self.descriptorsPerLookup))
        queue = LookupQueue(places: places, most: max(places, threads))
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
            lookups.add(name, at: now)
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

    /// What a name is known to stand for, without waiting; where that is old, the name is looked up again.
    func addresses(of name: NameQuery) -> [IPAddress] {
        let now = time()
        let (answer, startsLookup) = book.ask(name, at: now)
        if startsLookup { lookups.add(name, at: now) }
        return answer.addresses
    }

    /// What a name is known to stand for; none where that is not known.
    func known(of name: NameQuery) -> [IPAddress] {
        book.known(of: name)
    }

    /// Ends the probes whose name was not resolved in time, and looks up what waits behind lookups that hang.
    func expire(at time: Duration) {
        lookups.start(at: time)
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
    ///
    /// - Parameter isDown: whether the target was down before.
    func doubt(_ name: NameQuery, isDown: Bool) {
        book.doubt(name, isDown: isDown)
    }

    /// The network is another: each name is looked up again when it is asked for next.
    func doubtAll() {
        book.doubtAll(at: time())
    }

    /// Links have changed: a name of a link-local address is looked up again when it is asked for next.
    func doubtZones() {
        book.doubtZones(at: time())
    }

    /// Nobody asks for this name any more.
    func forget(_ name: NameQuery) {
        book.forget(name)
        lookups.forget(name)
    }

    /// Lets the threads go. One that hangs in a lookup is not waited for: it would hold up the program's end.
    func close() {
        lookups.close()
    }

    private func record(_ resolution: Resolution, of name: NameQuery) {
        let now = time()
        let change = book.record(resolution, of: name, at: now)
        if let change { tell(.moved(name, change)) }
        for ticket in tickets.removeValue(forKey: name) ?? [] {
            if let item = waiting.remove(ticket) { bring(item.probe, of: name) }
        }
    }
}

import NIOCore
import ReachMonitoring

/// A type that probes targets by one method. Confined to its event loop. It reports the end of each probe once, and
/// never after ``discardInFlight(at:)``.
protocol MethodProber: AnyObject {
    /// The earliest deadline of a probe in flight.
    var nextDeadline: Duration? { get }

    /// Sends a probe. Its address is known.
    func send(_ probe: Probe)
    /// Sends a probe of a name with several addresses, of which `probe.address` is the first. A prober that connects
    /// races them; the probe ends with the address that its outcome came from.
    func send(_ probe: Probe, trying addresses: [IPAddress])
    /// Ends the probes whose deadline has passed.
    func expire(at time: Duration)
    /// Reads the replies that have arrived and are not yet processed.
    ///
    /// - Parameter isPolled: whether the caller polls so often that arriving replies need not wake the loop.
    func listen(isPolled: Bool)
    /// Discards all probes in flight, without a report.
    func discardInFlight(at time: Duration)
    /// Closes the sockets that no probe of these questions needs.
    func closeUnneeded(for questions: [Question])
    /// Closes the connections of this target and discards its probes in flight, without a report.
    func forget(_ target: Target.ID)
    /// Adapts to changed links, addresses or routes of this machine; `network` is the new state.
    func adapt(to network: LocalNetwork, at time: Duration)
    /// Starts a waiting attempt at once: the host of this target may be back.
    func retry(_ target: Target.ID, at time: Duration)
    /// The address that the next probe of this target goes to, independent of its name; nil where the name decides.
    func peer(of target: Target.ID) -> IPAddress?
}

extension MethodProber {
    /// Sends the probe to its first address.
    func send(_ probe: Probe, trying addresses: [IPAddress]) { send(probe) }
    /// Does nothing: most probers process replies as they arrive.
    func listen(isPolled: Bool) {}
    /// Does nothing: most probers keep no socket between two probes.
    func closeUnneeded(for questions: [Question]) {}
    /// Does nothing: most probers hold no connection between two probes.
    func forget(_ target: Target.ID) {}
    /// Does nothing: most probers notice changes with their next probe.
    func adapt(to network: LocalNetwork, at time: Duration) {}
    /// Does nothing: most probers have no waiting attempt between two probes.
    func retry(_ target: Target.ID, at time: Duration) {}
    /// Returns nil: most probers have no peer between two probes.
    func peer(of target: Target.ID) -> IPAddress? { nil }
}

/// The parts that the probers of one event loop share. Confined to it.
final class ProberEnvironment {
    let gate: LoopGate
    let contexts: TLSContexts
    let searches: PatternSearcher
    let redirects: RedirectResolver
    /// Returns the fault that prevents a further connection for lack of descriptors; nil if there are enough.
    let shortage: () -> Fault?
    /// Returns the time since the start of the program.
    let time: () -> Duration
    /// Receives the events of the probers.
    let report: (ProberEvent) -> Void

    var loop: any EventLoop { gate.loop }

    /// - Parameters:
    ///   - resolve: looks up the hosts of redirects.
    ///   - targetCount: returns the number of targets, for the size of caches.
    init(
        gate: LoopGate,
        searchPool: PatternSearchPool = PatternSearchPool(),
        resolve: @escaping @Sendable (NameQuery) -> Resolution = Resolution.system,
        targetCount: @escaping () -> Int = { 0 },
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.gate = gate
        contexts = TLSContexts(gate: gate, wallTime: TLSContexts.systemTime)
        searches = PatternSearcher(gate: gate, pool: searchPool)
        redirects = RedirectResolver(gate: gate, targets: targetCount, resolve: resolve, time: time)
        self.shortage = shortage
        self.time = time
        self.report = report
    }
}

/// A prober that connects to the first of several addresses that accepts.
protocol RacingProber: MethodProber {}

extension RacingProber {
    /// Sends the probe to its only address.
    func send(_ probe: Probe) {
        if let address = probe.address { send(probe, trying: [address]) }
    }
}

/// A probe in flight and its sockets, which no other code than its prober knows.
protocol ProbeAttempt {
    /// The probe, with the address that was tried last.
    var probe: Probe { get }
    /// The outcome if the deadline passes now.
    var outcomeAtTimeout: Outcome { get }
    /// The pattern of the running search in the answer; nil if there is none.
    var searchedPattern: String? { get }

    /// Closes the sockets at once.
    func close()
}

extension ProbeAttempt {
    /// Nil: most answers are not searched.
    var searchedPattern: String? { nil }
}

/// A prober whose probes are attempts that end alike: with an outcome, at the deadline, or discarded.
protocol AttemptProber: MethodProber {
    associatedtype Attempt: ProbeAttempt

    var environment: ProberEnvironment { get }
    var attempts: InFlight<Attempt> { get set }
}

extension AttemptProber {
    var nextDeadline: Duration? { attempts.nextDeadline }

    func expire(at time: Duration) { expireAttempts(at: time) }

    func discardInFlight(at time: Duration) { discardAttempts() }

    /// Ends the attempts whose deadline has passed.
    func expireAttempts(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            // A search that outlasts the timeout is a fault of the pattern, not a loss of the target.
            let fault = attempt.searchedPattern.flatMap(environment.searches.fault)
            report(fault.map { .fault($0) } ?? attempt.outcomeAtTimeout, of: attempt)
        }
    }

    /// Closes all attempts, without a report.
    func discardAttempts() {
        for attempt in attempts.removeAll() { attempt.close() }
    }

    /// Ends an attempt, unless it has ended. Later events of its sockets are ignored.
    func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        if let attempt = attempts.remove(ticket) { report(outcome, of: attempt) }
    }

    private func report(_ outcome: Outcome, of attempt: Attempt) {
        attempt.close()
        environment.report(.ended(attempt.probe, outcome))
    }
}

/// Inside this module, a fault is thrown to end an attempt; it leaves the module as an outcome.
extension Fault: Error {}

/// Inside this module, a failure can be thrown to end an attempt; it leaves the module as an outcome.
extension Failure: Error {}

/// A collection of operations in flight, each with a deadline.
struct InFlight<Item> {
    /// The identity of an item until it ends.
    typealias Ticket = Int

    private var items: [Ticket: Item] = [:]
    private var deadlines = CalendarQueue<Ticket>()
    private var tickets = 0

    /// The earliest deadline; nil while nothing is in flight.
    var nextDeadline: Duration? {
        deadlines.next
    }

    mutating func add(_ item: Item, deadline: Duration) -> Ticket {
        tickets += 1
        items[tickets] = item
        deadlines.add(tickets, at: deadline)
        return tickets
    }

    /// An item that is still in flight; nil otherwise.
    subscript(ticket: Ticket) -> Item? { items[ticket] }

    /// Removes and returns an item; nil if it has ended before.
    mutating func remove(_ ticket: Ticket) -> Item? {
        defer { deadlines.discard { items[$0] == nil } }
        return items.removeValue(forKey: ticket)
    }

    /// Removes and returns the items whose deadline has passed.
    mutating func expire(at time: Duration) -> [(ticket: Ticket, item: Item)] {
        var expired: [(ticket: Ticket, item: Item)] = []
        while let ticket = deadlines.take(at: time) {
            if let item = items.removeValue(forKey: ticket) { expired.append((ticket, item)) }
        }
        deadlines.discard { items[$0] == nil }
        return expired
    }

    /// Removes and returns all items, the oldest first.
    mutating func removeAll() -> [Item] {
        defer {
            items = [:]
            deadlines = CalendarQueue()
        }
        return items.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// A stopwatch for the consecutive phases of a round trip. Phases that recur, as with redirects, add up. Confined to an
/// event loop.
final class Stopwatch {
    /// The durations of the phases that have ended.
    var durations: [Phase: Duration] = [:]
    private var last: Duration

    /// Starts the first phase.
    init(at time: Duration) {
        last = time
    }

    /// Starts when the probe was made, and ends the phase `resolve` now unless the host is an address.
    convenience init(of probe: Probe, to host: String, at time: Duration) {
        self.init(at: probe.made)
        if IPAddress(literal: host) == nil { end(.resolve, at: time) }
    }

    /// Starts the next phase at `time`; the pause before it does not count.
    func resume(at time: Duration) {
        last = time
    }

    /// Ends a phase and starts the next one.
    func end(_ phase: Phase, at time: Duration) {
        durations[phase, default: .zero] += time - last
        last = time
    }

    /// The durations of the phases, in order.
    var phases: [Reply.PhaseTime] {
        Phase.allCases.compactMap { phase in durations[phase].map { Reply.PhaseTime(phase, $0) } }
    }

    /// The sum of all phases except `resolve`: the target has no share in the name lookup.
    var roundTrip: Duration {
        durations.reduce(.zero) { $1.key == .resolve ? $0 : $0 + $1.value }
    }
}

extension Question {
    /// Whether the kernel stamps the arrival of the reply, or there is no round trip. Such a reply need not be read at
    /// once.
    var isTimedByKernel: Bool {
        switch self {
        case .icmp, .link, .route:
            return true
        case .tcp(_, _, let options):
            #if os(Linux)
            return options == TCPOptions()
            #else
            return false
            #endif
        case .dns(let question) where question.transport == .udp:
            #if os(Linux)
            return true
            #else
            return false
            #endif
        case .session, .tls, .http, .dns, .udp, .database, .exec, .fleet:
            return false
        }
    }
}

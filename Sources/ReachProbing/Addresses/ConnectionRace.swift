import NIOCore
import ReachMonitoring

/// The schedule of the connection attempts of one probe to the addresses of a name (RFC 8305 §5).
///
/// The first attempt starts at once. The next one starts after a delay, or as soon as an attempt fails. Attempts in
/// flight continue; the first connection wins. With a repetition, all addresses are tried again while earlier attempts
/// continue. A peer that comes back is thus found before the kernel sends its next request.
struct ConnectionRace: Sendable {
    /// The delay between two attempts (RFC 8305 §8). It is shorter if the timeout is short for the number of addresses,
    /// so that each of them is tried before the deadline.
    static let attemptDelay = Duration.milliseconds(250)

    /// All addresses, in the order of preference.
    let addresses: [IPAddress]
    private let delay: Duration
    private let repetition: Duration?
    /// When the first address was last tried.
    private var roundStart: Duration
    private var waiting: ArraySlice<IPAddress>
    private var running: [IPAddress] = []
    private var failures: [IPAddress: Outcome] = [:]
    /// When ``next(at:)`` returns the next address; nil if no attempt is scheduled.
    private(set) var nextAttempt: Duration?

    /// - Parameters:
    ///   - addresses: the addresses in the order of preference; not empty.
    ///   - deadline: when the probe is lost.
    ///   - repetition: the time after which all addresses are tried again; nil if they are tried once.
    init(_ addresses: [IPAddress], from now: Duration, until deadline: Duration, repetition: Duration? = nil) {
        self.addresses = addresses
        self.repetition = repetition
        roundStart = now
        waiting = addresses[...]
        delay = max(.zero, min(Self.attemptDelay, (deadline - now) / max(1, addresses.count)))
        nextAttempt = addresses.isEmpty ? nil : now
    }

    /// Whether every address was tried and no attempt is in flight.
    var isOver: Bool { waiting.isEmpty && running.isEmpty }

    /// Whether several attempts are in flight.
    var hasOtherAttempts: Bool { running.count > 1 }

    /// The address to connect to now; nil if none is due.
    mutating func next(at now: Duration) -> IPAddress? {
        guard let due = nextAttempt, due <= now else { return nil }
        if waiting.isEmpty {
            waiting = addresses[...]
            roundStart = now
        }
        guard let address = waiting.popFirst() else { return nil }
        running.append(address)
        nextAttempt = waiting.isEmpty ? repetition.map { max(now + delay, roundStart + $0) } : now + delay
        return address
    }

    /// Whether an attempt to this address is in flight.
    func isRunning(_ address: IPAddress) -> Bool { running.contains(address) }

    /// Records the failure of the attempts to an address. The next address is due at once.
    mutating func fail(_ address: IPAddress, with outcome: Outcome, at now: Duration) {
        guard isRunning(address) else { return }
        running.removeAll { $0 == address }
        failures[address] = outcome
        if !waiting.isEmpty { nextAttempt = now }
    }

    /// Schedules an attempt again that got no descriptor. Another attempt holds one, and will release it.
    mutating func postpone(_ address: IPAddress, at now: Duration) {
        guard let index = running.firstIndex(of: address) else { return }
        running.remove(at: index)
        waiting = [address] + waiting
        nextAttempt = now + max(delay, .milliseconds(10))
    }

    /// The outcome of the probe without a connection: the most informative one (``Outcome/evidence``). Among equal ones,
    /// the preferred address decides. An attempt in flight counts as a timeout.
    var outcome: (outcome: Outcome, address: IPAddress) {
        var best: (outcome: Outcome, address: IPAddress) = (failures[addresses[0]] ?? .timeout, addresses[0])
        for address in addresses.dropFirst() {
            let outcome = failures[address] ?? .timeout
            if outcome.evidence > best.outcome.evidence { best = (outcome, address) }
        }
        return best
    }
}

/// The attempts of a ``ConnectionRace``, which are started when they are due. Confined to their event loop.
protocol RacingAttempts: AnyObject {
    var environment: ProberEnvironment { get }
    var race: ConnectionRace { get set }
    /// The timer for the next attempt.
    var timer: Scheduled<Void>? { get set }
    var isStarting: Bool { get set }
    /// Whether the race has ended. Then nothing is started or reported.
    var isOver: Bool { get set }

    /// Starts an attempt, whose failure is reported to ``fail(_:with:)``.
    func connect(to address: IPAddress) throws
    /// Closes the attempts in flight to an address; nil for those to all addresses.
    func closeAttempts(to address: IPAddress?)
    /// Reports that every attempt has failed, and the address that the outcome came from.
    func failed(_ outcome: Outcome, at address: IPAddress)
}

extension RacingAttempts {
    /// Starts the attempts that are due. An attempt that would take one of the last descriptors waits for another.
    func start() {
        // An attempt that fails at once is reported while this runs, and the next one is started here.
        guard !isStarting else { return }
        isStarting = true
        defer { isStarting = false }
        timer?.cancel()
        timer = nil
        while !isOver, let address = race.next(at: environment.time()) {
            if race.hasOtherAttempts, environment.shortage() != nil {
                race.postpone(address, at: environment.time())
                continue
            }
            do {
                try connect(to: address)
            } catch {
                fail(address, with: Outcome(error, to: address))
            }
        }
        guard !isOver, let next = race.nextAttempt else { return }
        timer = environment.gate.schedule(in: max(.zero, next - environment.time())) { [self] in start() }
    }

    /// Records the failure of an attempt, and starts the next one or ends the race.
    func fail(_ address: IPAddress, with outcome: Outcome) {
        guard !isOver, race.isRunning(address) else { return }
        if case .fault(let fault) = outcome, fault.isShortage, race.hasOtherAttempts {
            race.postpone(address, at: environment.time())
        } else {
            race.fail(address, with: outcome, at: environment.time())
            closeAttempts(to: address)
        }
        guard race.isOver else { return start() }
        cancel()
        let (outcome, address) = race.outcome
        failed(outcome, at: address)
    }

    /// Ends the race without a report, and closes the attempts in flight.
    func cancel() {
        isOver = true
        timer?.cancel()
        timer = nil
        closeAttempts(to: nil)
    }
}

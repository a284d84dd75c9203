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

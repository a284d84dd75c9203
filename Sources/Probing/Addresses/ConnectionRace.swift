import Monitoring

/// The connection attempts of one probe to the addresses of a name: which address is next, and when (RFC 8305 §5).
///
/// The first attempt starts at once. The next one starts after a delay, or as soon as an attempt fails. Attempts under way
/// go on; the first connection wins. With a repetition, all addresses are tried again beside the attempts under way, so
/// that a peer that comes back is found sooner than by the kernel's next request.
struct ConnectionRace: Sendable {
    /// The delay between two attempts (RFC 8305 §8). A short timeout with many addresses makes it shorter, so that each of
    /// them is tried before the deadline.
    static let attemptDelay = Duration.milliseconds(250)

    /// All addresses, in the order of preference.
    let addresses: [IPAddress]
    private let delay: Duration
    private let repetition: Duration?
    /// When the first address was tried last.
    private var roundStart: Duration
    private var waiting: ArraySlice<IPAddress>
    private var running: [IPAddress] = []
    private var failures: [IPAddress: Outcome] = [:]
    /// When ``next(at:)`` has an address; nil while none waits.
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

    /// Whether every address was tried, and none is under way.
    var isOver: Bool { waiting.isEmpty && running.isEmpty }

    /// Whether several attempts are under way.
    var hasCompany: Bool { running.count > 1 }

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

    /// Whether an attempt to this address is under way.
    func isRunning(_ address: IPAddress) -> Bool { running.contains(address) }

    /// Records the end of the attempts to an address without a connection. The next address is due at once.
    mutating func fail(_ address: IPAddress, with outcome: Outcome, at now: Duration) {
        guard isRunning(address) else { return }
        running.removeAll { $0 == address }
        failures[address] = outcome
        if !waiting.isEmpty { nextAttempt = now }
    }

    /// Puts an address back that could not be tried, for want of a descriptor: another attempt holds one, and frees it.
    mutating func postpone(_ address: IPAddress, at now: Duration) {
        guard let index = running.firstIndex(of: address) else { return }
        running.remove(at: index)
        waiting = [address] + waiting
        nextAttempt = now + max(delay, .milliseconds(10))
    }

    /// How the probe ends without a connection: by the most informative of the outcomes (``Outcome/evidence``), of equal
    /// ones by that of the preferred address. An attempt that has not ended has timed out.
    var outcome: (outcome: Outcome, address: IPAddress) {
        var best: (outcome: Outcome, address: IPAddress) = (failures[addresses[0]] ?? .timeout, addresses[0])
        for address in addresses.dropFirst() {
            let outcome = failures[address] ?? .timeout
            if outcome.evidence > best.outcome.evidence { best = (outcome, address) }
        }
        return best
    }
}

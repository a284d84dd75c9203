import Monitoring

/// The connection attempts of one probe to the addresses of a name: which address is next, and when (RFC 8305 §5).
///
/// The first attempt starts at once. The next one starts after a delay, or as soon as an attempt fails. Attempts under way
/// go on; the first connection wins.
struct ConnectionRace: Sendable {
    /// The delay between two attempts (RFC 8305 §8). A short timeout with many addresses makes it shorter, so that each of
    /// them is tried before the deadline.
    static let attemptDelay = Duration.milliseconds(250)

    /// All addresses, in the order of preference.
    let addresses: [IPAddress]
    private let delay: Duration
    private var waiting: ArraySlice<IPAddress>
    private var running: [IPAddress] = []
    private var failures: [IPAddress: Outcome] = [:]
    /// When ``next(at:)`` has an address; nil while none waits.
    private(set) var nextAttempt: Duration?

    /// - Parameters:
    ///   - addresses: the addresses in the order of preference; not empty.
    ///   - deadline: when the probe is lost.
    init(_ addresses: [IPAddress], from now: Duration, until deadline: Duration) {
        self.addresses = addresses
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
        guard let due = nextAttempt, due <= now, let address = waiting.popFirst() else { return nil }
        running.append(address)
        nextAttempt = waiting.isEmpty ? nil : now + delay
        return address
    }

    /// Records the end of an attempt without a connection. The next one is due at once.
    mutating func fail(_ address: IPAddress, with outcome: Outcome, at now: Duration) {
        guard let index = running.firstIndex(of: address) else { return }
        running.remove(at: index)
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

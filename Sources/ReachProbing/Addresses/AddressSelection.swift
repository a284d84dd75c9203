import ReachMonitoring

/// The choice among several addresses of a name for the probes of one target. Unused for a name with a single address.
/// Confined to its event loop.
///
/// The address that replied last is kept while it replies. Then:
/// * a probe that fails at once is sent again to the next address at once;
/// * after a probe that times out, the next probe goes to the next address;
/// * the loss that would take the target down waits until each address has lost a probe since the last reply.
final class AddressSelection {
    /// A probe that was sent more than once.
    private struct Retrial {
        /// When it was sent first.
        let start: Duration
        var tried: [IPAddress]
        /// The most informative outcome so far, and its address.
        var outcome: Outcome
        var address: IPAddress
    }

    /// The decision after the end of a probe.
    enum Verdict: Equatable {
        /// Send the probe again, to this address.
        case send(to: IPAddress)
        /// End the probe with this outcome at this address. It was first sent at `start`; nil if it was sent once.
        case end(Outcome, IPAddress, start: Duration?)
    }

    /// In the order of preference.
    private(set) var addresses: [IPAddress]
    /// The address for the next probe.
    private(set) var current: IPAddress
    /// The addresses that lost a probe since the last reply.
    private var lost: Set<IPAddress> = []
    /// The number of losses reported since the last reply.
    private var losses = 0
    private var retrials: [Int: Retrial] = [:]

    /// - Parameter addresses: in the order of preference; not empty.
    init(_ addresses: [IPAddress]) {
        self.addresses = addresses
        current = addresses[0]
    }

    /// The addresses, beginning with the one for the next probe.
    var order: [IPAddress] {
        addresses[0] == current ? addresses : [current] + addresses.filter { $0 != current }
    }

    /// Replaces the addresses. The current one stays in use if it is among them.
    func update(to addresses: [IPAddress]) {
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        lost.formIntersection(addresses)
        if !addresses.contains(current) { current = addresses.first { !lost.contains($0) } ?? addresses[0] }
    }

    /// Records a reply from an address.
    func replied(_ sequence: Int, from address: IPAddress) {
        retrials[sequence] = nil
        lost = []
        losses = 0
        if addresses.contains(address) { current = address }
    }

    /// Records the loss of a probe that was sent to all addresses, or must not be sent again.
    func failed(at address: IPAddress) {
        lost.insert(address)
        losses += 1
        moveOn(from: address)
    }

    /// Records the end of a probe without a reply. Returns what to do with it.
    ///
    /// - Parameters:
    ///   - sent: when the probe was sent.
    ///   - fall: the number of losses that take the target down.
    func failed(_ sequence: Int, sent: Duration, at address: IPAddress, with outcome: Outcome, fall: Int) -> Verdict {
        var retrial =
            retrials.removeValue(forKey: sequence)
            ?? Retrial(start: sent, tried: [], outcome: outcome, address: address)
        retrial.tried.append(address)
        if outcome.evidence > retrial.outcome.evidence { (retrial.outcome, retrial.address) = (outcome, address) }
        if outcome.isLoss { lost.insert(address) }
        moveOn(from: address)
        if let next = next(after: address, of: retrial, endedBy: outcome, fall: fall) {
            retrials[sequence] = retrial
            return .send(to: next)
        }
        if retrial.outcome.isLoss { losses += 1 }
        return .end(retrial.outcome, retrial.address, start: retrial.tried.count > 1 ? retrial.start : nil)
    }

    /// Forgets the probes in flight.
    func discardInFlight() {
        retrials = [:]
    }

    private func next(after address: IPAddress, of retrial: Retrial, endedBy outcome: Outcome, fall: Int) -> IPAddress?
    {
        if case .fault(let fault) = outcome, fault.isShortage { return nil }
        let left = following(address).filter { !retrial.tried.contains($0) }
        guard case .timeout = outcome else { return left.first }
        // The verdict is due, and not every address was tried.
        return losses + 1 >= fall ? left.first { !lost.contains($0) } : nil
    }

    private func moveOn(from address: IPAddress) {
        guard address == current else { return }
        let others = following(address)
        current = others.first { !lost.contains($0) } ?? others.first ?? current
    }

    /// The other addresses, beginning after this one.
    private func following(_ address: IPAddress) -> [IPAddress] {
        guard let index = addresses.firstIndex(of: address) else { return addresses }
        return Array(addresses[(index + 1)...] + addresses[..<index])
    }
}

extension Outcome {
    /// The rank of an outcome by its information about a target with several addresses. Of several outcomes the highest
    /// is reported: what the host sent before what a router reported, before a timeout, before a missing route. A
    /// machine without IPv6 thus reports why the IPv4 address fails.
    var evidence: Int {
        switch self {
        case .reply: 6
        // An address that was not tried, for lack of a descriptor or memory, leaves the result open.
        case .fault(let fault) where fault.isShortage: 5
        case .failure(let failure):
            switch failure.reason {
            case .networkUnreachable, .noRoute, .linkDown: 1
            case .hostUnreachable, .ttlExceeded, .prohibited: 3
            default: 4
            }
        case .timeout: 2
        case .fault: 0
        }
    }
}

extension Fault {
    /// Whether the machine temporarily lacks descriptors or memory.
    var isShortage: Bool {
        switch problem {
        case .tooManyFiles, .noMemory: true
        default: false
        }
    }
}

extension Failure {
    /// The failure of a probe that was answered from another address than the probed one only.
    init(answeredFrom source: IPAddress) {
        self.init(.answerMismatch, detail: "answers from \(source)")
    }
}

import Monitoring

/// Which of the several addresses of a name the probes of one target go to. A target whose name has a single address
/// has none of these. Confined to its event loop.
///
/// The address that answered last is kept while it answers. Then:
/// * a probe that fails at once goes on to the next address at once;
/// * a probe that times out leaves the next address to the next probe;
/// * the loss that would take the target down waits until each address has lost a probe since the last reply.
final class AddressSelection {
    /// A probe that was sent more than once.
    private struct Retrial {
        /// When it was sent first.
        let start: Duration
        var tried: [IPAddress]
        /// The most informative outcome so far, and where it came from.
        var outcome: Outcome
        var address: IPAddress
    }

    /// What follows from the end of a probe.
    enum Verdict: Equatable {
        /// The probe is sent again, to this address.
        case send(to: IPAddress)
        /// The probe has ended so, at this address. It was sent first at `start`; nil if it was sent once.
        case end(Outcome, IPAddress, start: Duration?)
    }

    /// In the order of preference.
    private(set) var addresses: [IPAddress]
    /// Where the next probe goes.
    private(set) var current: IPAddress
    /// The addresses that lost a probe since the last reply.
    private var lost: Set<IPAddress> = []
    /// How many losses were reported since the last reply.
    private var losses = 0
    private var retrials: [Int: Retrial] = [:]

    /// - Parameter addresses: in the order of preference; not empty.
    init(_ addresses: [IPAddress]) {
        self.addresses = addresses
        current = addresses[0]
    }

    /// The addresses, the one where the next probe goes first.
    var order: [IPAddress] {
        addresses[0] == current ? addresses : [current] + addresses.filter { $0 != current }
    }

    /// Takes other addresses into use. The current one stays in use while it is among them.
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

    /// Records the end of a probe without a reply that was sent to all addresses, or may not be sent again.
    func failed(at address: IPAddress) {
        lost.insert(address)
        losses += 1
        moveOn(from: address)
    }

    /// Records the end of a probe without a reply.
    ///
    /// - Parameters:
    ///   - sent: when it was sent.
    ///   - fall: how many losses take the target down.
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

    /// Forgets the probes under way.
    func void() {
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

    /// The other addresses, beginning behind this one.
    private func following(_ address: IPAddress) -> [IPAddress] {
        guard let index = addresses.firstIndex(of: address) else { return addresses }
        return Array(addresses[(index + 1)...] + addresses[..<index])
    }
}

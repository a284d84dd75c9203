import Monitoring

extension IPAddress {
    /// What can be said of the route to this address.
    ///
    /// - Throws: A fault, if the machine's interfaces cannot be read.
    func routeOutcome() throws(Fault) -> Outcome {
        switch KernelRoute(to: self) {
        case .from(let source): try LocalNetwork.read().routeOutcome(to: self, from: source, kind: \.kind)
        case .none(let outcome): outcome
        }
    }

    /// Whether a packet could leave for this address, as far as this machine can tell. That nobody on the last network
    /// knows the host, only a packet can find out.
    var hasWayOut: Bool {
        let outcome = try? routeOutcome()
        return outcome?.isLoss != true
    }
}

import Monitoring

extension IPAddress {
    /// What can be said of the route to this address.
    ///
    /// - Parameter origin: where a packet has to leave from; nil leaves the choice to the system.
    /// - Throws: A fault, if the machine's interfaces cannot be read.
    func routeOutcome(leaving origin: Origin? = nil) throws(Fault) -> Outcome {
        switch KernelRoute(to: self, leaving: origin) {
        case .from(let source): try LocalNetwork.read().routeOutcome(to: self, from: source, kind: \.kind)
        case .none(let outcome): outcome
        }
    }

    /// Why no packet could leave for this address; nil where one could, as far as this machine can tell. That nobody on
    /// the last network knows the host, only a packet can find out.
    ///
    /// - Parameters:
    ///   - origin: where it has to leave from; nil leaves the choice to the system.
    ///   - network: the interfaces, where they have just been read.
    func lackOfWayOut(leaving origin: Origin? = nil, in network: LocalNetwork? = nil) -> Failure? {
        switch KernelRoute(to: self, leaving: origin) {
        case .from(let source):
            guard let network = network ?? (try? LocalNetwork.read()) else { return nil }
            return network.lackOfWayOut(to: self, from: source)
        case .none(.failure(let failure)):
            return failure
        case .none:
            // What this machine lacks to find out says nothing about the way.
            return nil
        }
    }
}

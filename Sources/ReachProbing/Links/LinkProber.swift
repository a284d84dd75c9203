import ReachMonitoring

/// A prober of this machine's links and routes. It answers at once: no probe is ever in flight.
final class LinkProber: MethodProber {
    private let environment: ProberEnvironment

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    var nextDeadline: Duration? { nil }

    func send(_ probe: Probe) {
        environment.report(.ended(probe, outcome(of: probe)))
    }

    func expire(at time: Duration) {}
    func discardInFlight(at time: Duration) {}

    private func outcome(of probe: Probe) -> Outcome {
        do {
            switch (probe.question, probe.address) {
            case (.link(let name), _):
                return try LocalNetwork.read().linkOutcome(of: name, kind: \.kind)
            case (.route, let address?):
                return try address.routeOutcome(leaving: probe.origin())
            default:
                return .fault(Fault(.internal, detail: "not a link or route probe"))
            }
        } catch {
            return .fault(error)
        }
    }
}

extension IPAddress {
    /// Returns the outcome of a route probe to this address.
    ///
    /// - Parameter origin: the source of the packets; nil leaves the choice to the system.
    /// - Throws: A fault, if the machine's interfaces cannot be read.
    func routeOutcome(leaving origin: Origin? = nil) throws(Fault) -> Outcome {
        switch KernelRoute(to: self, leaving: origin) {
        case .from(let source): try LocalNetwork.read().routeOutcome(to: self, from: source, kind: \.kind)
        case .none(let outcome): outcome
        }
    }

    /// Returns why no packet can be sent to this address; nil if one can, as far as this machine knows. Whether the
    /// host is unknown on the last network, only a packet shows.
    ///
    /// - Parameters:
    ///   - origin: the source of the packet; nil leaves the choice to the system.
    ///   - network: the interfaces, if they have just been read.
    func routeFailure(leaving origin: Origin? = nil, in network: LocalNetwork? = nil) -> Failure? {
        switch KernelRoute(to: self, leaving: origin) {
        case .from(let source):
            guard let network = network ?? (try? LocalNetwork.read()) else { return nil }
            return network.routeFailure(to: self, from: source)
        case .none(.failure(let failure)):
            return failure
        case .none:
            // A fault of the check is no evidence about the route.
            return nil
        }
    }
}

import Monitoring

/// A prober of this machine's links and routes. It answers at once: no probe is ever in flight.
final class LinkProber: Prober {
    private let report: (ProberEvent) -> Void

    init(report: @escaping (ProberEvent) -> Void) {
        self.report = report
    }

    var nextDeadline: Duration? { nil }

    func send(_ probe: Probe) {
        report(.ended(probe, outcome(of: probe)))
    }

    func expire(at time: Duration) {}
    func void(at time: Duration) {}

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

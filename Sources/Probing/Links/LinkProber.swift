import Monitoring

/// Asks this machine about its links and routes. The answers are there at once: nothing is ever under way.
final class LinkProber: Prober {
    private let tell: (Notice) -> Void

    init(tell: @escaping (Notice) -> Void) {
        self.tell = tell
    }

    var nextDeadline: Duration? { nil }

    func ask(_ probe: Probe) {
        tell(.ended(probe, outcome(of: probe)))
    }

    func expire(at time: Duration) {}
    func void(at time: Duration) {}
    func keep(for questions: [Question]) {}

    private func outcome(of probe: Probe) -> Outcome {
        do {
            switch (probe.question, probe.address) {
            case (.link(let name), _):
                return try LocalNetwork.read().linkOutcome(of: name, kind: \.kind)
            case (.route, let address?):
                return try address.routeOutcome(leaving: probe.origin())
            default:
                return .fault(Fault(.internal, detail: "no question about this machine"))
            }
        } catch {
            return .fault(error)
        }
    }
}

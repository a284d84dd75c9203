import Monitoring

@testable import Probing

extension Probe {
    /// A probe of `host` with default arguments.
    static func icmp(
        _ host: String = "192.0.2.1",
        target: Int = 0,
        sequence: Int = 1,
        timeout: Duration = .seconds(1)
    ) -> Probe {
        Probe(
            target: Target.ID(target),
            watch: 1,
            sequence: sequence,
            question: .icmp(host: host),
            timeout: timeout,
            made: .zero,
            address: IPAddress(literal: host)
        )
    }
}

import Monitoring

/// What is left of a probe that has ended: as much as tells whose a late answer is.
struct EndedProbe: Sendable, Hashable {
    let target: Target.ID
    /// Tells this watching of the target from earlier ones, whose answers are nobody's.
    let watch: Int
    /// Who was asked.
    let address: IPAddress?

    init(_ probe: Probe) {
        target = probe.target
        watch = probe.watch
        address = probe.address
    }

    /// Whether an answer from `source` may be the one to this probe.
    func isAnswered(by source: IPAddress) -> Bool {
        address?.isAnswered(by: source) == true
    }
}

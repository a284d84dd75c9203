/// The verdict of the vantage points of a target: its health by the quorum, and which of them say what.
package struct VantageVerdict: Sendable, Hashable {
    /// The health: `unknown` if too few report.
    package let health: Health
    /// Those that report the target down; likewise the others.
    package let down: [VantagePoint]
    /// Those that report it degraded.
    package let degraded: [VantagePoint]
    /// Those that report it up.
    package let up: [VantagePoint]
    /// Those that report, but do not know the health.
    package let undecided: [VantagePoint]
    /// Those that do not report.
    package let silent: [VantagePoint]
    /// How many of the ``voters`` must agree; nil if too few report.
    package let needed: Int?
    /// The rule.
    package let quorum: Quorum

    init(_ points: [VantagePoint], under quorum: Quorum) {
        down = points.filter { $0.isReporting && $0.health == .down }
        degraded = points.filter { $0.isReporting && $0.health == .degraded }
        up = points.filter { $0.isReporting && $0.health == .up }
        undecided = points.filter { $0.isReporting && $0.health == .unknown }
        silent = points.filter { !$0.isReporting }
        self.quorum = quorum
        let (lost, impaired) = (down.count, down.count + degraded.count)
        needed = quorum.needed(of: impaired + up.count)
        health = needed.map { lost >= $0 ? .down : impaired >= $0 ? .degraded : .up } ?? .unknown
    }

    /// The number of vantage points that report a health.
    package var voters: Int { down.count + degraded.count + up.count }

    /// The number of all vantage points.
    package var total: Int { voters + undecided.count + silent.count }

    /// Whether some report the target down, and others report it reachable.
    package var isDisputed: Bool { !down.isEmpty && down.count < voters }

    /// The round trip of a target that is reachable: as many vantage points as needed for a verdict see this one, or a
    /// longer one, or none at all. By default, it is that of the vantage point in the middle. Nil if none has one.
    package var roundTrip: Duration? {
        guard let needed, health.isReachable else { return nil }
        let roundTrips = (up + degraded).compactMap(\.roundTrip).sorted(by: >)
        guard !roundTrips.isEmpty else { return nil }
        return roundTrips[min(max(0, needed - down.count - 1), roundTrips.count - 1)]
    }

    /// When the quorum was reached, for a target that is down; otherwise when the newest sample was taken. In nanoseconds
    /// since the start of the program.
    var date: Duration? {
        guard health != .unknown else { return nil }
        guard health == .down, let needed else { return (up + degraded).map(\.time).max() }
        return down.map(\.since).sorted()[needed - 1]
    }

    /// The verdict as the outcome of a probe, for the judge of the target.
    package var outcome: Outcome {
        switch health {
        case .down: .failure(Failure(.quorum, detail: summary))
        case .up: .reply(Reply(roundTrip: roundTrip, detail: summary.isEmpty ? nil : summary))
        case .degraded: .reply(Reply(roundTrip: roundTrip, concern: summary))
        case .unknown: .fault(Fault(.notReporting, detail: summary))
        }
    }
}

extension VantagePoints {
    /// Returns the verdict by a quorum.
    package func verdict(under quorum: Quorum) -> VantageVerdict {
        VantageVerdict(points, under: quorum)
    }
}

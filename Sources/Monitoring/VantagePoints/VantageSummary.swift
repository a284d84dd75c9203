/// One vantage point over all targets.
package struct VantageSummary: Sendable, Hashable {
    /// The targets that it reports on, or has reported on.
    package private(set) var targets = 0
    /// Those that it reports on now.
    package private(set) var reporting = 0
    /// Those that it reports up; likewise the others.
    package private(set) var up = 0
    /// Those that it reports degraded.
    package private(set) var degraded = 0
    /// Those that it reports down.
    package private(set) var down = 0
    /// When its newest sample was taken, or it was heard last, since the start of the program.
    package private(set) var heard = Duration.zero

    /// Whether it reports on no target any more.
    package var isSilent: Bool { reporting == 0 }

    mutating func hear(at time: Duration) {
        heard = max(heard, time)
    }

    mutating func add(_ point: VantagePoint) {
        hear(at: point.time)
        count(point, by: 1)
    }

    mutating func remove(_ point: VantagePoint) {
        count(point, by: -1)
    }

    private mutating func count(_ point: VantagePoint, by step: Int) {
        targets += step
        guard point.isReporting else { return }
        reporting += step
        switch point.health {
        case .up: up += step
        case .degraded: degraded += step
        case .down: down += step
        case .unknown: break
        }
    }
}

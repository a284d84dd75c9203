/// The verdict of the vantage points of a target: its health by the quorum, and the vantage points by their reports.
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

    /// When the quorum was reached, for a target that is down; otherwise when the newest sample was taken. Nil without a
    /// verdict.
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

/// How many of the vantage points that report must see a target down before it is down. The same number must see it
/// degraded or down before it is degraded.
public enum Quorum: Sendable, Hashable {
    /// More than half of those that report.
    case majority
    /// All that report.
    case all
    /// One of them.
    case any
    /// This many. With fewer that report, there is no verdict.
    case count(Int)

    /// Parses the setting `quorum`: `majority`, `all`, `any`, or a number from 1.
    package init?(_ text: String) {
        switch text {
        case "majority": self = .majority
        case "all": self = .all
        case "any": self = .any
        default:
            guard let count = Int(text), count >= 1, count <= VantagePoints.capacity else { return nil }
            self = .count(count)
        }
    }

    /// The value of the setting.
    package var settingsText: String {
        switch self {
        case .majority: "majority"
        case .all: "all"
        case .any: "any"
        case .count(let count): "\(count)"
        }
    }

    /// Returns how many of `voters` must agree; nil if too few report for a verdict.
    package func needed(of voters: Int) -> Int? {
        guard voters > 0 else { return nil }
        return switch self {
        case .majority: voters / 2 + 1
        case .all: voters
        case .any: 1
        case .count(let count): count <= voters ? max(1, count) : nil
        }
    }
}

extension Quorum {
    /// Why a text is not a quorum, and the fix; nil if it is one.
    package static func problem(in text: String) -> (message: String, hint: String)? {
        guard Quorum(text) == nil else { return nil }
        let hint = "majority, all, any or a number from 1 to \(VantagePoints.capacity)"
        guard let number = Int(text) else { return ("unknown quorum \(text.quotedOnOneLine)", hint) }
        return (number < 1 ? "must be at least 1" : "must be at most \(VantagePoints.capacity)", hint)
    }
}

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

public import ReachMonitoring

/// What is reported about the path to one target.
public struct PathReport: Sendable {
    /// The name of the target.
    public var target: String
    /// The time since the start of the program.
    public var time: Duration
    /// The hops; nil if the target has no address.
    public var trace: PathTrace?
    /// Why the target could not be probed; nil if it was.
    public var problem: String?
    /// Returns the name of an address.
    public var name: @Sendable (String) -> String?
    /// Returns the autonomous system of an address.
    public var system: @Sendable (String) -> AutonomousSystems.System?
    /// Returns a time since the start of the program as a time of day.
    public var clock: @Sendable (Duration) -> String

    /// Creates a report.
    public init(
        target: String,
        time: Duration,
        trace: PathTrace?,
        problem: String? = nil,
        name: @escaping @Sendable (String) -> String? = { _ in nil },
        system: @escaping @Sendable (String) -> AutonomousSystems.System? = { _ in nil },
        clock: @escaping @Sendable (Duration) -> String = { $0.spanText }
    ) {
        (self.target, self.time, self.trace, self.problem) = (target, time, trace, problem)
        (self.name, self.system, self.clock) = (name, system, clock)
    }

    /// Whether the target answers.
    public var isReached: Bool { trace?.end().isReached ?? false }
}

/// A part of a path within one network: its first and last hop.
public struct PathSection: Sendable, Hashable {
    /// A network.
    public enum Network: Sendable, Hashable {
        /// The one of this machine: hops with private addresses before the first autonomous system.
        case own
        /// An autonomous system.
        case system(AutonomousSystems.System)
    }

    /// The network.
    public var network: Network
    /// The numbers of its hops.
    public var hops: ClosedRange<Int>

    /// Divides a path into networks. A hop without an autonomous system belongs to the network before it. Without any
    /// autonomous system, there are no sections.
    public static func sections(of path: PathReport) -> [PathSection] {
        var sections: [PathSection] = []
        for (index, hop) in (path.trace?.hops() ?? []).enumerated() {
            let system = hop.address.flatMap(path.system)
            let network = system.map(Network.system) ?? sections.last?.network ?? .own
            if let last = sections.indices.last, sections[last].network == network {
                sections[last].hops = sections[last].hops.lowerBound...(index + 1)
            } else {
                sections.append(PathSection(network: network, hops: (index + 1)...(index + 1)))
            }
        }
        return sections.allSatisfy { $0.network == .own } ? [] : sections
    }

    /// The section in words: `hops 1–2 your network`, `hop 3 AS64500 EXAMPLE`.
    public var text: String {
        let numbers = hops.count == 1 ? "hop \(hops.lowerBound)" : "hops \(hops.lowerBound)–\(hops.upperBound)"
        switch network {
        case .own: return "\(numbers) your network"
        case .system(let system): return "\(numbers) AS\(system.number) \(system.name)"
        }
    }
}

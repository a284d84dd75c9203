@testable import ReachMonitoring

/// A finder with targets, for stories. Times are in seconds.
struct TestNetwork {
    var finder: CauseFinder
    var now = 0.0
    private(set) var paths: [Int: [String?]] = [:]
    private(set) var events: [CauseEvent] = []
    let interval: Double

    /// - Parameter daysSeen: how long the targets were seen without outages.
    init(confirmsHops: Bool = false, interval: Double = 10) {
        finder = CauseFinder(confirmsHops: confirmsHops)
        self.interval = interval
    }

    mutating func add(_ targets: some Sequence<Int>, path: [String?] = [], others: [Risk] = [], isUp: Bool = true) {
        for target in targets {
            paths[target] = path
            let risks = TargetRisks(path: path, others: others, interval: .seconds(interval))
            events += finder.setRisks(risks, of: Target.ID(target), at: .seconds(now))
        }
        if isUp { up(targets) }
    }

    mutating func wait(_ seconds: Double) {
        now += seconds
        events += finder.update([], at: .seconds(now))
    }

    mutating func set(_ targets: some Sequence<Int>, _ condition: TargetCondition) {
        events += finder.update(targets.map { (Target.ID($0), condition) }, at: .seconds(now))
    }

    mutating func up(_ targets: some Sequence<Int>) { set(targets, .up) }

    mutating func down(_ targets: some Sequence<Int>, _ kind: OutageKind = .noAnswer) {
        set(targets, .down(since: .seconds(now), kind))
    }

    mutating func confirm(_ hop: String, answered: Bool) {
        for cause in finder.causes {
            guard case .suspected(let hops) = cause.stage, hops.contains(hop) else { continue }
            events += finder.confirm(cause.id, hop: hop, answered: answered, at: .seconds(now))
        }
    }

    /// Returns the events since the last call.
    mutating func takeEvents() -> [CauseEvent] {
        defer { events = [] }
        return events
    }

    var places: [String] { finder.causes.map(\.place) }

    func explained(_ place: Int = 0) -> [Int] {
        finder.targets(explainedBy: finder.causes[place].id).map(\.rawValue)
    }

    /// 100 hosts behind five routers; 0…39 are behind `10.1.0.1`. Seen up for a day.
    static func office(confirmsHops: Bool = false) -> TestNetwork {
        var network = TestNetwork(confirmsHops: confirmsHops)
        network.add(0..<40, path: ["10.0.0.1", "10.0.0.2", "10.1.0.1"])
        for router in 2...5 {
            let first = 40 + (router - 2) * 15
            network.add(first..<(first + 15), path: ["10.0.0.1", "10.0.0.2", "10.\(router).0.1"])
        }
        network.wait(86_400)
        _ = network.takeEvents()
        return network
    }
}

import ReachMonitoring

@testable import ReachFleet

/// Targets that several vantage points probe and a server scrapes, and what the server answers. All targets fail and recover
/// at the same time.
struct SimulatedFleet {
    /// What vantage points export.
    enum Series {
        /// As `reach watch --listen`.
        case reach
        /// Only `reach_up`.
        case bare
        /// As blackbox_exporter.
        case blackbox
    }

    var targets: Int
    /// What each vantage point exports.
    var vantagePoints: [(name: String, series: Series)]
    /// The time between two scrapes of a vantage point, in seconds. Those of different ones are not at the same time.
    var interval = 1.0
    /// The time of the server's clock at which the targets fail, and at which they are up again.
    var outages: [Range<Double>] = []
    /// The longest answer, in series.
    var mostSeries = Int.max
    /// Whether the server rejects queries for the failing targets.
    var rejectsFailing = false
    /// Whether the server rejects queries for the rows of an earlier time.
    var rejectsEarlier = false

    init(_ targets: Int, _ series: Series = .reach) {
        self.targets = targets
        vantagePoints = ["fra", "nyc", "sin"].map { ($0, series) }
    }

    /// The names of a server's metrics.
    var names: [String] {
        switch vantagePoints[0].series {
        case .reach: ["reach_up", "reach_build_info", "reach_targets"]
        case .bare: ["reach_up"]
        case .blackbox: ["probe_success"]
        }
    }

    private static let names = (0..<10_000).map { "t\($0)" }

    func answer(_ purpose: PlannedQuery.Purpose, at time: Double) -> Result<QueryResult, QueryFailure> {
        if case .failing = purpose, rejectsFailing { return .failure(.rejected(type: "execution", "no")) }
        if case .earlierRows = purpose, rejectsEarlier { return .failure(.rejected(type: "bad_data", "no")) }
        var result = QueryResult(series: series(purpose, at: time))
        guard result.series.count <= mostSeries else { return .failure(.tooLong) }
        // Prometheus takes about 5 µs for each series.
        result.cost = .microseconds(1_000 + 5 * result.series.count)
        return .success(result)
    }

    private func series(_ purpose: PlannedQuery.Purpose, at time: Double) -> [MetricSeries] {
        vantagePoints.enumerated().flatMap { number, point -> [MetricSeries] in
            let target = { [label: $0, groupLabel: "Web"] }
            let scrape = (time / interval).rounded(.down) * interval - interval * Double(number) / 4
            let isUp = !outages.contains { $0.contains(scrape) }
            func series(_ labels: [String: String], _ value: Double) -> MetricSeries {
                let labels = labels.merging(["vantage": point.name]) { $1 }
                return MetricSeries(labels: labels, points: [MetricSeries.Point(time: time, value: value)])
            }
            func rows(_ targets: some Sequence<String>) -> [MetricSeries] {
                targets.map { series(target($0), isUp ? 1 : 0) }
            }
            let all = Self.names.prefix(targets)
            return switch purpose {
            case .reports: [series([:], scrape)]
            case .counts: [series([groupLabel: "Web"], Double(targets))]
            case .summaries: point.series == .reach ? [] : [series([:], Double(targets))]
            case .failing(let name) where name == nil || name == point.name:
                switch point.series {
                case _ where isUp: []
                case .reach: all.map { series(target($0).merging(Self.refused) { $1 }, scrape) }
                case .bare, .blackbox: rows(all)
                }
            case .all: rows(all)
            case .rows(let targets), .outdatedRows(let targets): rows(targets)
            case .earlierRows(let targets, let time):
                self.series(.rows(targets), at: time).filter { $0.labels["vantage"] == point.name }
            default: []
            }
        }
    }

    private static let refused = ["health": "down", "reason": "refused"]
    private var label: String { vantagePoints[0].series == .blackbox ? "instance" : "target" }
    private var groupLabel: String { vantagePoints[0].series == .blackbox ? "job" : "group" }
}

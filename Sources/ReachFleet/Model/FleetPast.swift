package import ReachMonitoring

/// Joins the answers of servers about the past of one target.
package struct FleetPast: Sendable {
    /// The period of uptime, reachability and outages: 30 days in steps of five minutes.
    static let longTerm = (seconds: Int64(30 * 86_400), step: Int64(300))
    /// The period of the chart: an hour in steps of a minute.
    static let recent = (seconds: Int64(3_600), step: Int64(60))

    /// The name of the target on the screen.
    package let name: String
    private let quorum: Quorum
    private var shares: [Duration: [Double]] = [:]
    private var probes: [Duration: [String: Double]] = [:]
    private var roundTrips: [Duration: [String: Double]] = [:]

    init(name: String, quorum: Quorum) {
        (self.name, self.quorum) = (name, quorum)
    }

    /// Returns the queries about a target for a server whose clock shows this time, in seconds since 1970.
    static func queries(about target: String, endingAt time: Double) -> [RangeQuery] {
        let end = Int64(max(0, min(1e11, time)))
        let query = { (values: RangeQuery.Values, period: (seconds: Int64, step: Int64)) in
            let span = QuerySpan(endingAt: end, seconds: period.seconds, step: period.step)
            return RangeQuery(target: target, values: values, span: span)
        }
        return [query(.probes, recent), query(.roundTrips, recent), query(.shares, longTerm)]
    }

    /// Adds the answer of a server.
    mutating func add(_ answer: RangeAnswer) {
        for (vantage, points) in answer.points {
            for (time, value) in points {
                switch answer.query.values {
                case .shares: shares[time, default: []].append(value)
                case .probes: probes[time, default: [:]][vantage] = value
                case .roundTrips: roundTrips[time, default: [:]][vantage] = value
                }
            }
        }
    }

    /// The history from the answers so far.
    package var history: FleetHistory {
        var history = FleetHistory()
        history.record(shares, step: .seconds(Self.longTerm.step), quorum: quorum)
        history.record(probes: probes, roundTrips: roundTrips, quorum: quorum)
        return history
    }
}

/// The answer of a server to a range query, with the names and times of this program.
struct RangeAnswer: Sendable, Hashable {
    /// The name of the target on the screen.
    let name: String
    let query: RangeQuery
    /// The finite values by vantage point and time since the start of the program.
    let points: [String: [Duration: Double]]
}

extension FleetModel {
    /// Converts the answer of a server to the names and times of this program. Times are rounded to seconds, so that those
    /// of several servers are equal.
    func answer(
        _ query: RangeQuery,
        _ result: QueryResult,
        ofServer index: Int,
        _ metrics: ProbeMetrics
    ) -> RangeAnswer {
        var points: [String: [Duration: Double]] = [:]
        // The same for all servers: the clock of the first one.
        let start = servers.first?.start ?? servers[index].start ?? 0
        for series in result.series {
            let vantage = metrics.vantagePoint(of: series) ?? servers[index].settings.name
            // Of several series of one vantage point, the first one counts.
            guard points[vantage] == nil else { continue }
            let finite = series.points.filter { $0.value.isFinite && abs($0.time) < 1e11 }
            points[vantage] = Dictionary(
                finite.map { (Duration.seconds(($0.time - start).rounded()), $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        return RangeAnswer(name: entries[query.target]?.name ?? query.target, query: query, points: points)
    }
}

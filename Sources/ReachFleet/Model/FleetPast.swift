package import ReachMonitoring

/// Joins the answers of servers about the past of one target.
package struct FleetPast: Sendable {
    /// The time of uptime, reachability and outages: 30 days in steps of five minutes.
    static let longTerm = (seconds: Int64(30 * 86_400), step: Int64(300))
    /// The time of the chart: an hour in steps of a minute.
    static let recent = (seconds: Int64(3_600), step: Int64(60))

    /// The name of the target on the screen.
    package let name: String
    private let quorum: Quorum
    private var shares: [Duration: [Double]] = [:]
    private var probes: [Duration: [String: Double]] = [:]
    private var roundTrips: [Duration: [String: Double]] = [:]

    package init(name: String, quorum: Quorum) {
        (self.name, self.quorum) = (name, quorum)
    }

    /// What to ask the servers.
    static var requests: [RangeRequest] {
        [
            RangeRequest(.probes, seconds: recent.seconds, step: recent.step),
            RangeRequest(.roundTrips, seconds: recent.seconds, step: recent.step),
            RangeRequest(.shares, seconds: longTerm.seconds, step: longTerm.step),
        ]
    }

    /// Adds the answer of a server.
    mutating func add(_ answer: RangeAnswer) {
        for (vantage, points) in answer.series {
            for (time, value) in points {
                switch answer.question.values {
                case .shares: shares[time, default: []].append(value)
                case .probes: probes[time, default: [:]][vantage] = value
                case .roundTrips: roundTrips[time, default: [:]][vantage] = value
                }
            }
        }
    }

    /// What is known so far.
    package var history: FleetHistory {
        var history = FleetHistory()
        history.record(shares, step: .seconds(Self.longTerm.step), quorum: quorum)
        history.record(probes: probes, roundTrips: roundTrips, quorum: quorum)
        return history
    }
}

/// A range query for one target, in local time.
package struct RangeRequest: Sendable, Hashable {
    package let values: RangeQuestion.Values
    /// The length of the time until now, in seconds.
    package let seconds: Int64
    /// The step that is wanted, in seconds.
    package let step: Int64

    package init(_ values: RangeQuestion.Values, seconds: Int64, step: Int64) {
        (self.values, self.seconds, self.step) = (values, seconds, step)
    }

    /// The question for a server whose clock shows this time.
    func question(about target: String, endingAt time: Double) -> RangeQuestion {
        let end = Int64(max(0, min(1e11, time)))
        return RangeQuestion(
            target: target,
            values: values,
            span: QuerySpan(endingAt: end, seconds: seconds, step: step)
        )
    }
}

/// Values of the past of a target, as one server has them.
struct RangeAnswer: Sendable, Hashable {
    /// The name of the target on the screen.
    let name: String
    let question: RangeQuestion
    /// The values by vantage point, by the times since the start of the program; finite ones only.
    let series: [String: [Duration: Double]]
}

extension FleetModel {
    /// Translates the answer of a server: names and times are those of this program. Times are in whole steps, so that
    /// those of several servers are the same.
    func answer(
        _ question: RangeQuestion,
        _ result: QueryResult,
        ofServer index: Int,
        _ metrics: ProbeMetrics
    ) -> RangeAnswer {
        var series: [String: [Duration: Double]] = [:]
        // The same for all servers: the clock of the first one.
        let start = servers.first?.start ?? servers[index].start ?? 0
        for sample in result.samples {
            let vantage = metrics.vantagePoint(of: sample) ?? servers[index].settings.name
            // Of several series of one vantage point, the first one counts.
            guard series[vantage] == nil else { continue }
            let points = sample.points.filter { $0.value.isFinite && abs($0.time) < 1e11 }
            series[vantage] = Dictionary(
                points.map { (Duration.seconds(($0.time - start).rounded()), $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        return RangeAnswer(name: entries[question.target]?.name ?? question.target, question: question, series: series)
    }
}

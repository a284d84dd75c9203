import Monitoring

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

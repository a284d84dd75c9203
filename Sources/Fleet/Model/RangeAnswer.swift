import Monitoring

/// Values of the past of a target, as one server has them.
package struct RangeAnswer: Sendable, Hashable {
    /// The name of the target on the screen.
    package let name: String
    package let question: RangeQuestion
    /// The index of the server.
    package let server: Int
    /// The values by vantage point, with times since the start of the program.
    package let series: [String: [Point]]

    /// A value at a time.
    package struct Point: Sendable, Hashable {
        /// The time since the start of the program; negative before it.
        package let time: Duration
        package let value: Double

        package init(time: Duration, value: Double) {
            (self.time, self.value) = (time, value)
        }
    }
}

extension FleetModel {
    /// Translates the answer of a server: names and times are those of this program.
    func answer(_ question: RangeQuestion, _ result: QueryResult, ofServer index: Int, _ metrics: ProbeMetrics) -> RangeAnswer {
        var series: [String: [RangeAnswer.Point]] = [:]
        let start = servers[index].start ?? 0
        for sample in result.samples {
            let vantage = metrics.vantagePoint(of: sample) ?? servers[index].settings.name
            // Of several series of one vantage point, the first one counts.
            guard series[vantage] == nil else { continue }
            series[vantage] = sample.points.filter { $0.value.isFinite }.map {
                RangeAnswer.Point(time: .seconds(max(-1e9, min(1e9, $0.time - start))), value: $0.value)
            }
        }
        return RangeAnswer(
            name: entries[question.target]?.name ?? question.target,
            question: question,
            server: index,
            series: series
        )
    }
}

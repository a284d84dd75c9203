package import Monitoring

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

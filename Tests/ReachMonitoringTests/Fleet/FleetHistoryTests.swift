import Testing

@testable import ReachMonitoring

struct FleetHistoryTests {
    private func history(_ shares: [[Double]], quorum: Quorum = .majority) -> FleetHistory {
        var history = FleetHistory()
        let points = shares.enumerated().map { (Duration.seconds(300 * ($0.offset + 1)), $0.element) }
        history.record(Dictionary(uniqueKeysWithValues: points), step: .seconds(300), quorum: quorum)
        return history
    }

    /// The example of Grafana's page about uptime and reachability.
    @Test func `uptime and reachability are those of Grafana`() {
        let history = history([[1, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0]])
        #expect(history.uptime == 0.75)
        #expect(history.reachability == 6.0 / 12)
    }

    @Test func `time points without a report do not count`() {
        let history = history([[1], [], [.nan], [0]])
        #expect(history.uptime == 0.5 && history.reachability == 0.5)
    }

    @Test func `an outage is the time in which a quorum sees the target down`() {
        let history = history([[1, 1, 1], [1, 0, 0], [0, 0, 0.4], [1, 1, 0], [0, 0, 1]])
        #expect(
            history.outages == [
                .init(start: .seconds(1_200), length: .seconds(300)),
                .init(start: .seconds(300), length: .seconds(600)),
            ]
        )
        #expect(self.history([[1, 0, 0]], quorum: .all).outages.isEmpty)
        #expect(self.history([[1, 1, 0]], quorum: .any).outages.count == 1)
    }

    @Test func `without samples there are no figures`() {
        let history = history([])
        #expect(history.uptime == nil && history.reachability == nil && history.span == nil)
    }

    @Test func `the verdicts of the past are samples`() {
        var history = FleetHistory()
        history.record(
            probes: [
                .seconds(1): ["fra": 1, "nyc": 1, "sin": 0], .seconds(2): ["fra": 0, "nyc": 0, "sin": 1],
                .seconds(3): ["fra": 1], .seconds(4): [:],
            ],
            roundTrips: [.seconds(1): ["fra": 0.01, "nyc": 0.09, "sin": 5], .seconds(2): ["sin": 0.18]],
            quorum: .majority
        )
        #expect(
            history.samples == [
                Sample(time: .seconds(1), roundTrip: .milliseconds(90)), Sample(time: .seconds(2), roundTrip: nil),
                Sample(replyWithoutRoundTripAt: .seconds(3)),
            ]
        )
    }
}

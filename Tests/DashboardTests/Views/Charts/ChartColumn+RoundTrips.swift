import Monitoring

@testable import Dashboard

extension ChartColumn {
    /// Creates the column of some probes, from the round trips of the replies.
    init(roundTrips: [Duration], losses: Int) {
        self.init(nanoseconds: roundTrips.map(\.nanoseconds), losses: losses)
    }
}

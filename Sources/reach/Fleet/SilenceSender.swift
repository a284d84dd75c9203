import Fleet
import Foundation
import Monitoring

/// Sends silences to Alertmanager, beside the loop, and reports the answers.
final class SilenceSender: Sendable {
    /// The answers; the stream has one consumer.
    let reports: AsyncStream<SilenceReport>
    private let report: AsyncStream<SilenceReport>.Continuation
    private let client: FleetClient
    private let time: ProgramTime

    init(client: FleetClient, time: ProgramTime) {
        (self.client, self.time) = (client, time)
        (reports, report) = AsyncStream.makeStream()
    }

    /// Sends a silence that begins now.
    func send(_ silence: Silence) {
        let user = NSUserName()
        let request = SilenceRequest(silence, by: user.isEmpty ? "reach" : user, at: time.now, wall: time.wall)
        Task {
            report.yield(SilenceReport(silence, await client.send(request, to: silence.server)))
        }
    }
}

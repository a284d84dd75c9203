import Monitoring
import ReachKit
import TestSupport
import Testing

/// A monitor and the network of this machine, as a stranger uses it.
@Suite(.timeLimit(.minutes(1)))
struct MonitorLiveTests {
    @Test func `a port that listens is up, and down when it does not`() async throws {
        let peer = try await SessionPeer.on()
        let url = "tcp://127.0.0.1:\(peer.port)"
        let target = Target(
            name: "Peer",
            question: try Question(url),
            interval: .milliseconds(50),
            timeout: .seconds(20)
        )
        let monitor = Monitor([target])
        var isClosed = false
        loop: for await events in monitor.events {
            for case .transition(let id, let transition) in events {
                #expect(monitor[id]?.target.name == "Peer")
                guard transition.to == .up else { break loop }
                #expect(!isClosed)
                try await peer.close()
                isClosed = true
            }
        }
        #expect(monitor.standings.map(\.health) == [.down])
    }
}

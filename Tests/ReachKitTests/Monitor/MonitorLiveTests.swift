import Monitoring
import ReachKit
import TestSupport
import Testing

/// A monitor with the network of this machine, by the public interface only.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct MonitorLiveTests {
    @Test func `an open port is up, and down once it is closed`() async throws {
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
        #expect(monitor.states.map(\.health) == [.down])
    }
}

import Monitoring
import Testing

@Suite struct SharingTests {
    @Test func `types that exist for each target are small`() {
        #expect(MemoryLayout<ProbeRequest.Assignment>.size == 16)
        #expect(MemoryLayout<TargetState>.size <= 408)
        #expect(MemoryLayout<Reply>.size == 16)
        #expect(MemoryLayout<Finding>.stride <= 80)
    }

    @Test func `the roster and the prober share one box for each target`() {
        var roster = Roster()
        let target = Target(name: "NAS", question: .icmp(host: "192.0.2.1"))
        let consequences = roster.apply(Settings(targets: [target]), at: .zero)
        guard case .watch(let assignments)? = consequences.requests.first else {
            Issue.record("nothing is probed")
            return
        }
        #expect(assignments.first?.sharedTarget === roster.states.first?.sharedTarget)
        #expect(roster.targets == [target])
    }

    @Test func `a reply whose details were removed equals one without`() {
        var reply = Reply(roundTrip: .milliseconds(3), detail: "61 days")
        let copy = reply
        #expect(reply != Reply(roundTrip: .milliseconds(3)))
        reply.detail = nil
        #expect(reply == Reply(roundTrip: .milliseconds(3)))
        #expect(copy.detail == "61 days")
        reply.roundTrip = nil
        #expect(reply == Reply(roundTrip: nil))
    }

    @Test func `a failure keeps the HTTP status`() {
        #expect(Failure(.httpStatus, httpStatus: 503).httpStatus == 503)
        #expect(Failure(.refused).httpStatus == nil)
    }
}

import Monitoring
import Testing

@Suite struct SharingTests {
    @Test func `what thousands of targets need and what crosses for them is small`() {
        #expect(MemoryLayout<Target>.size == 8)
        #expect(MemoryLayout<Standing>.size <= 400)
        #expect(MemoryLayout<Reply>.size == 16)
        #expect(MemoryLayout<Finding>.stride <= 80)
    }

    @Test func `a changed copy of a target leaves the others as they are`() {
        let one = Target(name: "NAS", question: .icmp(host: "192.0.2.1"))
        var other = one
        #expect(other == one)
        other.interval = .seconds(7)
        #expect(one.interval == .seconds(1))
        #expect(other != one)
        other.interval = .seconds(1)
        #expect(other == one)
        #expect(other.hashValue == one.hashValue)
    }

    @Test func `a reply that tells nothing besides equals one that tells it no more`() {
        var reply = Reply(roundTrip: .milliseconds(3), detail: "61 days")
        let copy = reply
        #expect(reply != Reply(roundTrip: .milliseconds(3)))
        reply.detail = nil
        #expect(reply == Reply(roundTrip: .milliseconds(3)))
        #expect(copy.detail == "61 days")
        reply.roundTrip = nil
        #expect(reply == Reply(roundTrip: nil))
    }

    @Test func `a failure keeps the status of an answer`() {
        #expect(Failure(.httpStatus, httpStatus: 503).httpStatus == 503)
        #expect(Failure(.refused).httpStatus == nil)
    }
}

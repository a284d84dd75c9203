import Testing

@testable import ReachKit

/// The deadline of an exchange.
@Suite struct DeadlineTests {
    private let start = SuspendingClock.now

    private func deadline(ofWholeTry limitsWholeTry: Bool) -> Deadline {
        var request = Fetch.Request("", timeout: .seconds(5))
        request.limitsWholeTry = limitsWholeTry
        return Deadline(of: request, at: start)
    }

    @Test(arguments: [true, false])
    func `it passes after the timeout`(_ limitsWholeTry: Bool) {
        let deadline = deadline(ofWholeTry: limitsWholeTry)
        #expect(deadline.remaining(at: start + .seconds(2)) == .seconds(3))
        #expect(deadline.remaining(at: start + .seconds(5)) == nil)
        #expect(deadline.remaining(at: start + .seconds(6)) == nil)
    }

    @Test func `data of the server restarts the timeout, but not that of a whole try`() {
        let (wholeTry, idle) = (deadline(ofWholeTry: true), deadline(ofWholeTry: false))
        for deadline in [wholeTry, idle] { deadline.restart(at: start + .seconds(4)) }
        #expect(wholeTry.remaining(at: start + .seconds(5)) == nil)
        #expect(idle.remaining(at: start + .seconds(5)) == .seconds(4))
    }

    @Test func `a byte of the server restarts the timeout, unless it is paused`() {
        let (wholeTry, idle) = (deadline(ofWholeTry: true), deadline(ofWholeTry: false))
        for deadline in [wholeTry, idle] { deadline.receive(at: start + .seconds(4)) }
        #expect(wholeTry.remaining(at: start + .seconds(5)) == nil)
        #expect(idle.remaining(at: start + .seconds(5)) == .seconds(4))
        idle.pause()
        idle.receive(at: start + .seconds(6))
        #expect(idle.remaining(at: start + .seconds(11.5)) == .seconds(5))
    }

    @Test func `a paused deadline does not pass`() {
        let deadline = deadline(ofWholeTry: false)
        deadline.pause()
        #expect(deadline.remaining(at: start + .seconds(5.5)) == .seconds(5))
        deadline.restart(at: start + .seconds(100))
        #expect(deadline.remaining(at: start + .seconds(105)) == nil)
    }

    @Test(arguments: [true, false])
    func `the time during which the process was stopped does not count`(_ limitsWholeTry: Bool) {
        let deadline = deadline(ofWholeTry: limitsWholeTry)
        #expect(deadline.remaining(at: start + .seconds(60)) == .seconds(5))
        #expect(deadline.remaining(at: start + .seconds(65)) == nil)
    }
}

import Testing

@testable import Fetching

/// When a try has taken too long.
@Suite struct DeadlineTests {
    private let start = SuspendingClock.now

    private func deadline(_ scope: FetchRequest.TimeoutScope) -> Deadline {
        Deadline(of: FetchRequest(url: "", timeout: .seconds(5), timeoutScope: scope), at: start)
    }

    @Test(arguments: [FetchRequest.TimeoutScope.wholeTry, .silence])
    func `it passes after the timeout`(_ scope: FetchRequest.TimeoutScope) {
        let deadline = deadline(scope)
        #expect(deadline.rest(at: start + .seconds(2)) == .seconds(3))
        #expect(deadline.rest(at: start + .seconds(5)) == nil)
        #expect(deadline.rest(at: start + .seconds(6)) == nil)
    }

    @Test func `what the server says ends a silence, and not a try`() {
        let (whole, silence) = (deadline(.wholeTry), deadline(.silence))
        for deadline in [whole, silence] { deadline.restart(at: start + .seconds(4)) }
        #expect(whole.rest(at: start + .seconds(5)) == nil)
        #expect(silence.rest(at: start + .seconds(5)) == .seconds(4))
    }

    @Test func `while the server is not waited for, nothing passes`() {
        let deadline = deadline(.silence)
        deadline.pause()
        #expect(deadline.rest(at: start + .seconds(5.5)) == .seconds(5))
        deadline.restart(at: start + .seconds(100))
        #expect(deadline.rest(at: start + .seconds(105)) == nil)
    }

    @Test(arguments: [FetchRequest.TimeoutScope.wholeTry, .silence])
    func `the time in which the process was stopped does not count`(_ scope: FetchRequest.TimeoutScope) {
        let deadline = deadline(scope)
        #expect(deadline.rest(at: start + .seconds(60)) == .seconds(5))
        #expect(deadline.rest(at: start + .seconds(65)) == nil)
    }
}

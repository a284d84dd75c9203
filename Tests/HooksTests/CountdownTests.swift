import Testing

@testable import Hooks

/// A delay that only the time counts for in which this process ran.
@Suite struct CountdownTests {
    @Test func `a delay is slept in slices of at most a second`() {
        var countdown = Countdown(.milliseconds(2_500))
        var slices: [Duration] = []
        while let slice = countdown.next {
            slices.append(slice)
            countdown.record(slice + .milliseconds(3))
        }
        #expect(slices == [.seconds(1), .seconds(1), .milliseconds(500)])
    }

    @Test func `a slice in which the process was stopped does not count`() {
        var countdown = Countdown(.seconds(1))
        countdown.record(.seconds(60))
        #expect(countdown.next == .seconds(1))
        countdown.record(.milliseconds(1_500))
        #expect(countdown.next == nil)
    }

    @Test func `a slice that is late by no more than the tolerance counts`() {
        var countdown = Countdown(.seconds(1))
        countdown.record(Countdown.slice + Countdown.tolerance)
        #expect(countdown.next == nil)
    }

    @Test func `a second stop does not count either, once the process has run in between`() {
        var countdown = Countdown(.seconds(2))
        for elapsed in [60, 1, 60] { countdown.record(.seconds(elapsed)) }
        #expect(countdown.next == .seconds(1))
        countdown.record(.seconds(1))
        #expect(countdown.next == nil)
    }

    @Test func `where every slice takes too long, the delay still ends`() {
        var countdown = Countdown(.seconds(2))
        for _ in 1...3 {
            #expect(countdown.next != nil)
            countdown.record(.seconds(9))
        }
        #expect(countdown.next == nil)
    }

    @Test func `no delay is over at once`() {
        #expect(Countdown(.zero).next == nil)
    }
}

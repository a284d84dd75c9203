import Testing

@testable import Hooks

/// A delay that counts only the time in which this process ran.
@Suite struct CountdownTests {
    /// Waits for one slice, which takes so long instead of what was planned.
    private func wait(_ elapsed: Duration, for countdown: inout Countdown) {
        _ = countdown.nextSlice(at: .seconds(100))
        countdown.advance(to: .seconds(100) + elapsed)
    }

    @Test func `a delay is slept in slices of at most a second, whose lateness does not add up`() {
        var countdown = Countdown(.milliseconds(2_500))
        var slices: [Duration] = []
        var now = Duration.seconds(7)
        while countdown.left > .zero {
            let slice = countdown.nextSlice(at: now)
            slices.append(slice)
            now += slice + .milliseconds(3)
            countdown.advance(to: now)
        }
        #expect(slices == [.seconds(1), .seconds(1), .milliseconds(494)])
    }

    @Test func `a slice in which the process was stopped does not count`() {
        var countdown = Countdown(.seconds(1))
        wait(.seconds(60), for: &countdown)
        #expect(countdown.left == .seconds(1))
        wait(.milliseconds(1_500), for: &countdown)
        #expect(countdown.left == .zero)
    }

    @Test func `a slice that is late by no more than the tolerance counts`() {
        var countdown = Countdown(.seconds(1))
        wait(Countdown.slice + Countdown.tolerance, for: &countdown)
        #expect(countdown.left == .zero)
    }

    @Test func `a second stop does not count either, once the process has run in between`() {
        var countdown = Countdown(.seconds(2))
        for elapsed in [60, 1, 60] { wait(.seconds(elapsed), for: &countdown) }
        #expect(countdown.left == .seconds(1))
        wait(.seconds(1), for: &countdown)
        #expect(countdown.left == .zero)
    }

    @Test func `where every slice takes too long, the delay still ends`() {
        var countdown = Countdown(.seconds(2))
        for _ in 1...3 {
            #expect(countdown.left > .zero)
            wait(.seconds(9), for: &countdown)
        }
        #expect(countdown.left == .zero)
    }

    @Test func `no delay is over at once`() {
        var countdown = Countdown(.zero)
        #expect(countdown.left == .zero)
        #expect(countdown.nextSlice(at: .seconds(1)) == .zero)
    }

    @Test func `a slice that ends early counts for as long as it took`() {
        var countdown = Countdown(.seconds(1))
        wait(.milliseconds(300), for: &countdown)
        #expect(countdown.left == .milliseconds(700))
    }
}

import Testing

@testable import Hooks

/// A delay that counts only time in which this process was running.
@Suite struct CountdownTests {
    /// Runs one slice that takes `elapsed` instead of its planned length.
    private func wait(_ elapsed: Duration, for countdown: inout Countdown) {
        _ = countdown.nextSlice(at: .seconds(100))
        countdown.advance(to: .seconds(100) + elapsed)
    }

    @Test func `slices are at most a second, and their lateness does not add up`() {
        var countdown = Countdown(.milliseconds(2_500))
        var slices: [Duration] = []
        var now = Duration.seconds(7)
        while countdown.remaining > .zero {
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
        #expect(countdown.remaining == .seconds(1))
        wait(.milliseconds(1_500), for: &countdown)
        #expect(countdown.remaining == .zero)
    }

    @Test func `a slice that is late within the tolerance counts`() {
        var countdown = Countdown(.seconds(1))
        wait(Countdown.slice + Countdown.tolerance, for: &countdown)
        #expect(countdown.remaining == .zero)
    }

    @Test func `a second stop does not count if the process ran in between`() {
        var countdown = Countdown(.seconds(2))
        for elapsed in [60, 1, 60] { wait(.seconds(elapsed), for: &countdown) }
        #expect(countdown.remaining == .seconds(1))
        wait(.seconds(1), for: &countdown)
        #expect(countdown.remaining == .zero)
    }

    @Test func `the delay ends even if every slice takes too long`() {
        var countdown = Countdown(.seconds(2))
        for _ in 1...3 {
            #expect(countdown.remaining > .zero)
            wait(.seconds(9), for: &countdown)
        }
        #expect(countdown.remaining == .zero)
    }

    @Test func `a zero delay ends at once`() {
        var countdown = Countdown(.zero)
        #expect(countdown.remaining == .zero)
        #expect(countdown.nextSlice(at: .seconds(1)) == .zero)
    }

    @Test func `a slice that ends early counts in part`() {
        var countdown = Countdown(.seconds(1))
        wait(.milliseconds(300), for: &countdown)
        #expect(countdown.remaining == .milliseconds(700))
    }
}

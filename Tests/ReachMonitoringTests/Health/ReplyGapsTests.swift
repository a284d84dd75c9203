import ReachMonitoring
import TestSupport
import Testing

/// Streaks of replies in the order in which overlapping probes were sent.
@Suite struct ReplyGapsTests {
    /// A story of probes every 200 ms with a timeout of a second, to a target that replies in 10 ms.
    private struct Overlap {
        var story: Story

        init(_ target: Target) { story = Story(target) }

        /// Records the outcomes of probes, by number, in the order in which they are known.
        mutating func hear(until end: Int, lost: (Int) -> Bool) {
            let ended = (1...end).map { ($0, $0 * 200 + (lost($0) ? 1_000 : 10)) }.sorted { $0.1 < $1.1 }
            for (number, time) in ended {
                story.wait(.milliseconds(time) - story.now)
                let outcome = lost(number) ? Outcome.timeout : .reply(roundTrip: .milliseconds(10))
                story.hear(outcome, sent: .milliseconds(number * 200), sequence: number)
            }
        }

        var streak: Judge.Streak? { story["NAS"]?.judge.streak }
    }

    @Test(arguments: 0..<10)
    func `a late timeout cuts the streak to the replies that were sent later`(phase: Int) {
        var overlap = Overlap(.make(interval: .milliseconds(200), fall: 3))
        // One of ten is lost. The last loss was sent at least five probes before the end, so that it is known.
        let end = 200 + phase
        let lost = { (number: Int) in number % 10 == 0 && number <= end - 5 }
        overlap.hear(until: end, lost: lost)
        let last = (1...end).last(where: lost) ?? 0
        #expect(overlap.streak == .replies(end - last))
        #expect(overlap.story.transitions == ["NAS: unknown→up"])
    }

    @Test func `replies out of order are one streak`() {
        var story = Story(.make())
        for number in [1, 3, 2, 6, 5, 4] { story.hear(.reply(roundTrip: .seconds(1)), sequence: number) }
        #expect(story["NAS"]?.judge.streak == .replies(6))
    }

    @Test func `replies around a loss do not take a target up`() {
        for known in 4...7 {
            var story = Story(.make(rise: 3, fall: 1))
            story.hear("r t")
            #expect(story["NAS"]?.health == .down)
            let start = story.now
            for number in 3...7 {
                // The fourth probe is lost; its timeout is known before the reply to a later one.
                if number == known {
                    story.hear(.timeout, sent: start + .milliseconds(4), sequence: 4)
                }
                guard number != 4 else { continue }
                story.wait(.seconds(1))
                let sent = start + .milliseconds(number)
                story.hear(.reply(roundTrip: .seconds(1)), sent: sent, sequence: number)
                #expect(story["NAS"]?.health == (number < 7 ? .down : .up), "\(number), known before \(known)")
            }
        }
    }

    @Test func `a fault and numbers that begin again interrupt no streak`() {
        var story = Story(.make())
        story.hear("rrr f rr")
        #expect(story["NAS"]?.judge.streak == .replies(5))
        // The settings have changed, and the probes of the target are counted from one.
        for number in 1...40 {
            story.wait(.seconds(1))
            story.hear(.reply(roundTrip: .milliseconds(1)), sequence: number)
        }
        #expect(story["NAS"]?.judge.streak == .replies(45))
        story.hear(.timeout, sent: story.now - .seconds(3), sequence: 38)
        #expect(story["NAS"]?.judge.streak == .replies(45))
    }

    @Test func `the loss of a probe beyond the window leaves the replies in it`() {
        var story = Story(.make())
        for number in (1...100).filter({ $0 != 50 }) {
            story.wait(.milliseconds(10))
            story.hear(.reply(roundTrip: .milliseconds(1)), sequence: number)
        }
        story.hear(.timeout, sent: story.now - .milliseconds(500), sequence: 50)
        #expect(story["NAS"]?.judge.streak == .replies(32))
    }
}

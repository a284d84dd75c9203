import TestSupport
import Testing

@testable import Monitoring

@Suite struct FlappingTests {
    /// Verdicts a step apart: `c` for a change of health, `.` for none.
    private func flapping(_ verdicts: String, every step: Duration = .seconds(30)) -> Flapping {
        var flapping = Flapping()
        for (index, letter) in verdicts.enumerated() {
            _ = flapping.record(isChange: letter == "c", at: step * (index + 1))
        }
        return flapping
    }

    /// Changes of these ages, in verdicts.
    private func flapping(ages: Set<Int>) -> Flapping {
        flapping(String((0..<Flapping.steps).reversed().map { ages.contains($0) ? "c" : "." }))
    }

    private func isClose(_ share: Double, _ other: Double) -> Bool {
        abs(share - other) < 1e-9
    }

    @Test func `the changes of Nagios's example weigh 34.28 percent`() {
        // Changes at t3, t4, t5, t9, t12, t16 and t19 of t0…t20.
        let flapping = flapping("..ccc...c..c...c..c.")
        #expect((flapping.share * 10_000).rounded() == 3_428)
    }

    @Test func `a change at every verdict is 100 percent, and no change is zero`() {
        #expect(flapping(String(repeating: "c", count: 20)).share == 1)
        #expect(flapping(String(repeating: "c", count: 20), every: .seconds(7)).share == 1)
        #expect(flapping(String(repeating: ".", count: 30)).share == 0)
        #expect(flapping("").share == 0)
    }

    @Test func `the oldest change weighs 0.75 and the newest 1.25 of a twentieth`() {
        #expect(isClose(flapping("c" + String(repeating: ".", count: 19)).share, 0.75 / 20))
        #expect(isClose(flapping(String(repeating: ".", count: 20) + "c").share, 1.25 / 20))
        #expect(flapping("c" + String(repeating: ".", count: 20)).share == 0)
    }

    @Test func `flapping begins at exactly 30 percent`() {
        // (95 − 2 · age) / 76 for each, of twenty: 456 / 1520.
        let limit = flapping(ages: [0, 6, 9, 11, 13, 18])
        #expect(limit.share == 0.3)
        #expect(limit.isFlapping)
        let less = flapping(ages: [0, 6, 9, 11, 13, 19])
        #expect(less.share < 0.3)
        #expect(!less.isFlapping)
    }

    /// Six changes at the start and four long after them: ten minutes after the six, 20 % are left.
    @Test func `flapping ends at exactly 20 percent`() {
        var flapping = Flapping()
        for second in 1...6 { _ = flapping.record(isChange: true, at: .seconds(second)) }
        #expect(flapping.isFlapping)
        // Ten minutes after the six, the four have the ages 17, 10, 7 and 4: (4 · 95 − 2 · 38) / 1520.
        let changes = [3, 10, 13, 16]
        for step in 1...20 {
            #expect(flapping.record(isChange: changes.contains(step), at: .seconds(30 * step)) == nil)
        }
        #expect(flapping.share > 0.2)
        #expect(flapping.record(isChange: false, at: .seconds(606)) == false)
        #expect(flapping.share == 0.2)
    }

    @Test func `flapping continues just above 20 percent`() {
        var flapping = Flapping()
        for second in 1...6 { _ = flapping.record(isChange: true, at: .seconds(second)) }
        let changes = [3, 10, 13, 17]
        for step in 1...20 {
            #expect(flapping.record(isChange: changes.contains(step), at: .seconds(30 * step)) == nil)
        }
        #expect(flapping.record(isChange: false, at: .seconds(606)) == nil)
        #expect(flapping.share > 0.2 && flapping.share < 0.21)
    }

    /// Six changes within ten minutes weigh at least 6 · 0.75 / 20, which is 22.5 %.
    @Test(arguments: 0..<30) func `flapping continues while six changes are within ten minutes`(second: Int) {
        var flapping = Flapping()
        for time in 1...(second + 620) {
            let isChange = (second + 1...second + 6).contains(time)
            guard let change = flapping.record(isChange: isChange, at: .seconds(time)) else { continue }
            #expect(change == (time == second + 6), "\(time)")
            #expect(change || time == second + 601, "\(time)")
        }
        #expect(!flapping.isFlapping)
    }

    @Test func `verdicts more than half a minute apart are one step each`() {
        for step in [30, 45, 60, 3_600] {
            let flapping = flapping("..ccc...c..c...c..c.", every: .seconds(step))
            #expect((flapping.share * 10_000).rounded() == 3_428, "\(step)")
        }
    }

    @Test(arguments: [5, 10, 15])
    func
        `a target that changes every few seconds flaps within two minutes, until ten minutes after it settles`(
            period: Int
        ) throws
    {
        var story = Story(.make(fall: 1))
        story.hear("r")
        for _ in 0..<(240 / period / 2) {
            story.hear(String(repeating: "t", count: period) + String(repeating: "r", count: period))
        }
        guard case .flapping(_, true, let share, let start)? = story.others.first else {
            Issue.record("\(story.others)")
            return
        }
        #expect(start <= .seconds(120) && share >= 0.3 && share < 0.4)
        #expect(RosterEvent.flappingSummary(true, share: 0.42) == "flapping 42%: health hooks are held back")
        let settled = story.now
        story.hear(String(repeating: "r", count: 620))
        guard case .flapping(_, false, let rest, let end)? = story.others.last else {
            Issue.record("\(story.others)")
            return
        }
        #expect(rest <= 0.2 && end > settled + .seconds(240) && end <= settled + .seconds(610))
        #expect(story.others.count == 2)
        story.hear(String(repeating: "r", count: 60))
        #expect(story["NAS"]?.flapping == nil, "a steady target has no state")
    }
}

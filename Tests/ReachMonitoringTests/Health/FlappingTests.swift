import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct FlappingTests {
    /// Verdicts a step apart: `c` for a change of health, `.` for none.
    private func flapping(_ verdicts: String, every step: Duration = .seconds(30)) -> Flapping {
        var flapping = Flapping()
        for (index, letter) in verdicts.enumerated() {
            _ = flapping.record(letter == "c" ? change() : nil, at: step * (index + 1))
        }
        return flapping
    }

    /// A change of health; the times in it do not matter.
    private func change(from: Health = .up, to: Health = .down) -> Transition {
        Transition(from: from, to: to, time: .zero, lasted: .zero, cause: .replies(1))
    }

    /// When a target flaps no longer, in seconds, whose health changed at these seconds; verdicts are a second apart.
    private func end(ofChangesAt seconds: [Int]) -> Int? {
        var flapping = Flapping()
        for second in 1...10_000 {
            let isFlapping = flapping.record(seconds.contains(second) ? change() : nil, at: .seconds(second))
            if isFlapping == false, second > seconds.last ?? 0 { return second }
        }
        return nil
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
        for second in 1...6 { _ = flapping.record(change(), at: .seconds(second)) }
        #expect(flapping.isFlapping)
        // Ten minutes after the six, the four have the ages 17, 10, 7 and 4: (4 · 95 − 2 · 38) / 1520.
        let changes = [3, 10, 13, 16]
        for step in 1...20 {
            #expect(flapping.record(changes.contains(step) ? change() : nil, at: .seconds(30 * step)) == nil)
        }
        #expect(flapping.share > 0.2)
        #expect(flapping.record(nil, at: .seconds(606)) == false)
        #expect(flapping.share == 0.2)
    }

    @Test func `flapping continues just above 20 percent`() {
        var flapping = Flapping()
        for second in 1...6 { _ = flapping.record(change(), at: .seconds(second)) }
        let changes = [3, 10, 13, 17]
        for step in 1...20 {
            #expect(flapping.record(changes.contains(step) ? change() : nil, at: .seconds(30 * step)) == nil)
        }
        #expect(flapping.record(nil, at: .seconds(606)) == nil)
        #expect(flapping.share > 0.2 && flapping.share < 0.21)
    }

    @Test func `three outages within half a minute count until 21 verdicts after them`() {
        #expect(end(ofChangesAt: [1, 7, 13, 19, 25, 31]) == 52)
    }

    @Test func `a target is steady after twice the usual distance of its changes`() {
        // Two changes take 90 s in the median: an outage of 20 s, and 70 s until the next.
        #expect(end(ofChangesAt: [20, 90, 110, 180, 200, 270, 290]) == 380)
        // One long time between two outages does not matter.
        #expect(end(ofChangesAt: [1, 301, 307, 313, 319, 325, 331, 337]) == 358)
    }

    @Test func `a target is steady after ten minutes, also if its verdicts are rare`() {
        var flapping = flapping(ages: [0, 1, 2, 3, 4, 5])
        #expect(flapping.isFlapping)
        var story: [Bool?] = []
        // Verdicts two minutes apart, after those half a minute apart.
        for verdict in 1...6 { story.append(flapping.record(nil, at: .seconds(600 + 120 * verdict))) }
        #expect(story == [nil, nil, nil, nil, false, nil])
    }

    /// Six changes within ten minutes weigh at least 6 · 0.75 / 20, which is 22.5 %.
    @Test func `flapping continues while the changes do`() {
        var flapping = Flapping()
        var changes: [Bool] = []
        for second in 1...3_600 {
            if let change = flapping.record(second.isMultiple(of: 90) ? change() : nil, at: .seconds(second)) {
                changes.append(change)
            }
        }
        #expect(changes == [true])
    }

    @Test func `a step through degraded around an outage is no change of its own`() {
        let counted = { (healths: [Health]) in
            var flapping = Flapping()
            for (index, (from, to)) in zip(healths, healths.dropFirst()).enumerated() {
                _ = flapping.record(change(from: from, to: to), at: .seconds(index))
            }
            // The weight of a change is at least 0.75 / 20 and at most 1.25 / 20.
            return (flapping.share * 20 / 1.25).rounded(.up)
        }
        #expect(counted([.up, .down, .up]) == 2)
        #expect(counted([.up, .degraded, .down, .up]) == 2)
        #expect(counted([.up, .down, .degraded, .up]) == 2)
        #expect(counted([.up, .degraded, .down, .degraded, .up]) == 2)
        #expect(counted([.up, .degraded, .up]) == 2)
        #expect(counted([.down, .degraded, .down]) == 2)
        #expect(counted([.up, .unknown, .degraded, .up]) == 1)
    }

    @Test func `verdicts more than half a minute apart are one step each`() {
        for step in [30, 45, 60, 3_600] {
            let flapping = flapping("..ccc...c..c...c..c.", every: .seconds(step))
            #expect((flapping.share * 10_000).rounded() == 3_428, "\(step)")
        }
    }

    @Test(arguments: [5, 10, 15])
    func `a target that changes every few seconds flaps within two minutes, until it is steady`(period: Int) throws {
        var story = Story(.make(fall: 1))
        story.hear("r")
        for _ in 0..<(240 / period / 2) {
            story.hear(String(repeating: "t", count: period) + String(repeating: "r", count: period))
        }
        guard case .flapping(true, let share)? = story.others.first?.kind, let start = story.others.first?.time else {
            Issue.record("\(story.others)")
            return
        }
        #expect(start <= .seconds(120) && share >= 0.3 && share < 0.4)
        #expect(RosterEvent.flappingSummary == "changes too often: its reports wait until it is stable")
        // The last change was the first of the replies.
        let settled = story.now - .seconds(period - 1)
        story.hear(String(repeating: "r", count: 620))
        guard case .flapping(false, _)? = story.others.last?.kind, let end = story.others.last?.time else {
            Issue.record("\(story.others)")
            return
        }
        #expect(end == settled + .seconds(max(21, 2 * period)))
        #expect(story.others.count == 2)
        story.hear(String(repeating: "r", count: 60))
        #expect(story["NAS"]?.flapping == nil, "a steady target has no state")
    }
}

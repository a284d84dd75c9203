import ReachMonitoring
import TestSupport
import Testing

struct ScheduleTests {
    private let ids = (0..<4).map { Target.ID($0) }

    private func schedule(
        _ count: Int = 4,
        interval: Duration = .seconds(1),
        spread: Double = 0,
        start: Duration = .zero
    ) -> Schedule {
        var schedule = Schedule(seed: 7)
        schedule.add(
            (0..<count).map { Schedule.Entry(id: Target.ID($0), interval: interval, spread: spread) },
            at: start
        )
        return schedule
    }

    /// Advances a schedule to its next due time, `count` times.
    private func advance(_ schedule: inout Schedule, _ count: Int) -> [(time: Duration, ids: [Target.ID])] {
        (0..<count).compactMap { _ in schedule.next.map { ($0, schedule.due(at: $0)) } }
    }

    @Test func `first probes are staggered over the interval`() {
        var schedule = schedule(start: .seconds(10))
        let story = advance(&schedule, 5)
        #expect(story.map(\.time) == [10, 10.25, 10.5, 10.75, 11].map { .seconds($0) })
        #expect(story.map(\.ids) == [[ids[0]], [ids[1]], [ids[2]], [ids[3]], [ids[0]]])
    }

    @Test func `with long intervals, first probes are staggered over a second and later ones over the interval`() {
        var schedule = schedule(interval: .seconds(300), start: .seconds(10))
        let story = advance(&schedule, 12)
        let times = [10, 10.25, 10.5, 10.75, 235, 310, 385, 460, 535, 610, 685, 760]
        #expect(story.map(\.time) == times.map { .seconds($0) })
        #expect(story.map(\.ids) == [0, 1, 2, 3, 3, 0, 1, 2, 3, 0, 1, 2].map { [ids[$0]] })
    }

    @Test func `ten thousand first probes take two seconds, and later ones the interval`() {
        var schedule = schedule(10_000, interval: .seconds(300))
        var seen: Set<Target.ID> = []
        for millisecond in 0..<2_000 {
            let due = schedule.due(at: .milliseconds(millisecond))
            #expect(due.count <= 6)
            seen.formUnion(due)
        }
        #expect(seen.count > 9_990)
        let later = (1...10).map { schedule.due(at: .seconds(300 + 30 * $0)).count }
        #expect(later.dropFirst().allSatisfy { (990...1_010).contains($0) })
    }

    @Test(arguments: [Double.nan, -.infinity, .infinity, 1e300, -1])
    func `any spread leaves the next probe within two intervals`(_ spread: Double) throws {
        var schedule = schedule(1, spread: spread)
        for slot in 0..<100 {
            let next = try #require(schedule.next)
            #expect(next <= .seconds(slot + 2))
            _ = schedule.due(at: .seconds(slot + 1))
        }
    }

    @Test func `no target is due early`() {
        var schedule = schedule(1)
        #expect(schedule.due(at: .zero) == [ids[0]])
        #expect(schedule.due(at: .milliseconds(999)).isEmpty)
        #expect(schedule.due(at: .seconds(1)) == [ids[0]])
    }

    @Test func `a probe that leaves late does not delay the next`() {
        var schedule = schedule(1)
        _ = schedule.due(at: .milliseconds(700))
        #expect(schedule.next == .seconds(1))
    }

    @Test func `after a stall a target is due once and then in its slots`() {
        var schedule = schedule(1)
        _ = schedule.due(at: .zero)
        #expect(schedule.due(at: .milliseconds(60_300)) == [ids[0]])
        #expect(schedule.due(at: .milliseconds(60_300)).isEmpty)
        #expect(schedule.next == .seconds(61))
    }

    @Test func `the spread stays within its share of the interval and does not accumulate`() {
        var schedule = schedule(1, spread: 0.1)
        for slot in 1...1_000 {
            guard let previous = schedule.next else { return }
            _ = schedule.due(at: previous)
            guard let next = schedule.next else { return }
            #expect(next >= .seconds(slot) && next <= .seconds(slot) + .milliseconds(100))
        }
    }

    @Test func `the seed determines the schedule`() {
        var one = schedule(spread: 0.5)
        var other = schedule(spread: 0.5)
        #expect(advance(&one, 100).map(\.time) == advance(&other, 100).map(\.time))
    }

    @Test func `a new interval counts from the last probe`() {
        var schedule = schedule(1, interval: .seconds(10))
        _ = schedule.due(at: .zero)
        schedule.pace(ids[0], interval: .seconds(2), at: .seconds(1))
        let story = advance(&schedule, 3)
        #expect(story.map(\.time) == [.seconds(2), .seconds(4), .seconds(6)])
    }

    @Test func `a new interval that has already passed is due at once`() {
        var schedule = schedule(1, interval: .seconds(10))
        _ = schedule.due(at: .zero)
        schedule.pace(ids[0], interval: .seconds(2), at: .seconds(7))
        #expect(schedule.due(at: .seconds(7)) == [ids[0]])
        #expect(schedule.next == .seconds(9))
    }

    @Test func `a longer interval delays the next probe`() {
        var schedule = schedule(1)
        _ = schedule.due(at: .zero)
        schedule.pace(ids[0], interval: .seconds(10), at: .milliseconds(500))
        #expect(schedule.next == .seconds(10))
    }

    @Test func `the same interval changes nothing`() {
        var schedule = schedule(1)
        _ = schedule.due(at: .zero)
        schedule.pace(ids[0], interval: .seconds(1), at: .milliseconds(900))
        #expect(schedule.next == .seconds(1))
    }

    @Test func `a target that was never probed keeps its first slot`() {
        var schedule = schedule(2, interval: .seconds(10))
        schedule.pace(ids[1], interval: .seconds(8), at: .zero)
        _ = schedule.due(at: .zero)
        #expect(schedule.next == .milliseconds(500))
        schedule.pace(ids[1], interval: .milliseconds(100), at: .milliseconds(200))
        let story = advance(&schedule, 3)
        #expect(story.map(\.time) == [.milliseconds(300), .milliseconds(400), .milliseconds(500)])
    }

    @Test func `a hastened target is due at once and keeps its slots`() {
        var schedule = schedule(1, interval: .seconds(10))
        _ = schedule.due(at: .zero)
        schedule.probeNow([ids[0], ids[0], ids[3]], at: .seconds(3))
        #expect(schedule.next == .seconds(3))
        #expect(schedule.due(at: .seconds(3)) == [ids[0]])
        #expect(schedule.next == .seconds(10))
    }

    @Test func `a removed target is never due`() {
        var schedule = schedule(2)
        schedule.probeNow([ids[0]], at: .zero)
        schedule.remove([ids[0]])
        #expect(!schedule.contains(ids[0]))
        #expect(schedule.due(at: .seconds(100)) == [ids[1]])
        schedule.remove([ids[1]])
        #expect(schedule.next == nil)
        #expect(schedule.rate == 0)
    }

    @Test func `a target that is added again changes its interval and is not staggered again`() {
        var schedule = schedule(1, interval: .seconds(10))
        _ = schedule.due(at: .zero)
        schedule.add(
            [
                Schedule.Entry(id: ids[0], interval: .seconds(4)),
                Schedule.Entry(id: ids[1], interval: .seconds(4)),
            ],
            at: .seconds(1)
        )
        let story = advance(&schedule, 3)
        #expect(story.map(\.time) == [.seconds(1), .seconds(4), .seconds(5)])
        #expect(story.map(\.ids) == [[ids[1]], [ids[0]], [ids[1]]])
    }

    @Test func `an interval of zero is raised to the shortest interval`() {
        var schedule = schedule(1, interval: .zero)
        #expect(schedule.due(at: .zero) == [ids[0]])
        #expect(schedule.next == Schedule.shortestInterval)
    }

    @Test func `ten thousand targets are each due once a second, evenly`() {
        var schedule = schedule(10_000, spread: 0.05)
        #expect(abs(schedule.rate - 10_000) < 0.001)
        var counts = [Int](repeating: 0, count: 10_000)
        var busiest = 0
        for millisecond in 0..<5_000 {
            let due = schedule.due(at: .milliseconds(millisecond))
            busiest = max(busiest, due.count)
            for id in due { counts[id.rawValue] += 1 }
        }
        #expect(counts.allSatisfy { (4...5).contains($0) })
        #expect(busiest < 40)
    }
}

/// Compares the schedule with a naive one that checks every target.
struct SchedulePropertyTests {
    private struct Naive {
        struct ScheduledTarget {
            var first: Duration
            var base: Duration
            var interval: Duration
            var last: Duration?
            var next: Duration
        }

        var scheduled: [Target.ID: ScheduledTarget] = [:]
        var dueNow: Set<Target.ID> = []

        mutating func add(_ ids: [Target.ID], interval: Duration, at start: Duration) {
            for (position, id) in ids.enumerated() {
                // The schedule rounds to nanoseconds.
                let base = start + .nanoseconds((interval * position / ids.count).nanoseconds)
                let window = min(interval, .seconds(1))
                let first = start + .nanoseconds((window * position / ids.count).nanoseconds)
                scheduled[id] = ScheduledTarget(first: first, base: base, interval: interval, next: first)
            }
        }

        mutating func pace(_ id: Target.ID, interval: Duration, at time: Duration) {
            guard var target = scheduled[id], target.interval != interval else { return }
            target.interval = interval
            if let last = target.last {
                target.base = max(time, last + interval)
                target.next = target.base
            } else {
                target.base = min(target.base, time + interval)
                target.first = min(target.first, target.base)
                target.next = target.first
            }
            scheduled[id] = target
        }

        mutating func due(at time: Duration) -> Set<Target.ID> {
            var due = dueNow
            for (id, target) in scheduled where target.next <= time {
                due.insert(id)
                let half = Duration.nanoseconds(target.interval.nanoseconds / 2)
                let earliest = target.last == nil ? max(time, target.first + half) : time
                var next = target.base
                while next <= earliest { next += target.interval }
                scheduled[id]?.next = next
            }
            for id in due { scheduled[id]?.last = time }
            dueNow = []
            return due
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `the schedule equals a naive one`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var schedule = Schedule(seed: seed)
        var naive = Naive()
        var now = Duration.seconds(3)
        var count = 0
        for _ in 0..<600 {
            let known = naive.scheduled.keys.sorted()
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let ids = (count..<count + Int.random(in: 1...9, using: &generator)).map { Target.ID($0 << 32 + 7) }
                count += ids.count
                let interval = Duration.milliseconds(Int.random(in: 3...9_000, using: &generator))
                schedule.add(ids.map { Schedule.Entry(id: $0, interval: interval) }, at: now)
                naive.add(ids, interval: interval, at: now)
            case 1:
                let removed = known.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
                schedule.remove(removed)
                for id in removed { naive.scheduled[id] = nil }
                naive.dueNow.subtract(removed)
            case 2, 3:
                guard let id = known.randomElement(using: &generator) else { continue }
                let interval = Duration.milliseconds(Int.random(in: 3...9_000, using: &generator))
                schedule.pace(id, interval: interval, at: now)
                naive.pace(id, interval: interval, at: now)
            case 4:
                let ids = known.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
                schedule.probeNow(ids, at: now)
                naive.dueNow.formUnion(ids)
            default:
                // Occasionally a stall.
                let most = Int.random(in: 0..<30, using: &generator) == 0 ? 20_000_000 : 40_000
                now += .microseconds(Int.random(in: 0...most, using: &generator))
            }
            if naive.dueNow.isEmpty { #expect(schedule.next == naive.scheduled.values.map(\.next).min()) }
            let due = schedule.due(at: now)
            #expect(Set(due) == naive.due(at: now))
            #expect(Set(due).count == due.count)
        }
    }
}

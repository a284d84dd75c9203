import Monitoring
import TestSupport
import Testing

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
        var hastened: Set<Target.ID> = []

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
            var due = hastened
            for (id, target) in scheduled where target.next <= time {
                due.insert(id)
                let half = Duration.nanoseconds(target.interval.nanoseconds / 2)
                let earliest = target.last == nil ? max(time, target.first + half) : time
                var next = target.base
                while next <= earliest { next += target.interval }
                scheduled[id]?.next = next
            }
            for id in due { scheduled[id]?.last = time }
            hastened = []
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
                naive.hastened.subtract(removed)
            case 2, 3:
                guard let id = known.randomElement(using: &generator) else { continue }
                let interval = Duration.milliseconds(Int.random(in: 3...9_000, using: &generator))
                schedule.pace(id, interval: interval, at: now)
                naive.pace(id, interval: interval, at: now)
            case 4:
                let ids = known.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
                schedule.probeNow(ids, at: now)
                naive.hastened.formUnion(ids)
            default:
                // Occasionally a stall.
                let most = Int.random(in: 0..<30, using: &generator) == 0 ? 20_000_000 : 40_000
                now += .microseconds(Int.random(in: 0...most, using: &generator))
            }
            if naive.hastened.isEmpty { #expect(schedule.next == naive.scheduled.values.map(\.next).min()) }
            let due = schedule.due(at: now)
            #expect(Set(due) == naive.due(at: now))
            #expect(Set(due).count == due.count)
        }
    }
}

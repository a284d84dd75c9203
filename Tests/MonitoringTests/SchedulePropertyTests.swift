import Monitoring
import TestSupport
import Testing

/// The schedule against one that knows no better than to look at every target.
struct SchedulePropertyTests {
    private struct Naive {
        struct Course {
            var base: Duration
            var interval: Duration
            var last: Duration?
            var next: Duration
        }

        var courses: [Target.ID: Course] = [:]
        var hastened: Set<Target.ID> = []

        mutating func add(_ ids: [Target.ID], interval: Duration, at start: Duration) {
            for (position, id) in ids.enumerated() {
                // The schedule knows no less than nanoseconds.
                let base = start + .nanoseconds((interval * position / ids.count).nanoseconds)
                courses[id] = Course(base: base, interval: interval, next: base)
            }
        }

        mutating func pace(_ id: Target.ID, interval: Duration, at time: Duration) {
            guard var course = courses[id], course.interval != interval else { return }
            course.interval = interval
            course.base = course.last.map { max(time, $0 + interval) } ?? min(course.base, time + interval)
            course.next = course.base
            courses[id] = course
        }

        mutating func due(at time: Duration) -> Set<Target.ID> {
            var due = hastened
            for (id, course) in courses where course.next <= time {
                due.insert(id)
                var next = course.base
                while next <= time { next += course.interval }
                courses[id]?.next = next
            }
            for id in due { courses[id]?.last = time }
            hastened = []
            return due
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `it does as one does that looks at every target`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var schedule = Schedule(seed: seed)
        var naive = Naive()
        var now = Duration.seconds(3)
        var count = 0
        for _ in 0..<600 {
            let known = naive.courses.keys.sorted()
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let ids = (count..<count + Int.random(in: 1...9, using: &generator)).map { Target.ID($0 << 32 + 7) }
                count += ids.count
                let interval = Duration.milliseconds(Int.random(in: 3...9_000, using: &generator))
                schedule.add(ids.map { Schedule.Entry(id: $0, interval: interval) }, at: now)
                naive.add(ids, interval: interval, at: now)
            case 1:
                let left = known.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
                schedule.remove(left)
                for id in left { naive.courses[id] = nil }
                naive.hastened.subtract(left)
            case 2, 3:
                guard let id = known.randomElement(using: &generator) else { continue }
                let interval = Duration.milliseconds(Int.random(in: 3...9_000, using: &generator))
                schedule.pace(id, interval: interval, at: now)
                naive.pace(id, interval: interval, at: now)
            case 4:
                let ids = known.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
                schedule.hasten(ids, at: now)
                naive.hastened.formUnion(ids)
            default:
                // A stall now and then.
                let most = Int.random(in: 0..<30, using: &generator) == 0 ? 20_000_000 : 40_000
                now += .microseconds(Int.random(in: 0...most, using: &generator))
            }
            if naive.hastened.isEmpty { #expect(schedule.next == naive.courses.values.map(\.next).min()) }
            let due = schedule.due(at: now)
            #expect(Set(due) == naive.due(at: now))
            #expect(Set(due).count == due.count)
        }
    }
}

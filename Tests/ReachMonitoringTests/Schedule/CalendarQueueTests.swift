import ReachMonitoring
import TestSupport
import Testing

struct CalendarQueueTests {
    @Test func `items are ordered by time, near and far`() {
        var queue = CalendarQueue<Int>()
        for (item, time) in [30, 0.001, 5, 2, 0.002, 1_000, 1, 1.5].enumerated() {
            queue.add(item, at: .seconds(time))
        }
        #expect(queue.next == .milliseconds(1))
        #expect((0..<8).compactMap { _ in queue.take(at: .seconds(1_000)) } == [1, 4, 6, 7, 3, 2, 0, 5])
        #expect(queue.next == nil)
    }

    @Test func `an item added later and due earlier comes first`() {
        var queue = CalendarQueue<Int>()
        queue.add(1, at: .seconds(100))
        queue.add(2, at: .seconds(99))
        queue.add(3, at: .zero - .seconds(1))
        #expect(queue.take(at: .zero) == 3)
        #expect(queue.take(at: .seconds(98)) == nil)
        #expect(queue.next == .seconds(99))
        #expect(queue.take(at: .seconds(200)) == 2)
        #expect(queue.take(at: .seconds(200)) == 1)
    }

    @Test func `times far in the future are ordered`() {
        var queue = CalendarQueue<Int>()
        queue.add(1, at: .seconds(Int64.max))
        queue.add(2, at: .zero)
        queue.add(3, at: .seconds(Int64.max / 2))
        #expect((0..<3).compactMap { _ in queue.take(at: .seconds(Int64.max)) } == [2, 3, 1])
    }

    @Test(arguments: [1, 20, 3_000, 60_000])
    func `the queue equals a sorted array`(milliseconds: Int) {
        var generator = SplitMix(seed: UInt64(milliseconds))
        var queue = CalendarQueue<Int>()
        var model: [(time: Duration, item: Int)] = []
        var now = Duration.zero
        for item in 0..<4_000 {
            // The queue grows and shrinks in turns, down to zero.
            let isGrowing = item / 300 % 2 == 0
            for _ in 0..<Int.random(in: 0...(isGrowing ? 3 : 1), using: &generator) {
                // Times are unique, since the order of equal times is undefined.
                let time =
                    now + .milliseconds(Int.random(in: -1...milliseconds, using: &generator)) + .nanoseconds(item)
                guard !model.contains(where: { $0.time == time }) else { continue }
                queue.add(item, at: time)
                model.append((time, item))
            }
            model.sort { $0.time < $1.time }
            #expect(queue.next == model.first?.time)
            now += .microseconds(Int.random(in: 0...milliseconds * (isGrowing ? 2 : 200), using: &generator))
            if item.isMultiple(of: 7) {
                queue.discard { $0.isMultiple(of: 3) }
                while let first = model.first, first.item.isMultiple(of: 3) { model.removeFirst() }
            }
            while let first = model.first, first.time <= now {
                #expect(queue.take(at: now) == first.item)
                model.removeFirst()
            }
            #expect(queue.take(at: now) == nil)
        }
    }
}

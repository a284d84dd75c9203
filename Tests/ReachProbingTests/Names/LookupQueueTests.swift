import Testing

@testable import ReachProbing

/// The order of lookups, without a thread and a clock.
@Suite struct LookupQueueTests {
    private func names(_ prefix: String, _ numbers: Range<Int>) -> [NameQuery] {
        numbers.map { NameQuery("\(prefix)\($0)") }
    }

    private func queue(_ names: [NameQuery], maxThreads: Int = 256) -> LookupQueue {
        var queue = LookupQueue(concurrencyLimit: 16, maxThreads: maxThreads)
        for name in names { queue.add(name) }
        return queue
    }

    @Test func `sixteen lookups run at a time, and each that ends frees a place`() {
        var queue = queue(names("n", 0..<20))
        #expect(queue.start(at: .zero) == names("n", 0..<16))
        #expect(queue.start(at: .zero) == [])
        queue.end(NameQuery("n3"), at: .milliseconds(2))
        queue.end(NameQuery("n5"), at: .milliseconds(2))
        #expect(queue.start(at: .milliseconds(2)) == names("n", 16..<18))
    }

    @Test func `lookups that hang free their slots, up to a limit`() {
        var queue = queue(names("dead", 0..<60), maxThreads: 40)
        #expect(queue.start(at: .zero).count == 16)
        #expect(queue.nextDeadline == .milliseconds(10))
        #expect(queue.start(at: .milliseconds(9)) == [])
        #expect(queue.start(at: .milliseconds(10)) == names("dead", 16..<32))
        #expect(queue.nextDeadline == .milliseconds(20))
        #expect(queue.start(at: .milliseconds(25)) == names("dead", 32..<40))
        #expect(queue.nextDeadline == nil)
        #expect(queue.start(at: .seconds(9)) == [])
        queue.end(NameQuery("dead0"), at: .seconds(10))
        #expect(queue.start(at: .seconds(10)) == names("dead", 40..<41))
    }

    @Test func `an empty queue has no deadline`() {
        var queue = queue(names("n", 0..<16))
        #expect(queue.nextDeadline == nil)
        _ = queue.start(at: .zero)
        #expect(queue.nextDeadline == nil)
    }

    @Test func `a name that hung waits behind others until it resolves in time`() {
        let (dead, good, new) = (NameQuery("dead"), NameQuery("good"), NameQuery("new"))
        var queue = queue([dead])
        _ = queue.start(at: .zero)
        queue.end(dead, at: .seconds(10))
        let busy = names("n", 0..<16)
        for name in busy + [dead, good, new] { queue.add(name) }
        #expect(queue.start(at: .seconds(10)) == busy)
        for name in busy { queue.end(name, at: .seconds(10)) }
        #expect(queue.start(at: .seconds(10)) == [good, new, dead])
        queue.end(dead, at: .seconds(10))
        for name in names("m", 0..<16) { queue.add(name) }
        _ = queue.start(at: .seconds(11))
        queue.add(dead)
        queue.add(new)
        queue.end(NameQuery("m0"), at: .seconds(11))
        queue.end(NameQuery("m1"), at: .seconds(11))
        #expect(queue.start(at: .seconds(11)).first == dead)
    }

    @Test func `names that resolve are not delayed by a second behind hundreds that hang`() {
        // The share of one of three lanes in a thousand dead names.
        var queue = queue(names("dead", 0..<334) + names("good", 0..<7), maxThreads: 512)
        var left = Set(names("good", 0..<7))
        var now = Duration.zero
        while !left.isEmpty, now < .seconds(1) {
            for name in queue.start(at: now) where left.remove(name) != nil { queue.end(name, at: now) }
            // The shortest time between two ticks of the event loop.
            now += .milliseconds(15)
        }
        #expect(left.isEmpty)
        #expect(now < .milliseconds(500))
    }

    @Test func `slow names use at most half of the threads`() {
        var queue = queue(names("dead", 0..<40), maxThreads: 40)
        for step in 0..<3 { _ = queue.start(at: .milliseconds(step * 10)) }
        for name in names("dead", 0..<40) { queue.end(name, at: .seconds(10)) }
        for name in names("dead", 0..<40) { queue.add(name) }
        var started = 0
        for step in 0..<5 { started += queue.start(at: .seconds(11) + .milliseconds(step * 10)).count }
        #expect(started == 20)
        #expect(queue.nextDeadline == nil)
        queue.add(NameQuery("good"))
        #expect(queue.start(at: .seconds(12)) == [NameQuery("good")])
    }

    @Test func `a name that takes a tenth of a second is not slow`() {
        let name = NameQuery("far")
        var queue = queue([name])
        _ = queue.start(at: .zero)
        queue.end(name, at: .milliseconds(999))
        queue.add(name)
        queue.add(NameQuery("other"))
        #expect(queue.start(at: .seconds(1)) == [name, NameQuery("other")])
    }

    @Test func `without a thread, a name waits for another lookup to end`() {
        var queue = queue(names("n", 0..<3))
        #expect(queue.start(at: .zero).count == 3)
        queue.postpone(NameQuery("n2"), at: .zero)
        #expect(queue.start(at: .milliseconds(1)) == [])
        #expect(queue.nextDeadline == .seconds(1))
        queue.end(NameQuery("n0"), at: .milliseconds(2))
        #expect(queue.start(at: .milliseconds(2)) == [NameQuery("n2")])
        queue.end(NameQuery("n1"), at: .milliseconds(3))
        #expect(queue.isAlone(NameQuery("n2")))
    }
}

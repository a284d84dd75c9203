import Testing

@testable import Probing

/// What is looked up when, without a thread and without a clock.
@Suite struct LookupQueueTests {
    private func names(_ prefix: String, _ numbers: Range<Int>) -> [NameQuery] {
        numbers.map { NameQuery("\(prefix)\($0)") }
    }

    private func queue(_ names: [NameQuery], most: Int = 256) -> LookupQueue {
        var queue = LookupQueue(places: 16, most: most)
        for name in names { queue.add(name) }
        return queue
    }

    @Test func `sixteen are looked up at a time, and each that ends makes room for the next`() {
        var queue = queue(names("n", 0..<20))
        #expect(queue.start(at: .zero) == names("n", 0..<16))
        #expect(queue.start(at: .zero) == [])
        queue.end(NameQuery("n3"), at: .milliseconds(2))
        queue.end(NameQuery("n5"), at: .milliseconds(2))
        #expect(queue.start(at: .milliseconds(2)) == names("n", 16..<18))
    }

    @Test func `those that hang leave their places to the next, up to a limit`() {
        var queue = queue(names("dead", 0..<60), most: 40)
        #expect(queue.start(at: .zero).count == 16)
        #expect(queue.nextDeadline == .milliseconds(100))
        #expect(queue.start(at: .milliseconds(99)) == [])
        #expect(queue.start(at: .milliseconds(100)) == names("dead", 16..<32))
        #expect(queue.nextDeadline == .milliseconds(200))
        #expect(queue.start(at: .milliseconds(250)) == names("dead", 32..<40))
        #expect(queue.nextDeadline == nil)
        #expect(queue.start(at: .seconds(9)) == [])
        queue.end(NameQuery("dead0"), at: .seconds(10))
        #expect(queue.start(at: .seconds(10)) == names("dead", 40..<41))
    }

    @Test func `with nothing in the queue, nothing is to be done`() {
        var queue = queue(names("n", 0..<16))
        #expect(queue.nextDeadline == nil)
        _ = queue.start(at: .zero)
        #expect(queue.nextDeadline == nil)
    }

    @Test func `a name that hung waits behind those that did not, until it answers in time`() {
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
}

import ReachMonitoring
import Testing

@testable import ReachProbing

struct PatternSearchQueueTests {
    private typealias Queue = PatternSearchQueue<Int>

    private func patterns(_ range: Range<Int>) -> [String] {
        range.map { "p\($0)" }
    }

    /// Returns a queue with eight searches that started at time zero.
    private func full() -> Queue {
        var queue = Queue()
        for pattern in patterns(0..<8) { _ = queue.add(0, for: pattern, size: 1, at: .zero) }
        return queue
    }

    @Test func `one search per pattern runs at a time, and eight in total`() {
        var queue = Queue()
        #expect(queue.add(1, for: "a", size: 1, at: .zero) == .started)
        #expect(queue.add(2, for: "a", size: 1, at: .zero) == .queued)
        #expect(queue.add(3, for: "a", size: 1, at: .zero) == .queued)
        for pattern in patterns(1..<8) { #expect(queue.add(0, for: pattern, size: 1, at: .zero) == .started) }
        #expect(queue.add(4, for: "b", size: 1, at: .zero) == .queued)
        #expect(queue.end("p1", at: .zero).map(\.job) == [4])
        #expect(queue.end("a", at: .zero).map(\.job) == [2])
        #expect(queue.end("a", at: .zero).map(\.job) == [3])
        #expect(queue.end("a", at: .zero).isEmpty)
    }

    @Test func `a pattern with many searches does not block others`() {
        var queue = full()
        for job in 1...3 { #expect(queue.add(job, for: "p0", size: 1, at: .zero) == .queued) }
        #expect(queue.add(9, for: "b", size: 1, at: .zero) == .queued)
        #expect(queue.end("p0", at: .zero).map(\.job) == [9])
        #expect(queue.end("b", at: .zero).map(\.job) == [1])
    }

    @Test func `slow searches do not count`() {
        var queue = full()
        #expect(queue.add(1, for: "b", size: 1, at: .zero) == .queued)
        #expect(queue.expire(at: .milliseconds(99)).started.isEmpty)
        #expect(!queue.isSlow("p0", at: .milliseconds(99)))
        #expect(queue.expire(at: .milliseconds(100)).started.map(\.job) == [1])
        #expect(queue.isSlow("p0", at: .milliseconds(100)) && !queue.isSlow("b", at: .milliseconds(100)))
        for pattern in patterns(8..<15) {
            #expect(queue.add(0, for: pattern, size: 1, at: .milliseconds(101)) == .started)
        }
        #expect(queue.add(0, for: "c", size: 1, at: .milliseconds(101)) == .queued)
    }

    @Test func `the time limit is five seconds`() {
        var queue = PatternSearchQueue<Int>()
        _ = queue.add(1, for: "a", size: 1, at: .zero)
        _ = queue.add(2, for: "b", size: 1, at: .seconds(1))
        #expect(queue.endless(at: .milliseconds(4_999)).isEmpty)
        #expect(queue.endless(at: .seconds(5)) == ["a"])
        _ = queue.end("a", at: .seconds(5))
        #expect(queue.endless(at: .seconds(6)) == ["b"])
    }

    @Test func `a search beyond the time limit disables only its pattern`() {
        var queue = full()
        #expect(queue.add(1, for: "p0", size: 1, at: .seconds(4)) == .queued)
        #expect(queue.expire(at: .milliseconds(4_999)).rejected.isEmpty)
        #expect(queue.expire(at: .seconds(5)).rejected.map(\.job) == [1])
        #expect(queue.expire(at: .seconds(5)).rejected.isEmpty)
        #expect(queue.add(2, for: "p0", size: 1, at: .seconds(5)) == .rejected)
        #expect(queue.add(3, for: "b", size: 1, at: .seconds(5)) == .started)
        #expect(queue.end("p0", at: .seconds(9)).isEmpty)
        #expect(queue.add(4, for: "p0", size: 1, at: .seconds(9)) == .started, "the search has ended")
    }

    @Test func `the queued text per pattern is limited`() {
        var queue = full()
        #expect(queue.add(1, for: "p0", size: Queue.maxQueuedBytes, at: .zero) == .queued)
        #expect(queue.add(2, for: "p0", size: 1, at: .zero) == .queued)
        #expect(queue.add(3, for: "p0", size: 1, at: .zero) == .rejected)
        #expect(queue.add(4, for: "p1", size: 1, at: .zero) == .queued)
    }
}

import Dispatch
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct BlockingQueueTests {
    @Test func `calls run one after another`() async {
        let queue = BlockingQueue("test")
        let results = await withTaskGroup(of: Int?.self) { group in
            for number in 1...20 { group.addTask { await queue.run { number } } }
            return await group.reduce(into: []) { $0.append($1 ?? 0) }
        }
        #expect(results.sorted() == Array(1...20))
    }

    @Test func `a call that blocks delays only its queue, and a cancelled caller does not wait for it`() async {
        let (blocked, other) = (BlockingQueue("blocked"), BlockingQueue("other"))
        let gate = DispatchSemaphore(value: 0)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            await blocked.run {
                start.yield()
                gate.wait()
                return 1
            }
        }
        for await _ in starts { break }
        let second = Task { await blocked.run { 2 } }
        #expect(await other.run { 3 } == 3)
        first.cancel()
        second.cancel()
        #expect(await first.value == nil)
        #expect(await second.value == nil)
        gate.signal()
        #expect(await blocked.run { 4 } == 4)
    }
}

import Dispatch
import Testing

@testable import ReachProbing

import ReachSystem

@Suite(.timeLimit(.minutes(1)))
struct WorkerThreadTests {
    #if os(Linux)
    /// The priority of a thread.
    private func priority(of thread: WorkerThread) async -> Int32 {
        await withCheckedContinuation { continuation in
            thread.run { continuation.resume(returning: getpriority(0, 0)) }
        }
    }

    @Test func `only one thread gets the lowest priority`() async throws {
        let threads = [try #require(WorkerThread()), try #require(WorkerThread())]
        let before = await priority(of: threads[1])
        // From another thread, as for an endless search.
        #expect(threads[0].lowerPriority(to: WorkerThread.lowest))
        #expect(threads[0].lowerPriority(to: WorkerThread.background), "it has a lower one")
        #expect(await priority(of: threads[0]) == 19)
        #expect(await priority(of: threads[1]) == before)
        for thread in threads { thread.close() }
    }
    #endif

    @Test func `more jobs than threads wait for their turn, and each runs once`() async throws {
        let pool = WorkerPool()
        let count = WorkerPool.maxThreads * 4
        let results = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<count { group.addTask { await pool.run { number } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.compactMap(\.self).sorted() == Array(0..<count))
    }

    @Test func `a job is refused when too many wait behind blocked threads`() async throws {
        let pool = WorkerPool()
        let end = DispatchSemaphore(value: 0)
        let block: @Sendable () -> Void = {
            end.wait()
            end.signal()
        }
        for _ in 0..<(WorkerPool.maxThreads + WorkerPool.maxQueued) { #expect(pool.start(block)) }
        #expect(!pool.start {})
        #expect(await pool.run { 1 } == nil)
        end.signal()
    }
}

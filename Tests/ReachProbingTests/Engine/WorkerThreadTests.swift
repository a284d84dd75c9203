#if os(Linux)
import NIOPosix
import Testing

@testable import ReachProbing

import ReachSystem

struct BackgroundThreadTests {
    /// The priority of the current thread.
    private static var priority: Int32 { getpriority(0, 0) }

    @Test func `only one thread gets the lowest priority`() async throws {
        let pools = [NIOThreadPool(numberOfThreads: 1), NIOThreadPool(numberOfThreads: 1)]
        for pool in pools { pool.start() }
        let before = try await pools[1].runIfActive { Self.priority }
        let thread = try await pools[0].runIfActive { BackgroundThread.current }
        // From another thread, as for an endless search.
        #expect(try await pools[1].runIfActive { thread.lowerPriority(to: BackgroundThread.lowest) })
        #expect(try await pools[1].runIfActive { thread.lowerPriority(to: BackgroundThread.searching) })
        #expect(try await pools[0].runIfActive { Self.priority } == 19)
        #expect(try await pools[1].runIfActive { Self.priority } == before)
        for pool in pools { try await pool.shutdownGracefully() }
    }
}
#endif

import Synchronization
import Testing

@testable import Hooks

/// Output that goes on after the command has ended: a process that it left behind holds the pipe.
@Suite struct OutputFloodTests {
    private static let piece = 65_536

    /// How many pieces are read when the leader ends after some of them.
    private func piecesRead(of offered: Int, endingAfter pieces: Int) async -> Int {
        let count = Mutex(0)
        let (source, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        for _ in 0..<offered { continuation.yield([UInt8](repeating: 120, count: Self.piece)) }
        continuation.finish()
        _ = await Job.collect(
            source,
            hasLeaderEnded: {
                count.withLock {
                    $0 += 1
                    return $0 > pieces
                }
            }
        )
        return count.withLock(\.self)
    }

    @Test func `after the end no more is read than can have been in the pipe`() async {
        let most = Job.largestPipe / Self.piece
        #expect(await piecesRead(of: 10 * most, endingAfter: 5) == 5 + most + 1)
    }

    @Test func `before the end all is read`() async {
        let most = Job.largestPipe / Self.piece
        #expect(await piecesRead(of: 4 * most, endingAfter: 4 * most) == 4 * most)
    }
}

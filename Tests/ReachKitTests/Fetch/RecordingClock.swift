import Synchronization
import TestSupport

/// A clock that records the durations of sleeps. A sleep takes no time, or lasts until its task is cancelled.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let isStanding: Bool
    private let state = Mutex<(now: Instant, pauses: [Duration])>((Instant(offset: .zero), []))
    /// The durations of sleeps, each when it begins.
    let sleeps: AsyncStream<Duration>
    private let sleep: AsyncStream<Duration>.Continuation

    /// - Parameter isStanding: whether sleeps last until their task is cancelled.
    init(isStanding: Bool = false) {
        self.isStanding = isStanding
        (sleeps, sleep) = AsyncStream.makeStream()
    }

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }
    /// The durations of all sleeps so far.
    var pauses: [Duration] { state.withLock(\.pauses) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = state.withLock { state in
            let pause = state.now.duration(to: deadline)
            state.pauses.append(pause)
            if !isStanding { state.now = max(state.now, deadline) }
            return pause
        }
        sleep.yield(pause)
        if isStanding { try await sleepUntilCancelled() }
    }
}

import Synchronization
import TestSupport

/// A clock on which sleeping takes no time, or no end before the task is cancelled, and which keeps how long it was to be.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let isStanding: Bool
    private let state = Mutex<(now: Instant, pauses: [Duration])>((Instant(offset: .zero), []))
    /// Tells of each sleep as it begins.
    let sleeps: AsyncStream<Duration>
    private let sleep: AsyncStream<Duration>.Continuation

    /// - Parameter isStanding: whether the time does not pass.
    init(isStanding: Bool = false) {
        self.isStanding = isStanding
        (sleeps, sleep) = AsyncStream.makeStream()
    }

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }
    /// How long the sleeps so far were to be.
    var pauses: [Duration] { state.withLock(\.pauses) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = state.withLock { state in
            let pause = state.now.duration(to: deadline)
            state.pauses.append(pause)
            if !isStanding { state.now = max(state.now, deadline) }
            return pause
        }
        sleep.yield(pause)
        if isStanding { try await standStill() }
    }
}

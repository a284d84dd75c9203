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

/// A clock that stands until it is opened. Then every sleep of at least a second ends, and time is at its deadline.
/// Shorter sleeps last until their task is cancelled.
final class GatedClock: Clock {
    typealias Instant = RecordingClock.Instant

    private let gate = AsyncStream<Void>.makeStream()
    private let clock = RecordingClock()

    var now: Instant { clock.now }
    var minimumResolution: Duration { .zero }

    func open() {
        gate.continuation.finish()
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard now.duration(to: deadline) >= .seconds(1) else { return try await sleepUntilCancelled() }
        for await _ in gate.stream {}
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

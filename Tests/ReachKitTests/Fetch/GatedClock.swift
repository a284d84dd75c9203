import TestSupport

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

import Monitoring
import Synchronization

/// When the dashboard's loop goes round although nobody has anything to tell: with every other second of the clock, and
/// soon after somebody asked. In between nothing wakes.
struct Pulse: Sendable {
    /// The time from beat to beat while nobody asks. Each moves the figures, bars and ages of all rows: with one a
    /// second, twenty targets are more than a kilobyte a second for whoever looks on from afar.
    static let period = Duration.seconds(2)
    /// The shortest time between two beats that were asked for: frames that follow each other faster cannot be read.
    static let pause = Duration.milliseconds(100)

    /// Beats; it has one consumer.
    let beats: AsyncStream<Void>
    private let beat: AsyncStream<Void>.Continuation
    private let time: ProgramTime
    /// When the last beat was due that was asked for.
    private let last = Last()

    private final class Last: Sendable {
        let due = Mutex(Duration.zero - Pulse.pause)
    }

    /// A pulse that beats until nobody listens.
    init(time: ProgramTime) {
        self.time = time
        let (beats, beat) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.beats, self.beat) = (beats, beat)
        let period = Self.period.nanoseconds
        let steady = Task {
            while !Task.isCancelled {
                // Read anew: the clock may be set.
                let wall = (time.wall.start + time.now).nanoseconds
                try? await Task.sleep(for: .nanoseconds(period - wall % period))
                beat.yield()
            }
        }
        beat.onTermination = { _ in steady.cancel() }
    }

    /// Beats at once, but not sooner than the pause after the last time.
    func hasten() {
        let now = time.now
        let due = last.due.withLock { last in
            last = max(now, last + Self.pause)
            return last
        }
        guard due > now else {
            beat.yield()
            return
        }
        let beat = beat
        Task {
            try? await Task.sleep(for: due - now)
            beat.yield()
        }
    }
}

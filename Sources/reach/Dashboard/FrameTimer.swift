import Monitoring
import Synchronization

/// The timer of the dashboard loop: a tick every two seconds of wall time, and one soon after each request. The process
/// does not wake up in between.
struct FrameTimer: Sendable {
    /// The time between two regular ticks. Each one updates the figures, bars and ages of all rows: at one tick a second,
    /// twenty targets send more than a kilobyte a second over a remote connection.
    static let period = Duration.seconds(2)
    /// The minimum time between two requested ticks. People cannot read frames that change faster.
    static let pause = Duration.milliseconds(100)

    /// The ticks; the stream has one consumer.
    let ticks: AsyncStream<Void>
    private let tick: AsyncStream<Void>.Continuation
    private let time: ProgramTime
    private let lastRequest = LastRequest()

    /// The time at which the last requested tick was due. A class, so that copies of the timer share it.
    private final class LastRequest: Sendable {
        let due = Mutex(Duration.zero - FrameTimer.pause)
    }

    /// Creates a timer that ticks until the consumer of its stream is cancelled.
    init(time: ProgramTime) {
        self.time = time
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.ticks, self.tick) = (ticks, tick)
        let period = Self.period.nanoseconds
        let steady = Task {
            while !Task.isCancelled {
                // Computed for each tick, since the wall clock can be set.
                let wall = (time.wall.start + time.now).nanoseconds
                try? await Task.sleep(for: .nanoseconds(period - wall % period))
                tick.yield()
            }
        }
        tick.onTermination = { _ in steady.cancel() }
    }

    /// Requests a tick, at once or ``pause`` after the previous requested one.
    func request() {
        let now = time.now
        let due = lastRequest.due.withLock { last in
            last = max(now, last + Self.pause)
            return last
        }
        guard due > now else {
            tick.yield()
            return
        }
        let tick = tick
        Task {
            try? await Task.sleep(for: due - now)
            tick.yield()
        }
    }
}

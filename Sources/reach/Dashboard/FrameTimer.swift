import Monitoring
import Synchronization

/// The ticks of the dashboard's loop: one every other second of the clock, and one soon after each request. In between,
/// nothing wakes.
struct FrameTimer: Sendable {
    /// The time between two ticks without a request. Each moves the figures, bars and ages of all rows: with one a second,
    /// twenty targets are more than a kilobyte a second over a remote connection.
    static let period = Duration.seconds(2)
    /// The shortest time between two requested ticks: frames that follow each other faster cannot be read.
    static let pause = Duration.milliseconds(100)

    /// The ticks; the stream has one consumer.
    let ticks: AsyncStream<Void>
    private let tick: AsyncStream<Void>.Continuation
    private let time: ProgramTime
    private let lastRequest = LastRequest()

    /// When the last requested tick was due.
    private final class LastRequest: Sendable {
        let due = Mutex(Duration.zero - FrameTimer.pause)
    }

    /// A timer that ticks until its stream is cancelled.
    init(time: ProgramTime) {
        self.time = time
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.ticks, self.tick) = (ticks, tick)
        let period = Self.period.nanoseconds
        let steady = Task {
            while !Task.isCancelled {
                // Computed anew each time: the clock may be set.
                let wall = (time.wall.start + time.now).nanoseconds
                try? await Task.sleep(for: .nanoseconds(period - wall % period))
                tick.yield()
            }
        }
        tick.onTermination = { _ in steady.cancel() }
    }

    /// Requests a tick: at once, but not sooner than the pause after the last request's.
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

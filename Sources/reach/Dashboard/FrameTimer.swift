import Monitoring
import Synchronization

/// The timer of the dashboard loop. It ticks at the time that the loop asks for; the process does not wake up in between.
struct FrameTimer: Sendable {
    /// The ticks; the stream has one consumer.
    let ticks: AsyncStream<Void>
    private let tick: AsyncStream<Void>.Continuation
    private let time: ProgramTime
    private let next = NextTick()

    /// The time of the next tick; nil if there is none. A class, so that copies of the timer share it.
    private final class NextTick: Sendable {
        let time = Mutex<Duration?>(nil)
    }

    init(time: ProgramTime) {
        self.time = time
        (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Requests a tick, unless an earlier one is due. Each tick is followed by another request.
    ///
    /// - Parameter due: the time of the tick, since the start of the program.
    func schedule(at due: Duration) {
        let isNext = next.time.withLock { next in
            if let next, next <= due { return false }
            next = due
            return true
        }
        guard isNext else { return }
        let (tick, time, next) = (tick, time, next)
        Task {
            try? await Task.sleep(for: due - time.now)
            // Replaced by an earlier tick if it differs.
            let isDue = next.time.withLock { next in
                guard next == due else { return false }
                next = nil
                return true
            }
            if isDue { tick.yield() }
        }
    }
}

import Dispatch
import Monitoring
import Synchronization

/// The timer of the dashboard loop. It ticks at the time that the loop asks for; the process does not wake up in between.
struct FrameTimer: Sendable {
    /// The ticks; the stream has one consumer.
    let ticks: AsyncStream<Void>
    private let time: ProgramTime
    private let next: NextTick

    /// The next tick. A class, so that copies of the timer share it.
    private final class NextTick: Sendable {
        /// The time of the tick; nil if there is none.
        let time = Mutex<Duration?>(nil)
        let source: Mutex<any DispatchSourceTimer>

        init(queue: DispatchQueue) {
            source = Mutex(DispatchSource.makeTimerSource(queue: queue))
        }
    }

    /// Creates a timer.
    ///
    /// - Parameter queue: the queue of the loop. A tick then wakes no other thread.
    init(time: ProgramTime, queue: DispatchQueue) {
        self.time = time
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.ticks = ticks
        let next = NextTick(queue: queue)
        self.next = next
        next.source.withLock { source in
            source.setEventHandler { [weak next] in
                next?.time.withLock { $0 = nil }
                tick.yield()
            }
            source.activate()
        }
    }

    /// Requests a tick, unless an earlier one is due. Each tick is followed by another request.
    ///
    /// - Parameter due: the time of the tick, since the start of the program.
    func schedule(at due: Duration) {
        next.time.withLock { next in
            if let next, next <= due { return }
            next = due
            let pause = max(.zero, due - time.now).nanoseconds
            self.next.source.withLock {
                $0.schedule(deadline: .now() + .nanoseconds(Int(pause)), leeway: .milliseconds(1))
            }
        }
    }
}

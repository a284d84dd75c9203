import Dispatch
import Monitoring
import Synchronization

/// The timer of the dashboard loop. It ticks at the time that the loop asks for; the process does not wake up in between.
final class FrameTimer: Sendable {
    private struct State {
        let source: any DispatchSourceTimer
        /// The time of the next tick; nil if there is none.
        var next: Duration?
    }

    /// The ticks; the stream has one consumer.
    let ticks: AsyncStream<Void>
    private let time: ProgramTime
    private let state: Mutex<State>

    /// Creates a timer.
    ///
    /// - Parameter executor: the executor of the loop. A tick on its thread wakes no other.
    init(time: ProgramTime, on executor: LoopExecutor) {
        self.time = time
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.ticks = ticks
        state = Mutex(State(source: DispatchSource.makeTimerSource(queue: executor.queue)))
        state.withLock { state in
            state.source.setEventHandler { [weak self] in
                self?.state.withLock { $0.next = nil }
                tick.yield()
            }
            state.source.activate()
        }
    }

    deinit { state.withLock { $0.source.cancel() } }

    /// Requests a tick, unless an earlier one is due. Each tick is followed by another request.
    ///
    /// - Parameter due: the time of the tick, since the start of the program.
    func schedule(at due: Duration) {
        state.withLock { state in
            if let next = state.next, next <= due { return }
            state.next = due
            let pause = max(.zero, due - time.now)
            state.source.schedule(deadline: .now() + .nanoseconds(Int(pause.nanoseconds)), leeway: .nanoseconds(0))
        }
    }
}

import Dispatch
import ReachDashboard
import ReachMonitoring
import ReachScreen
import Synchronization

/// The event loop of the dashboard: folds each event into the model, performs the effects and paints the changes.
///
/// Keys and resizes are painted at once; keys that arrived while the loop was busy share a frame. Replies are painted at
/// once unless the last frame is too recent. All other changes wait for a tick, so that a thousand results share a frame.
/// After each event, the loop schedules the next tick, for the next frame or the next second. Without a change, nothing is
/// drawn.
struct DashboardLoop {
    /// The model, owned by the loop.
    private(set) var model: Model
    /// Paints a frame on the terminal; `isWhole` repaints every cell.
    let paintFrame: (_ frame: Frame, _ isWhole: Bool) -> Void
    /// Performs an effect outside the model. If it returns an event, the loop folds that as well.
    let performOutside: (Effect) async -> Event.Kind?
    /// The time of the events that effects return.
    let now: () -> Duration
    /// Schedules a tick at a time since the start of the program.
    let scheduleTick: (Duration) -> Void
    /// The frame that was painted last.
    private var painted: Frame?

    init(
        _ model: Model,
        paint: @escaping (Frame, Bool) -> Void,
        scheduleTick: @escaping (Duration) -> Void = { _ in },
        now: @escaping () -> Duration = { .zero },
        perform: @escaping (Effect) async -> Event.Kind?
    ) {
        self.model = model
        paintFrame = paint
        (self.scheduleTick, self.now) = (scheduleTick, now)
        performOutside = perform
    }

    /// Runs until the user quits, a signal ends the program, or the inputs end.
    ///
    /// - Parameter events: Returns the events of an input, which the loop then folds.
    mutating func run<Input>(
        _ inputs: some AsyncSequence<Input, Never>,
        _ events: (Input) async -> [Event]
    ) async -> ExitCause {
        if model.isFrameDue { paint() }
        for await input in inputs {
            for event in await events(input) {
                if let cause = await fold(event) { return cause }
            }
        }
        return .quit
    }

    /// Folds an event into the model and performs the effects.
    ///
    /// - Returns: The exit cause if the program must exit; otherwise nil.
    @discardableResult
    mutating func fold(_ event: Event) async -> ExitCause? {
        if let cause = await update(event) { return cause }
        // Between ticks, only the result of a key and figures are painted. A tick for the figures would wake the process again.
        let isTick = if case .tick = event.kind { true } else { false }
        if model.isFrameDue, isTick || model.staleness == .moved || model.staleness.isUrgent { paint() }
        scheduleTick(model.nextTick)
        return nil
    }

    /// Folds an event and the events that result from its effects. Paints nothing, unless an effect requests it: keys that
    /// were pressed together are one frame.
    private mutating func update(_ event: Event) async -> ExitCause? {
        var next: Event? = event
        while let event = next {
            let (effects, rest) = model.update(event)
            for effect in effects {
                if let cause = await perform(effect) { return cause }
            }
            next = rest.isEmpty ? nil : Event(.keys(rest), at: event.time)
        }
        return nil
    }

    private mutating func perform(_ effect: Effect) async -> ExitCause? {
        switch effect {
        case .exit(let cause):
            return cause
        case .repaint:
            paint(isWhole: true)
            return nil
        default:
            guard let kind = await performOutside(effect) else { return nil }
            return await update(Event(kind, at: now()))
        }
    }

    private mutating func paint(isWhole: Bool = false) {
        let frame = model.draw(over: painted)
        paintFrame(frame, isWhole)
        painted = frame
        model.markPainted()
    }
}

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

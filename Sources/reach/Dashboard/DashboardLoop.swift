import Dashboard
import Screen

/// The event loop of the dashboard: folds each event into the model, performs the effects and paints the changes.
///
/// Keys and resizes are painted at once. Other changes wait for a tick, which the loop requests, so that a thousand
/// results are one frame. Values that change continuously, such as ages, wait for the regular tick. Without a change,
/// nothing is drawn.
struct DashboardLoop {
    /// The model, owned by the loop.
    private(set) var model: Model
    /// Paints a frame on the terminal; `isWhole` repaints every cell.
    let paint: (_ frame: Frame, _ isWhole: Bool) -> Void
    /// Performs an effect outside the model. If it returns an event, the loop folds that as well.
    let performOutside: (Effect) async -> Event?
    /// Requests a tick.
    let requestTick: () -> Void
    private var isTickRequested = false

    init(
        _ model: Model,
        paint: @escaping (Frame, Bool) -> Void,
        requestTick: @escaping () -> Void = {},
        perform: @escaping (Effect) async -> Event?
    ) {
        self.model = model
        self.paint = paint
        self.requestTick = requestTick
        performOutside = perform
    }

    /// Runs until the user quits, a signal ends the program, or the events end.
    mutating func run(_ events: some AsyncSequence<Event, Never>) async -> ExitCause {
        paintIfStale()
        for await event in events {
            if let cause = await fold(event) { return cause }
        }
        return .quit
    }

    /// Folds an event into the model and performs the effects.
    ///
    /// - Returns: The exit cause if the program must exit; otherwise nil.
    @discardableResult
    mutating func fold(_ event: Event) async -> ExitCause? {
        for effect in model.update(event) {
            if let cause = await perform(effect) { return cause }
        }
        if case .tick = event {
            isTickRequested = false
            if model.staleness >= .stale { paintIfStale() }
        } else if model.staleness == .urgent {
            paintIfStale()
        } else if model.staleness == .stale, !isTickRequested {
            isTickRequested = true
            requestTick()
        }
        return nil
    }

    private mutating func perform(_ effect: Effect) async -> ExitCause? {
        switch effect {
        case .exit(let cause):
            return cause
        case .repaint:
            paint(model.draw(), true)
            model.markPainted()
            return nil
        default:
            guard let event = await performOutside(effect) else { return nil }
            return await fold(event)
        }
    }

    private mutating func paintIfStale() {
        guard model.staleness != .fresh else { return }
        paint(model.draw(), false)
        model.markPainted()
    }
}

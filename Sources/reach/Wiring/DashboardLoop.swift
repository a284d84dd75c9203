import Dashboard
import Screen

/// The one loop: every input goes into the model, its effects are performed, and what changed is painted.
///
/// Keys and resizes paint at once. Whatever else happens waits for a tick, which the loop asks for, so that a thousand
/// answers are one frame; figures that merely move wait for the clock. Where nothing changed, nothing is drawn.
struct DashboardLoop {
    /// The one owner's one mutable model.
    private(set) var model: Model
    /// Hands a frame to the terminal; `isWhole` asks for every cell.
    let paint: (_ frame: Frame, _ isWhole: Bool) -> Void
    /// Does what the model asks of the outside; what comes of it at once is folded in as well.
    let outside: (Effect) async -> Event?
    /// Asks for a tick, soon.
    let hasten: () -> Void
    /// Whether such a tick is on its way.
    private var isHastened = false

    init(
        _ model: Model,
        paint: @escaping (Frame, Bool) -> Void,
        hasten: @escaping () -> Void = {},
        perform: @escaping (Effect) async -> Event?
    ) {
        self.model = model
        self.paint = paint
        self.hasten = hasten
        outside = perform
    }

    /// Runs until the user quits, a signal ends the program, or the inputs do.
    mutating func run(_ inputs: some AsyncSequence<Input, Never>) async -> Ending {
        paintIfStale()
        for await input in inputs {
            switch input {
            case .done:
                return .quit
            case .end(let signal):
                return .signal(signal)
            case .reload:
                guard await perform(.reload) else { return .quit }
            case .stop:
                guard await perform(.suspend) else { return .quit }
            case .event(let event):
                guard await fold(event) else { return .quit }
            }
        }
        return .quit
    }

    /// Folds an event in, with all that follows from it at once; false when the program is to end.
    @discardableResult
    mutating func fold(_ event: Event) async -> Bool {
        for effect in model.update(event) {
            guard await perform(effect) else { return false }
        }
        if case .tick = event {
            isHastened = false
            if model.staleness >= .stale { paintIfStale() }
        } else if model.staleness == .urgent {
            paintIfStale()
        } else if model.staleness == .stale, !isHastened {
            isHastened = true
            hasten()
        }
        return true
    }

    private mutating func perform(_ effect: Effect) async -> Bool {
        switch effect {
        case .quit:
            return false
        case .repaint:
            paint(model.draw(), true)
            model.markPainted()
            return true
        default:
            guard let event = await outside(effect) else { return true }
            return await fold(event)
        }
    }

    private mutating func paintIfStale() {
        guard model.staleness != .fresh else { return }
        paint(model.draw(), false)
        model.markPainted()
    }
}

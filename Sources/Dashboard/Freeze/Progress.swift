/// The states of a hook run, each since a time, oldest first.
struct Progress<State: Sendable & Hashable>: Sendable, Hashable {
    private struct Step: Sendable, Hashable {
        let time: Duration
        var state: State
    }

    private var steps: [Step]

    /// Creates the progress of a run that begins in a state.
    init(_ state: State, at time: Duration) {
        steps = [Step(time: time, state: state)]
    }

    /// The newest state. Changing it keeps its time.
    var newest: State {
        get { steps[steps.count - 1].state }
        set { steps[steps.count - 1].state = newValue }
    }

    /// Enters another state.
    mutating func enter(_ state: State, at time: Duration) {
        steps.append(Step(time: time, state: state))
    }

    /// The progress until a time; nil if it began later.
    func until(_ time: Duration) -> Progress? {
        var past = self
        past.steps.removeAll { $0.time > time }
        return past.steps.isEmpty ? nil : past
    }
}

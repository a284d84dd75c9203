import ReachMonitoring

extension HookRun {
    /// Creates a run for tests; by default, the target has come up.
    static func make(
        _ id: Int,
        target: Int = 1,
        name: String = "nas",
        to health: Health = .up,
        event: HookEvent? = nil,
        run action: HookAction = .shell("true"),
        isOnce: Bool = false,
        timeout: Duration = .seconds(30),
        retries: Int? = nil,
        allowsCellular: Bool = true
    ) -> HookRun {
        HookRun(
            id: id,
            target: Target.ID(target),
            rule: HookRule(
                on: [.up, .down],
                run: action,
                isOnce: isOnce,
                timeout: timeout,
                retries: retries,
                allowsCellular: allowsCellular
            ),
            context: HookContext(
                event: event ?? (health == .down ? .down : .up),
                trigger: .transition(.make(to: health)),
                at: .seconds(41),
                name: name,
                question: .tcp(host: "192.0.2.7", port: 445),
                group: "office",
                address: "192.0.2.7",
                health: health,
                since: .seconds(41),
                roundTrip: .milliseconds(12),
                loss: 0.25
            )
        )
    }
}

extension Transition {
    /// Creates a transition for tests, 41 s after the start; the previous health lasted 30 s.
    static func make(to health: Health) -> Transition {
        Transition(
            from: health == .down ? .up : .down,
            to: health,
            time: .seconds(41),
            lasted: .seconds(30),
            cause: health == .down
                ? .losses(3, Failure(.refused)) : .replies(1)
        )
    }
}

extension Occasion {
    /// What is known of a target at the moment when something fires.
    init(_ event: HookEvent, by trigger: Trigger, at time: Duration, of standing: Standing) {
        let statistics = standing.statistics
        self.init(
            event: event,
            trigger: trigger,
            at: time,
            name: standing.target.name,
            question: standing.target.question,
            group: standing.target.group,
            address: standing.address,
            health: standing.health,
            since: standing.judge.since,
            roundTrip: statistics.last,
            loss: statistics.loss
        )
    }
}

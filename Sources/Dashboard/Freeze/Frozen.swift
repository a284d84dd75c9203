import Monitoring

/// What the screen shows while it is frozen: all that comes from outside, as it was at that moment.
///
/// Frozen are what is known of every target, the events, the hook runs, the banner and the clock. What the user does to the
/// screen itself goes on: selecting, sorting, filtering, folding, scrolling, opening views, resizing. So does everything
/// behind the screen: targets are asked and judged, hooks run, settings are read; and what the user asks for (pause,
/// probe, arm, test, reset) is done to the targets as they are now, is said in the footer, and is seen after the thaw.
///
/// The copy shares its memory with the present until that changes; at the worst it takes as much again.
struct Frozen: Sendable {
    let roster: Roster
    let log: EventLog
    let hooks: HookLog
    let runningHooks: [Target.ID: Int]
    let refusal: [String]
    let now: Duration
    let wall: WallTime
    /// The past moment that is looked at; nil is that of freezing.
    ///
    /// It chooses a column of each chart that is seen, and the figures beside the charts are those of that column's time:
    /// the last round trip is what the column shows, the worst of its stretch; health and age are those at the moment; loss,
    /// jitter and percentiles cover the last hundred probes until the end of the column. What is counted since the
    /// start, the phases and the lists stay as they were when the screen was frozen.
    var cursor: Duration?

    /// The present of a model.
    init(_ model: Model) {
        roster = model.roster
        log = model.log
        hooks = model.hooks
        runningHooks = model.runningHooks
        refusal = model.refusal
        now = model.now
        wall = model.wall
    }
}

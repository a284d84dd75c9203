import Monitoring

/// What the screen shows while it is frozen: a copy of the live state, and the time cursor.
///
/// What the user does to the screen itself goes on: selecting, sorting, filtering, folding, scrolling, opening views,
/// resizing. So does everything behind the screen: targets are probed and judged, hooks run, settings are read. Actions
/// (pause, probe, arm, test, reset) apply to the targets as they are now; the footer reports them, and the screen shows
/// them after the thaw.
///
/// The copy shares its memory with the live state until that changes; at the worst it takes as much again.
struct Frozen: Sendable {
    let live: LiveState
    /// The past time that is looked at; nil is that of freezing.
    ///
    /// It selects a column of each chart on the screen, and the figures beside the charts are those of that column's time:
    /// the last round trip is what the column shows, the worst of its range; health and age are those at the time; loss,
    /// jitter and percentiles cover the last hundred probes until the end of the column. What is counted since the
    /// start, the phases and the lists stay as they were when the screen was frozen.
    var cursor: Duration?
}

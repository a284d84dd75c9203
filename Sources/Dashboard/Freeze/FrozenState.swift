import Monitoring

/// The state of a frozen screen: a copy of the live state, and the time cursor.
///
/// * Selecting, sorting, filtering, folding, scrolling, opening views and resizing work as usual.
/// * In the background, targets are probed and judged, hooks run, and settings are reloaded.
/// * Actions (pause, probe, arm, test, reset) apply to the live targets. The footer reports them, and the screen shows
///   them when it is no longer frozen.
///
/// The copy shares memory with the live state until that changes (copy on write); at worst it takes the same again.
struct FrozenState: Sendable {
    let live: LiveState
    /// The time cursor; nil is the time of freezing.
    ///
    /// It selects a column of each chart, and the figures beside the chart are those of that column:
    ///
    /// * The last round trip is the longest of the column's time range, or a lost probe if there is no reply.
    /// * Health and age are those at that time.
    /// * Loss, jitter and percentiles cover the last hundred probes up to the end of the column.
    /// * Totals since the start, phases and lists stay as they were at the time of freezing.
    var cursor: Duration?
}

import Monitoring

/// The state of a frozen screen: a copy of the live state, and the time cursor.
///
/// * Selecting, sorting, filtering, folding, scrolling, opening views and resizing work as usual.
/// * In the background, targets are probed and judged, hooks run, and settings are reloaded.
/// * Actions (pause, probe, arm, test, reset) apply to the live targets. The footer reports them, and the screen shows
///   them when it is no longer frozen.
///
/// Without a time cursor, the screen shows the time of freezing. With one, it shows everything at its time: health and
/// reasons, counts, events, hook runs, sessions, certificates, figures. Only charts keep the time after the cursor, which
/// they mark.
///
/// The copy shares memory with the live state until that changes (copy on write); at worst it takes the same again.
struct FrozenState: Sendable {
    /// The state at the time of freezing.
    let live: LiveState
    /// The time cursor; nil is the time of freezing.
    private(set) var cursor: Duration?
    /// The state at the time cursor, as of the last ``rewind()``.
    private var past: LiveState?
    /// Whether the time cursor has moved since the last ``rewind()``.
    private(set) var isRewindDue = false

    init(_ live: LiveState) {
        self.live = live
    }

    /// The state that is shown.
    var shown: LiveState { past ?? live }

    /// Moves the time cursor; to the time of freezing if the time is nil or not before it.
    ///
    /// - Precondition: The time is not before the start of the program.
    mutating func move(to time: Duration?) {
        cursor = time.flatMap { $0 < live.now ? $0 : nil }
        isRewindDue = true
    }

    /// Makes the state at the time cursor the one that is shown, if that has moved.
    mutating func rewind() {
        guard isRewindDue else { return }
        past = cursor.map { live.rewound(to: $0) }
        isRewindDue = false
    }
}

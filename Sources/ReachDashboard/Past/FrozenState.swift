import ReachMonitoring
import ReachScreen

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
    /// The paths that were known then.
    let paths: PathsState
    /// The time cursor; nil is the time of freezing.
    private(set) var cursor: Duration?
    /// The state at the time cursor, as of the last ``rewind()``.
    private var past: LiveState?
    /// Whether the time cursor has moved since the last ``rewind()``.
    private(set) var isRewindDue = false

    init(_ live: LiveState, paths: PathsState = PathsState()) {
        (self.live, self.paths) = (live, paths)
    }

    /// The state that is shown.
    var shown: LiveState { past ?? live }

    /// Moves the time cursor; to the time of freezing if the time is nil or not before it.
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

extension Model {
    /// The state that is shown: the present one; on a frozen screen, the one at the time cursor.
    var shown: LiveState { frozen?.shown ?? live }

    /// The roster that is shown.
    var shownRoster: Roster { frozen?.shown.roster ?? roster }

    /// The time cursor; nil is now, or the time of freezing.
    var cursor: Duration? {
        frozen?.cursor
    }

    /// Freezes or unfreezes the screen.
    mutating func toggleFreeze() {
        frozen = frozen == nil ? FrozenState(live, paths: paths) : nil
    }

    /// Whether the screen is frozen and shows charts for the time cursor.
    var hasCharts: Bool { frozen != nil && navigation.showsCharts }

    /// Moves the time cursor by one column of the chart on the screen, or of the table's sparklines.
    mutating func moveCursor(_ action: Action) {
        guard let frozen else { return }
        let axis = cursorAxis
        let current = frozen.cursor ?? frozen.live.now
        let column = axis.column(of: current) + (action == .fold ? -1 : 1)
        // The end of the column, so that the figures include all of it.
        let time = axis.start(ofColumn: max(0, column) + 1) - .nanoseconds(1)
        // An event may be before the first column.
        guard action == .unfold || time < current else { return }
        let start = cursorStart
        if time < start { showStart() }
        self.frozen?.move(to: max(start, time))
        showNewestEvents()
    }

    /// The earliest time of the cursor: the start of the program. In details and paths, it is the earliest sample or path of
    /// the target, which may be before that; for a target that was added later, its start.
    private var cursorStart: Duration {
        let roster = frozen?.live.roster ?? live.roster
        if navigation.view == .paths {
            return roster.states.lazy.filter(\.hasPath).map { roster.pastStart(of: $0.id) }.min() ?? .zero
        }
        guard let target = chartedTarget else { return .zero }
        let start = roster.start(of: target)
        return start > .zero ? start : roster.pastStart(of: target)
    }

    /// The target of the details or the path that is shown.
    private var chartedTarget: Target.ID? {
        switch navigation.view {
        case .detail(let viewState): viewState.target
        case .path(let viewState): viewState.target
        default: nil
        }
    }

    /// Explains why the time cursor moves no further.
    private mutating func showStart() {
        showStatus(
            cursorStart > .zero
                ? "the target was added here"
                : cursorStart < .zero
                    ? "nothing earlier is kept here; key 4 and reach report show earlier times"
                    : "the program started here; key 4 and reach report show earlier times"
        )
    }

    /// Moves the time cursor to the previous or next event: of the target in the detail view, otherwise of any. The
    /// previous event freezes the screen.
    mutating func moveCursorToEvent(_ action: Action) {
        let now = cursor ?? frozen?.live.now ?? live.now
        let times = eventTimes
        if action == .previousEvent {
            guard let time = times.filter({ $0 < now }).max() else { return showStatus("no earlier event") }
            // The events of earlier runs are before the start of this one.
            guard time >= cursorStart else { return showStart() }
            if frozen == nil { toggleFreeze() }
            frozen?.move(to: time)
        } else {
            guard frozen != nil else { return showStatus("no later event") }
            // After the last event, the time of freezing.
            frozen?.move(to: times.filter { $0 > now }.min())
        }
        showNewestEvents()
    }

    /// The times of the events of the charted target, or of all.
    private var eventTimes: [Duration] {
        let state = frozen?.live ?? live
        let label = chartedTarget.flatMap { state.roster[$0]?.target.label }
        return state.log.entries.filter { entry in label.map { entry.subject.isAbout($0) } ?? true }.map(\.time)
    }

    /// Scrolls the events to the newest one that is shown.
    private mutating func showNewestEvents() {
        if case .events = navigation.view { navigation.open(.events(scroll: 0)) }
    }

    /// The time axis whose columns the time cursor steps through.
    private var cursorAxis: TimeAxis {
        switch navigation.view {
        case .detail(let viewState): return DetailView(model: self, viewState: viewState).axis
        case .path(let viewState): return PathView(model: self, viewState: viewState).axis
        case .paths: return PathTreeView(model: self).axis
        case .graphs: return GraphsView(model: self).axis
        default: return TableView(model: self).axis
        }
    }
}

import ReachBasics
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
/// Before the start of the program, the state is what the history has of that moment. Until it is read, the one before stays.
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
    /// What charts draw, before the start of the program: the state with the samples after the time cursor.
    private var stored: LiveState?
    /// The time of the shown state if the history was read for it.
    private var storedTime: Duration?
    /// Whether the time cursor has moved since the last ``rewind()``.
    private(set) var isRewindDue = false

    init(_ live: LiveState, paths: PathsState = PathsState()) {
        (self.live, self.paths) = (live, paths)
    }

    /// The state that is shown.
    var shown: LiveState { past ?? live }

    /// What charts draw: the state with the samples after the time cursor.
    var charted: LiveState { stored ?? live }

    /// The time that is to be read of the history; nil if the state at the time cursor is known.
    var awaitedTime: Duration? {
        cursor.flatMap { $0 < .zero && $0 != storedTime ? $0 : nil }
    }

    /// Moves the time cursor; to the time of freezing if the time is nil or not before it.
    mutating func move(to time: Duration?) {
        cursor = time.flatMap { $0 < live.now ? $0 : nil }
        isRewindDue = true
    }

    /// Makes the state at the time cursor the one that is shown, if that has moved.
    mutating func rewind() {
        guard isRewindDue else { return }
        isRewindDue = false
        if cursor.map({ $0 >= .zero }) ?? true { (stored, storedTime) = (nil, nil) }
        guard awaitedTime == nil else { return }
        past = cursor.map { (stored ?? live).rewound(to: $0) }
    }

    /// Shows what the history has of a moment, if the time cursor is still there.
    mutating func receive(_ moment: StoredMoment) {
        let time = moment.time - live.wall.start
        guard awaitedTime == time else { return }
        storedTime = time
        stored = live.restored(to: moment)
        isRewindDue = true
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

    /// The time of the state that is shown, if there is a time cursor. While the history is read, it is not that of the cursor.
    var shownTime: Duration? {
        frozen.flatMap { $0.cursor == nil ? nil : $0.shown.now }
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
        moveCursor(to: axis.start(ofColumn: column + 1) - .nanoseconds(1))
    }

    /// Moves the time cursor by five minutes. Freezes the screen.
    mutating func jump(isLater: Bool) {
        if frozen == nil { toggleFreeze() }
        guard let frozen else { return }
        moveCursor(to: (frozen.cursor ?? frozen.live.now) + (isLater ? Self.jump : .zero - Self.jump))
    }

    /// The time that one key jumps.
    private static let jump = Duration.seconds(300)

    /// Moves the time cursor, at most to the start of what is known. Freezes the screen.
    mutating func moveCursor(to time: Duration) {
        if frozen == nil { toggleFreeze() }
        let start = cursorStart
        if time < start { showStart() }
        if let end = opened?.range.upperBound, time > end {
            showStatus("the file ends here")
            frozen?.move(to: end)
        } else {
            frozen?.move(to: max(start, time))
        }
        showNewestEvents()
    }

    /// The earliest time of the cursor: that of the history; without one, or for a target that was added later, its start.
    private var cursorStart: Duration {
        if let opened { return opened.range.lowerBound }
        let roster = frozen?.live.roster ?? live.roster
        let start = chartedTarget.map { roster.start(of: $0) } ?? .zero
        guard start == .zero else { return start }
        return history.isOff ? .zero : history.start.map { min(.zero, $0 - wall.start) } ?? .zero - HistoryRequest.span
    }

    /// Shows what was read of the history for the time cursor. Before the history begins, the cursor moves to where it does;
    /// without a history, to the start of the program.
    mutating func receiveMoment(_ answer: HistoryAnswer) {
        guard let frozen, let cursor = frozen.awaitedTime else { return }
        switch answer {
        case .moment(let moment):
            staleness = .urgent
            self.frozen?.receive(moment)
            if cursor < cursorStart { moveCursor(to: cursor) }
        case .unreadable(let problem):
            staleness = .urgent
            self.frozen?.move(to: .zero)
            showStatus("earlier times cannot be read: \(problem)")
        case .pasts, .figures, .availability, .hookRuns, .chart: break
        }
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
        let start = cursorStart
        let time = "\(wall.zone.day(wall.start + start).trimmed) \(wall.minuteOfDay(at: start))"
        showStatus(
            opened != nil
                ? "the file begins here"
                : start > .zero
                    ? "the target was added here"
                    : start < .zero
                        ? "the history begins here, on \(time)" : "the program started here, and keeps no history"
        )
    }

    /// Moves the time cursor to the previous or next event: of the target in the detail view, otherwise of any. The
    /// previous event freezes the screen.
    mutating func moveCursorToEvent(_ action: Action) {
        let now = cursor ?? frozen?.live.now ?? live.now
        let times = eventTimes
        if action == .previousEvent {
            guard let time = times.filter({ $0 < now }).max() else { return showStatus("no earlier event") }
            moveCursor(to: time)
        } else {
            guard frozen != nil else { return showStatus("no later event") }
            // After the last event, the time of freezing.
            let next = times.filter { $0 > now }.min()
            guard opened == nil || next != nil else { return showStatus("no later event") }
            frozen?.move(to: next)
        }
        showNewestEvents()
    }

    /// The times of the events of the charted target, or of the lines of the events: one step for the many events of one
    /// moment.
    private var eventTimes: [Duration] {
        let log = (frozen?.charted ?? live).log
        guard let id = chartedTarget else {
            // At another time, a filter by state matches other targets.
            let isConstant = !list.filter.matchesState && list.filter.figures.isEmpty
            let list = EventList(of: log, where: isConstant ? matchesFilter : nil)
            return list.lines.map { list.newest(of: $0).time }
        }
        return log.entries.filter { $0.targets.contains(id) }.map(\.time)
    }

    /// Scrolls the events to the newest one that is shown.
    private mutating func showNewestEvents() {
        if case .events = navigation.view { navigation.open(.events(EventsViewState())) }
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

import ReachMonitoring
import ReachScreen

/// What all views draw from: the state that is shown, and its appearance.
///
/// A class, since each row of a view keeps it: copying the state for each of them would take longer than drawing.
final class ViewContext: Sendable {
    let appearance: Appearance
    /// The present state; on a frozen screen, the one at the time cursor.
    let shown: LiveState
    /// The state of a frozen screen; nil unless the screen is frozen.
    let frozen: FrozenState?
    /// What was read of the history file.
    let history: HistoryCache
    private let highlights: Highlights
    /// The targets that are marked for a comparison.
    private let marked: [Target.ID]

    init(_ model: Model) {
        appearance = model.appearance
        shown = model.shown
        frozen = model.frozen
        history = model.history
        highlights = model.highlights
        marked = model.comparison.marked
    }

    var roster: Roster { shown.roster }
    var log: EventLog { shown.log }
    var now: Duration { shown.now }
    var wall: WallTime { shown.wall }

    // MARK: Time

    /// The time cursor; nil is now, or the time of freezing.
    var cursor: Duration? { frozen?.cursor }

    /// The local time of day, after the day unless that is the present one: `14:02:31`, `28 Nov 14:02:31`.
    func clock(at time: Duration) -> String {
        let clock = wall.timeOfDay(at: time)
        return isToday(time) ? clock : "\(wall.zone.day(wall.start + time).drop { $0 == " " }) \(clock)"
    }

    /// Whether a time is of the present local day.
    func isToday(_ time: Duration) -> Bool {
        let present = frozen?.live.now ?? now
        return wall.zone.day(wall.start + time) == wall.zone.day(wall.start + present)
    }

    /// The wall time of the program's start since the last whole hour, for the columns of charts.
    var chartOrigin: Duration { shown.chartOrigin }

    /// The time at which sparklines end.
    var chartEnd: Duration { chartEnd(showing: .seconds(60)) }

    /// The time at which charts end: now, or the time of freezing. If the time cursor is earlier than they reach back, they end
    /// a little after it.
    ///
    /// - Parameter span: the time that a chart shows.
    func chartEnd(showing span: Duration) -> Duration {
        guard let frozen else { return now }
        let end = frozen.live.now
        guard let cursor, cursor < end - span else { return end }
        return min(end, cursor + span / 4)
    }

    /// The time at which the chart of a target ends. While its results come in time, this is the time of the last one, so
    /// that the chart advances when its newest column has something to show.
    ///
    /// - Parameter step: the time of a column.
    func chartEnd(of state: TargetState, step: Duration) -> Duration {
        advancesWithResults(state, step: step) ? state.history.last?.time ?? chartEnd : chartEnd
    }

    /// Whether the chart of a target advances with its results: there is one in each column, or in each second, in which
    /// the screen is drawn once; and none is overdue. Otherwise, it advances with the clock. The charts of a frozen screen
    /// have a common time cursor.
    private func advancesWithResults(_ state: TargetState, step: Duration) -> Bool {
        let interval = state.target.interval
        guard frozen == nil, state.isProbed, interval <= step || interval == .seconds(1) else { return false }
        return state.history.last.map { now < $0.time + interval + Refresh.minFrameInterval } ?? false
    }

    /// The state of a target that charts draw: with the samples after the time cursor.
    func charted(_ state: TargetState) -> TargetState {
        cursor == nil ? state : frozen?.charted.roster[state.id] ?? state
    }

    /// When the path to a target has changed, with changes after the time cursor.
    func pathChanges(of state: TargetState) -> [Duration] {
        (frozen?.charted.log ?? log).pathChanges(of: state.target.label)
    }

    /// The characters of an axis at which lasting changes of a target's usual round trips or losses began, with the time of
    /// the newest in each. Those after the time cursor are among them.
    func shifts(of state: TargetState, along axis: TimeAxis) -> [(cell: Int, began: Duration)] {
        var cells: [Int: Duration] = [:]
        for began in (frozen?.charted.log ?? log).shifts(of: state.target.label) {
            if let cell = axis.cell(of: began) { cells[cell] = began }
        }
        return cells.sorted { $0.key < $1.key }.map { (cell: $0.key, began: $0.value) }
    }

    // MARK: Marks

    /// Whether a row is that of a target that is marked for a comparison.
    func isMarked(_ row: Row.ID) -> Bool {
        if case .target(let id) = row { marked.contains(id) } else { false }
    }

    /// The character before a target: marked for a comparison, or selected. The name of a selected one is in reverse video too.
    func leadMark(of target: Target.ID, isSelected: Bool) -> Segment {
        if isMarked(.target(target)) { return Segment(String(appearance.glyphs.marked), appearance[.accent]) }
        return Segment(isSelected ? String(appearance.glyphs.selection) : " ", appearance[.text])
    }

    // MARK: Highlights

    /// Whether a part of the screen is highlighted; never on a frozen screen.
    func isHighlighted(_ subject: Highlights.Subject) -> Bool {
        frozen == nil && highlights.contains(subject)
    }

    /// The style of a role for a part of the screen that may be highlighted.
    func style(_ role: Role, of subject: Highlights.Subject) -> Style {
        isHighlighted(subject) ? appearance[role].highlighted : appearance[role]
    }

    /// The targets whose health is highlighted; none on a frozen screen.
    var changedTargets: [Target.ID] { frozen == nil ? highlights.changedTargets : [] }

    // MARK: History

    /// The offsets of local time, as far as they are known.
    var zone: ZoneOffsets { history.zone ?? wall.zone }

    /// The wall time at which strips end, since 1970: the whole second that the clock on the screen shows.
    var wallNow: Duration { .seconds((wall.start + now).components.seconds) }

    /// The past of targets: what was stored, and what this run of the program knows.
    func spans(of ids: [Target.ID]) -> [Target.ID: [WatchedSpan]] {
        let present = roster.spans(of: ids, until: now, wall: wall)
        var spans: [Target.ID: [WatchedSpan]] = [:]
        for id in ids {
            spans[id] = WatchedSpan.joined(history.past(of: id)?.spans ?? [], with: present[id] ?? [])
        }
        return spans
    }
}

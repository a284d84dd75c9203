import ReachMonitoring
import ReachScreen

/// How much of the screen differs from the last frame, and how soon that is painted.
public enum Staleness: Sendable, Hashable, Comparable {
    /// Nothing differs.
    case fresh
    /// Only figures of visible targets have changed. These targets are drawn with the next frame.
    case moved
    /// The user has moved the selection, and figures may have changed. Both rows are painted immediately.
    case selected
    /// Something else has changed, such as the second. The whole screen is drawn with the next frame.
    case stale
    /// The user acted and waits for the result. The whole screen is painted immediately.
    case urgent

    /// Whether the user waits for the frame.
    public var isUrgent: Bool { self == .selected || self == .urgent }
}

extension Refresh {
    /// The time between two regular ticks, at whole multiples of wall time. Each one updates the clock and the ages, and
    /// charts advance.
    var period: Duration {
        switch self {
        case .live: .seconds(1)
        case .eco: .seconds(2)
        }
    }

    /// The minimum time between two frames, except after a key. People cannot read frames that change faster.
    static let minFrameInterval = Duration.milliseconds(100)
}

/// The damage of the screen: what differs from the last frame, and when the next one is due.
struct Damage: Sendable {
    var staleness = Staleness.urgent
    /// The visible targets with results since the last frame.
    var targets: Set<Target.ID> = []
    /// The targets of the visible rows or graphs. Thousands of results a second are compared with them.
    private(set) var visibleTargets: Set<Target.ID> = []
    /// How often the screen is painted.
    var refresh = Refresh.live
    /// The selection in the last frame.
    private(set) var paintedSelection = Selection()
    /// When the last frame was painted, since the start of the program.
    private var paintedAt = Duration.zero - Refresh.minFrameInterval
    /// The visible charts that advance more often than once a second; nil without any.
    private(set) var fastCharts: FastCharts?

    /// Charts with columns shorter than a second.
    struct FastCharts: Sendable {
        /// The time of a column.
        let step: Duration
        /// The targets, which are probed more often than once a second.
        let targets: Set<Target.ID>

        /// Creates the fast ones of the charts along an axis; nil if there are none.
        init?(_ states: [TargetState], along axis: TimeAxis) {
            let targets = states.filter { $0.target.interval < .seconds(1) && $0.isProbed }.map(\.id)
            guard axis.step < .seconds(1), !targets.isEmpty else { return nil }
            (step, self.targets) = (axis.step, Set(targets))
        }
    }

    mutating func show(_ targets: Set<Target.ID>, fastCharts: FastCharts?) {
        (visibleTargets, self.fastCharts) = (targets, fastCharts)
    }

    /// Records that a frame with everything until now was painted.
    mutating func markPainted(_ selection: Selection, at now: Duration) {
        (staleness, targets) = (.fresh, [])
        (paintedSelection, paintedAt) = (selection, now)
    }

    /// Damages the fast charts if a column's time has passed since the last frame.
    mutating func advanceCharts(at now: Duration) {
        guard let chartTime, chartTime <= now, let fastCharts else { return }
        targets.formUnion(fastCharts.targets)
        staleness = max(staleness, .moved)
    }

    /// When the fast charts are due again; nil without any. Usually a reply comes first, and draws them.
    private var chartTime: Duration? {
        guard refresh == .live else { return nil }
        return fastCharts.map { paintedAt + $0.step + Refresh.minFrameInterval }
    }

    /// When the next frame is due; nil if nothing differs, or the next regular tick is soon enough.
    private var frameTime: Duration? {
        switch staleness {
        case .fresh: nil
        case .moved: refresh == .live ? paintedAt + Refresh.minFrameInterval : nil
        case .selected, .stale, .urgent: paintedAt + Refresh.minFrameInterval
        }
    }

    func isFrameDue(at now: Duration) -> Bool {
        staleness.isUrgent || frameTime.map { $0 <= now } ?? false
    }

    /// When the next tick is needed: for a frame, for fast charts, or at the next whole period of wall time.
    func nextTick(after now: Duration, wall: WallTime) -> Duration {
        let period = refresh.period.nanoseconds
        let regular = now + .nanoseconds(period - (wall.start + now).nanoseconds % period)
        return [frameTime, chartTime].compactMap(\.self).reduce(regular, min)
    }
}

extension Model {
    /// How much of the screen differs from the last frame, and how soon that is painted.
    public internal(set) var staleness: Staleness {
        get { damage.staleness }
        set { damage.staleness = newValue }
    }

    /// When the model needs the next ``Event/tick(_:_:)``, since the start of the program.
    public var nextTick: Duration { damage.nextTick(after: now, wall: wall) }

    /// Whether a frame is to be painted now, after a tick or another event.
    public var isFrameDue: Bool { damage.isFrameDue(at: now) }

    /// Records that a frame was painted. Call it after ``draw(over:)``.
    public mutating func markPainted() {
        damage.markPainted(selection, at: now)
    }

    /// Records which targets and fast charts are visible.
    mutating func updateVisibleTargets() {
        var targets: [Target.ID] = []
        var charts: (states: [TargetState], axis: TimeAxis)?
        switch navigation.view {
        case .table:
            targets = rows.dropFirst(selection.scroll).prefix(areas.list.rows).compactMap { row in
                if case .target(let id, _) = row { id } else { nil }
            }
            if let selected = SelectedTargetView(model: self) { targets.append(selected.target) }
        case .graphs:
            let view = GraphsView(model: self)
            let states = view.visible.map { shownRoster.states[$0] }
            (targets, charts) = (states.map(\.id), (states, view.axis))
        case .detail(let viewState):
            let axis = DetailView(model: self, viewState: viewState).axis
            charts = roster[viewState.target].map { ([$0], axis) }
        case .wall, .strips, .vantagePoints, .path, .paths, .comparison, .events, .hooks:
            break
        }
        // Neither a frozen screen nor help shows charts that advance.
        let isMoving = frozen == nil && navigation.helpScroll == nil
        let fastCharts = isMoving ? charts.flatMap { Damage.FastCharts($0.states, along: $0.axis) } : nil
        damage.show(Set(targets), fastCharts: fastCharts)
    }

    /// Whether a reply of the target changes the screen: its row, chart or cell is visible.
    func isVisible(_ target: Target.ID) -> Bool {
        guard frozen == nil, navigation.helpScroll == nil else { return false }
        return switch navigation.view {
        case .table, .graphs: damage.visibleTargets.contains(target)
        case .detail(let viewState): viewState.target == target
        case .wall: true
        case .strips, .vantagePoints, .path, .paths, .comparison, .events, .hooks: false
        }
    }
}

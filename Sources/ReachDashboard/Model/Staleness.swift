import ReachMonitoring

/// How far the picture on the terminal is out of date.
public enum Staleness: Sendable, Hashable, Comparable {
    /// The picture is up to date.
    case fresh
    /// Only figures of visible targets have changed. Their rows are drawn with the next frame.
    case moved
    /// A second has passed: the clock, the ages and the slow figures of the visible targets have changed as well, and the
    /// charts that advance with the clock. They are drawn with the next frame.
    case aged
    /// The user has moved the selection, and figures may have changed. The two rows are painted immediately.
    case selected
    /// Something else has changed. The whole screen is drawn with the next frame.
    case stale
    /// The user acted and waits for the result. The whole screen is painted immediately.
    case urgent

    /// Whether the user waits for the picture.
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
    static let pause = Duration.milliseconds(100)
}

/// The visible charts that advance more often than once a second.
struct FastCharts: Sendable {
    /// The time of a column.
    let step: Duration
    /// The targets, which are probed more often than once a second.
    let targets: Set<Target.ID>

    /// Creates the fast ones of charts along an axis; nil if there are none.
    init?(_ states: [TargetState], along axis: TimeAxis) {
        let targets = states.filter { $0.target.interval < .seconds(1) && $0.isProbed }.map(\.id)
        guard axis.step < .seconds(1), !targets.isEmpty else { return nil }
        (step, self.targets) = (axis.step, Set(targets))
    }
}

extension Model {
    /// When the model needs the next ``Event/tick(_:_:)``, since the start of the program.
    public var nextTick: Duration {
        let period = refresh.period.nanoseconds
        let regular = now + .nanoseconds(period - (wall.start + now).nanoseconds % period)
        return [frameTime, chartTime].compactMap(\.self).reduce(regular, min)
    }

    /// Whether the picture is to be painted now, after a tick or another event.
    public var isFrameDue: Bool {
        staleness.isUrgent || frameTime.map { $0 <= now } ?? false
    }

    /// When the charts that advance more often than once a second are due again; nil without any. Usually a reply comes
    /// first, and draws them.
    private var chartTime: Duration? {
        guard frozen == nil, refresh == .live, navigation.helpScroll == nil, let fastCharts else { return nil }
        return paintedAt + fastCharts.step + Refresh.pause
    }

    /// Draws these charts again if a column's time has passed since the last frame.
    mutating func advanceCharts() {
        guard let chartTime, chartTime <= now, let fastCharts else { return }
        movedTargets.formUnion(fastCharts.targets)
        staleness = max(staleness, .moved)
    }

    /// When the next frame is due; nil if the picture is up to date, or the next regular tick is soon enough.
    private var frameTime: Duration? {
        switch staleness {
        case .fresh: nil
        case .moved: refresh == .live ? paintedAt + Refresh.pause : nil
        case .aged, .selected, .stale, .urgent: paintedAt + Refresh.pause
        }
    }

    /// Updates ``visibleTargets`` and ``fastCharts``. Thousands of findings a second are compared with them.
    mutating func updateVisibleTargets() {
        fastCharts = nil
        switch navigation.view {
        case .table:
            let visible = rows.dropFirst(selection.scroll).prefix(areas.list.rows)
            visibleTargets = Set(
                visible.compactMap { row in
                    if case .target(let id, _) = row { id } else { nil }
                }
            )
        case .graphs:
            let states = shownRoster.states
            let view = GraphsView(model: shown)
            visibleTargets = Set(view.visible.map { states[$0].id })
            fastCharts = FastCharts(view.visible.map { states[$0] }, along: view.axis)
        case .detail(let viewState):
            visibleTargets = []
            let axis = DetailView(model: self, viewState: viewState).axis
            fastCharts = roster[viewState.target].flatMap { FastCharts([$0], along: axis) }
        case .wall, .strips, .vantagePoints, .events, .hooks:
            visibleTargets = []
        }
    }

    /// Whether a reply of the target changes the picture: its row, chart or cell is visible.
    func isVisible(_ target: Target.ID) -> Bool {
        guard frozen == nil, navigation.helpScroll == nil else { return false }
        return switch navigation.view {
        case .table, .graphs: visibleTargets.contains(target)
        case .detail(let viewState): viewState.target == target
        case .wall: true
        case .strips, .vantagePoints, .events, .hooks: false
        }
    }
}

/// What places the rows and columns of the view. If a second changes it, the whole view is drawn.
struct Arrangement: Hashable {
    private let basis: RowOrder.Basis
    private let healthWidth: Int
    private let selection: Selection
    private let graphs: GraphsViewState

    init(_ model: Model) {
        basis = model.list.order.basis
        healthWidth = model.list.healthWidth
        selection = model.selection
        graphs = model.graphs
    }
}

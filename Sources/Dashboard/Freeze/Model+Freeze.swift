import Monitoring
import Screen

extension Model {
    /// The model whose picture is drawn: with what came from outside as it was when the screen was frozen.
    var shown: Model {
        guard let frozen else { return self }
        var model = self
        model.roster = frozen.roster
        model.log = frozen.log
        model.hooks = frozen.hooks
        model.runningHooks = frozen.runningHooks
        model.refusal = frozen.refusal
        model.now = frozen.now
        model.wall = frozen.wall
        return model
    }

    /// What is known of the targets as far as it is shown.
    var shownRoster: Roster {
        frozen?.roster ?? roster
    }

    /// The hook runs as far as they are shown.
    var shownHooks: HookLog {
        frozen?.hooks ?? hooks
    }

    /// The past moment that is looked at; nil is now, or the moment of freezing.
    var cursor: Duration? {
        frozen?.cursor
    }

    /// Stops the screen, or lets it go on.
    mutating func toggleFreeze() {
        frozen = frozen == nil ? Frozen(self) : nil
    }

    /// Whether the screen is frozen and shows what the time cursor moves in.
    var hasCharts: Bool {
        guard frozen != nil, helpScroll == nil else { return false }
        return switch view {
        case .table, .graphs, .detail: true
        case .wall, .events, .hooks: false
        }
    }

    /// Moves the time cursor by one column of the chart that is seen; where none is, by one of the table's.
    mutating func moveCursor(_ action: Action) {
        guard let frozen else { return }
        let axis = cursorAxis
        let newest = axis.column(of: frozen.now)
        let column = axis.column(of: frozen.cursor ?? frozen.now) + (action == .fold ? -1 : 1)
        guard column < newest else {
            self.frozen?.cursor = nil
            return
        }
        // The middle of a column lies in it, whatever rounding does to its ends.
        self.frozen?.cursor = axis.start(ofColumn: max(0, column)) + axis.step / 2
    }

    /// The time axis whose columns the time cursor goes by.
    private var cursorAxis: TimeAxis {
        let model = shown
        if case .detail(let place) = view { return DetailView(model: model, place: place).axis }
        if view == .graphs { return GraphsView(model: model).axis }
        return TableView(model: model, width: size.columns).axis
    }
}

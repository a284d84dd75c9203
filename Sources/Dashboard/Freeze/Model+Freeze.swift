import Monitoring
import Screen

extension Model {
    /// The model that is drawn: on a frozen screen, with the live state from the time of freezing.
    var shown: Model {
        guard let frozen else { return self }
        var model = self
        model.live = frozen.live
        return model
    }

    /// The roster that is drawn: on a frozen screen, the one from the time of freezing.
    var shownRoster: Roster {
        frozen?.live.roster ?? roster
    }

    /// The time cursor; nil is now, or the time of freezing.
    var cursor: Duration? {
        frozen?.cursor
    }

    /// Freezes or unfreezes the screen.
    mutating func toggleFreeze() {
        frozen = frozen == nil ? FrozenState(live: live) : nil
    }

    /// Whether the screen is frozen and shows charts for the time cursor.
    var hasCharts: Bool {
        guard frozen != nil, navigation.helpScroll == nil else { return false }
        return switch navigation.view {
        case .table, .graphs, .detail: true
        case .wall, .events, .hooks: false
        }
    }

    /// Moves the time cursor by one column of the chart on the screen, or of the table's sparklines.
    mutating func moveCursor(_ action: Action) {
        guard let frozen else { return }
        let axis = cursorAxis
        let newest = axis.column(of: frozen.live.now)
        let column = axis.column(of: frozen.cursor ?? frozen.live.now) + (action == .fold ? -1 : 1)
        guard column < newest else {
            self.frozen?.cursor = nil
            return
        }
        // The middle of the column: rounding its bounds may select a neighbour.
        self.frozen?.cursor = axis.start(ofColumn: max(0, column)) + axis.step / 2
    }

    /// The time axis whose columns the time cursor steps through.
    private var cursorAxis: TimeAxis {
        let model = shown
        if case .detail(let viewState) = navigation.view { return DetailView(model: model, viewState: viewState).axis }
        if navigation.view == .graphs { return GraphsView(model: model).axis }
        return TableView(model: model, width: size.columns).axis
    }
}

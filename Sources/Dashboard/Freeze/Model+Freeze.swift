import Monitoring
import Screen

extension Model {
    /// The model that is drawn: while the screen is frozen, with the live state of that moment.
    var shown: Model {
        guard let frozen else { return self }
        var model = self
        model.live = frozen.live
        return model
    }

    /// What is known of the targets as far as it is shown.
    var shownRoster: Roster {
        frozen?.live.roster ?? roster
    }

    /// The past time that is looked at; nil is now, or the time of freezing.
    var cursor: Duration? {
        frozen?.cursor
    }

    /// Stops the screen, or lets it go on.
    mutating func toggleFreeze() {
        frozen = frozen == nil ? Frozen(live: live) : nil
    }

    /// Whether the screen is frozen and shows what the time cursor moves in.
    var hasCharts: Bool {
        guard frozen != nil, navigation.helpScroll == nil else { return false }
        return switch navigation.view {
        case .table, .graphs, .detail: true
        case .wall, .events, .hooks: false
        }
    }

    /// Moves the time cursor by one column of the chart that is seen; where none is, by one of the table's.
    mutating func moveCursor(_ action: Action) {
        guard let frozen else { return }
        let axis = cursorAxis
        let newest = axis.column(of: frozen.live.now)
        let column = axis.column(of: frozen.cursor ?? frozen.live.now) + (action == .fold ? -1 : 1)
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
        if case .detail(let place) = navigation.view { return DetailView(model: model, place: place).axis }
        if navigation.view == .graphs { return GraphsView(model: model).axis }
        return TableView(model: model, width: size.columns).axis
    }
}

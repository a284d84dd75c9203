import Monitoring

/// Which view fills the screen, and which views lie behind it and above it.
struct Navigation: Sendable {
    private(set) var view = View.table
    /// What the events or the hook runs were opened from, where that is not an overview.
    private var behind: View?
    /// The table, the wall or the graphs: the last one shown, to which other views lead back.
    private(set) var overview = View.table
    /// The first line of help that is shown; nil while help is closed.
    private(set) var helpScroll: Int?

    /// What fills the screen.
    enum View: Sendable, Hashable {
        /// The targets, with the newest events below.
        case table
        /// A cell for each target.
        case wall
        /// A chart for each target.
        case graphs
        /// All about one target.
        case detail(DetailPlace)
        /// The events at full height; `scroll` lines above the newest are shown last.
        case events(scroll: Int)
        /// The hook runs, with the output of the selected one.
        case hooks(HooksPlace)
    }

    /// The detail view, when it is shown or lies behind the events or the hook runs.
    var detailPlace: DetailPlace? {
        if case .detail(let place) = view { return place }
        if case .detail(let place) = behind { return place }
        return nil
    }

    /// Shows the table, the wall or the graphs, whatever lies above.
    mutating func show(_ overview: View) {
        self.overview = overview
        view = overview
        helpScroll = nil
    }

    /// Shows the next of the table, the wall and the graphs.
    mutating func showNext() {
        show(overview == .table ? .wall : overview == .wall ? .graphs : .table)
    }

    /// Fills the screen with a view; the overview stays what other views lead back to.
    mutating func open(_ view: View) {
        self.view = view
    }

    /// Remembers the present view as the one that the events or the hook runs, opened next, lead back to.
    mutating func keepBehind() {
        behind = view
    }

    /// Leaves the view for what it was opened from.
    mutating func leave() {
        view = behind ?? overview
        behind = nil
    }

    /// Leaves what lies above the overview: help, or else an output, the events, the hook runs or a target.
    ///
    /// - Returns: Whether there was anything to leave.
    mutating func back() -> Bool {
        if helpScroll != nil {
            helpScroll = nil
        } else if case .hooks(var place) = view, place.outputScroll != nil {
            place.outputScroll = nil
            view = .hooks(place)
        } else if view != overview {
            leave()
        } else {
            return false
        }
        return true
    }

    /// Forgets the view behind when nothing can lead back to it, or its target is gone.
    mutating func settle(_ hasTarget: (Target.ID) -> Bool) {
        switch view {
        case .events, .hooks:
            if case .detail(let place) = behind, !hasTarget(place.target) { behind = nil }
        default:
            behind = nil
        }
    }

    mutating func toggleHelp() {
        helpScroll = helpScroll == nil ? 0 : nil
    }

    mutating func scrollHelp(to line: Int) {
        helpScroll = line
    }
}

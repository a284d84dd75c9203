import ReachMonitoring

/// The stack of views: the overview, the view that fills the screen, the one it leads back to, and help.
struct Navigation: Sendable {
    private(set) var view = View.table
    /// The view that the events, the hook runs or the details were opened from, unless that is an overview.
    private var previousView: View?
    /// The table, the wall, the graphs or the strips: the last one shown, which other views lead back to.
    private(set) var overview = View.table
    /// The first visible line of help; nil while help is closed.
    private(set) var helpScroll: Int?

    /// A view that fills the screen.
    enum View: Sendable, Hashable {
        /// The targets, with the newest events below.
        case table
        /// A cell for each target.
        case wall
        /// A chart for each target.
        case graphs
        /// A strip with the past of each target.
        case strips
        /// A row for each target, with a cell for each vantage point.
        case vantagePoints
        /// The paths to all targets as a tree.
        case paths
        /// The path to one target.
        case path(PathViewState)
        /// The marked targets in one chart.
        case comparison
        /// The details of one target.
        case detail(DetailViewState)
        /// The events at full height.
        case events(EventsViewState)
        /// The hook runs, with the output of the selected one.
        case hooks(HooksViewState)
    }

    /// The state of the detail view, if that is shown or the events or hook runs lead back to it.
    var detailState: DetailViewState? {
        if case .detail(let viewState) = view { return viewState }
        if case .detail(let viewState) = previousView { return viewState }
        return nil
    }

    /// The state of the view of a path, if that is shown or the events or hook runs lead back to it.
    var pathState: PathViewState? {
        if case .path(let viewState) = view { return viewState }
        if case .path(let viewState) = previousView { return viewState }
        return nil
    }

    /// The target of the details or the path that is open.
    var openTarget: Target.ID? { pathState?.target ?? detailState?.target }

    /// Whether the view leads back to the details.
    var hasDetailBelow: Bool { if case .detail = previousView { true } else { false } }

    /// Whether the view leads back to the events.
    var hasEventsBelow: Bool { if case .events = previousView { true } else { false } }

    /// Whether paths are shown.
    var showsPaths: Bool { pathState != nil || view == .paths }

    /// Whether the overview has a row for each target, below the headings of groups.
    var hasHeadings: Bool { overview == .table || overview == .strips || overview == .vantagePoints }

    /// Whether one of the views of all targets is shown, without help above it.
    var isAtOverview: Bool { helpScroll == nil && view == overview }

    /// Whether charts are shown along which a time cursor can move.
    var showsCharts: Bool {
        guard helpScroll == nil else { return false }
        return switch view {
        case .table, .graphs, .detail, .path, .paths: true
        case .wall, .strips, .vantagePoints, .comparison, .events, .hooks: false
        }
    }

    /// Shows the table, the wall, the graphs or the strips, and closes the views above it.
    mutating func show(_ overview: View) {
        self.overview = overview
        view = overview
        helpScroll = nil
    }

    /// Cycles through the table, the wall, the graphs, the strips and, if there are any, the vantage points and the paths.
    mutating func showNext(hasVantagePoints: Bool, hasPaths: Bool) {
        switch overview {
        case .table: show(.wall)
        case .wall: show(.graphs)
        case .graphs: show(.strips)
        case .strips where hasVantagePoints: show(.vantagePoints)
        case .strips where hasPaths, .vantagePoints where hasPaths: show(.paths)
        default: show(.table)
        }
    }

    /// Opens a view above the overview.
    mutating func open(_ view: View) {
        self.view = view
    }

    /// Keeps the current view as the one that the events or the hook runs, opened next, lead back to.
    mutating func keepPreviousView() {
        previousView = view
    }

    /// Lets the details that the view leads back to show another target.
    mutating func moveDetail(to state: TargetState) {
        if case .detail(let viewState) = previousView { previousView = .detail(viewState.moved(to: state)) }
    }

    /// Closes the view and shows the one that it was opened from.
    mutating func close() {
        view = previousView ?? overview
        previousView = nil
    }

    /// Closes the topmost view above the overview: help, or else a hook's output, the events, the hook runs or the
    /// details.
    ///
    /// - Returns: Whether there was a view to close.
    mutating func back() -> Bool {
        if helpScroll != nil {
            helpScroll = nil
        } else if case .hooks(var viewState) = view, viewState.outputScroll != nil {
            viewState.outputScroll = nil
            view = .hooks(viewState)
        } else if view != overview {
            close()
        } else {
            return false
        }
        return true
    }

    /// Discards the previous view if no view leads back to it, or if its target no longer exists.
    mutating func reconcile(hasTarget: (Target.ID) -> Bool) {
        switch view {
        case .events, .hooks, .path:
            let target: Target.ID? =
                switch previousView {
                case .detail(let viewState): viewState.target
                case .path(let viewState): viewState.target
                default: nil
                }
            if let target, !hasTarget(target) { previousView = nil }
        case .detail where hasEventsBelow:
            break
        default:
            previousView = nil
        }
    }

    mutating func toggleHelp() {
        helpScroll = helpScroll == nil ? 0 : nil
    }

    mutating func scrollHelp(to line: Int) {
        helpScroll = line
    }
}

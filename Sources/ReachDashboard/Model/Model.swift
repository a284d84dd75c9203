public import ReachMonitoring
public import ReachScreen

/// The state of the dashboard: the targets' states, and the state of the user interface.
///
/// A single owner mutates it with ``update(_:)``; ``draw()`` renders it and changes nothing. Each part encapsulates its
/// variables, which change only through its functions.
public struct Model: Sendable {
    /// What differs from the last frame, and when the next one is due.
    var damage = Damage()
    /// The figures that are highlighted because they have just changed.
    var highlights = Highlights()

    /// The source of the targets, for the header.
    var source: String
    var size: Size
    var appearance: Appearance
    var themes: ThemeSelection
    /// The current state of targets, events and hook runs.
    var live: LiveState
    /// The state that is shown instead of ``live`` while the screen is frozen.
    var frozen: FrozenState?
    var navigation = Navigation()
    var list = RowList()
    /// The servers of the fleet.
    var fleet = FleetState()
    var columns = ColumnChoice()
    var selection = Selection()
    /// The selection before the filter, which is restored when the filter is cleared.
    var selectionBeforeFilter = Selection()
    var graphs = GraphsViewState()
    var strips = StripsViewState()
    var wallState = WallViewState()
    var comparison = ComparisonState()
    var history = HistoryCache()
    var vantage = VantageViewState()
    var paths = PathsState()
    var pathTree = PathTreeState()
    var prompts = Prompts()
    var alerts = Alerts()
    var editing: EditingState
    var status: Status?
    /// The file about a past time that is shown; nil for the present.
    var opened: OpenedFile?
    /// What to do without a settings file; nil if there is one.
    var hint: String?
    /// Whether the terminal reports mouse events.
    var isMouseOn = false

    /// A message that the footer shows for a few seconds.
    struct Status: Sendable, Hashable {
        let text: String
        let until: Duration
    }

    /// Creates a dashboard without targets; the first ``Event/Kind/settings(_:)`` adds them.
    ///
    /// - Parameters:
    ///   - source: the source of the targets for the header, such as `dashboard.toml`.
    ///   - document: the text of the settings; nil if they cannot be edited.
    ///   - size: the terminal's size.
    ///   - glyphs: the characters of the terminal.
    ///   - forcedTheme: a theme that overrides the one of the settings.
    ///   - background: the terminal's background, as far as it is known.
    ///   - wall: the wall time of the program's start.
    public init(
        source: String,
        document: SettingsDocument? = nil,
        size: Size,
        glyphs: Glyphs,
        themeOverride: ThemeChoice? = nil,
        background: Background = .dark,
        wall: WallTime
    ) {
        self.source = source
        editing = EditingState(document: document)
        self.size = size
        themes = ThemeSelection(forced: themeOverride, background: background)
        appearance = Appearance(theme: themes.theme, glyphs: glyphs)
        live = LiveState(wall: wall)
    }

    /// The states of all targets.
    public var roster: Roster { live.roster }

    /// The targets with their identities, for requests to the history.
    package var assignments: [ProbeRequest.Assignment] {
        roster.states.map { ProbeRequest.Assignment(id: $0.id, target: $0.sharedTarget) }
    }
    var log: EventLog { live.log }
    var now: Duration { live.now }
    var wall: WallTime { live.wall }
    var chartOrigin: Duration { live.chartOrigin }
    var rows: [Row] { list.rows }

    /// The text that is shown if there are no rows.
    var emptyText: String {
        guard !list.filter.isEmpty else {
            if fleet.servers.contains(where: { $0.answered == nil }) { return "waiting for the servers" }
            return editing.document == nil ? "no targets" : "no targets – a adds one"
        }
        return "no target matches \"\(list.filter.text)\""
    }

    /// The problem that the user has to fix, a rejected settings file or a fault, with the commands that fix it.
    private var problem: (text: String, commands: [String])? {
        let live = shown
        if let first = live.refusal.first {
            let others = live.refusal.count == 1 ? "" : " (and \(live.refusal.count - 1) more, press e)"
            return ("\(Settings.refusal()): \(first)\(others)", [])
        }
        if let text = editing.bannerText ?? fleet.banner(at: live.now) { return (text, []) }
        if let share = live.roster.schedule.missedShare { return (RosterEvent.scheduleMissedSummary(share: share), []) }
        let (states, count) = (live.roster.states, live.roster.states.healthCounts.faulty)
        guard count > 0, let first = states.targetSummaries.firstIndex(where: \.isFaulty),
            let fault = states[first].fault
        else { return live.sourceProblem.map { ($0, []) } }
        let targets = "\(count) \(count == 1 ? "target" : "targets")"
        let fix = fault.cures.isEmpty ? "" : fault.cures.count == 1 ? " – fix:" : " – fix, with either:"
        let what = fault.problem == .notReporting ? "without a verdict" : "cannot be probed"
        return ("\(targets) \(what): \(fault.detail)\(fix)", fault.cures)
    }

    /// The lines of the banner. Each command has its own line, so that it can be copied whole.
    var bannerLines: [[Segment]] {
        let (width, ellipsis) = (size.columns - 2, appearance.glyphs.ellipsis)
        let isLow = size.rows < 14
        let side = sideLine(width: width, isLow: isLow).map { [[$0]] } ?? []
        guard let problem else {
            let lines = causeLines + hintPieces.flowing(width: width)
            return side + lines.prefix(isLow ? 1 - side.count : 2)
        }
        let style = appearance[.down]
        let text = "\(appearance.glyphs.fault) \(problem.text)".wrapped(
            toColumns: width,
            lines: isLow ? 1 : 2,
            ellipsis: ellipsis
        )
        let commands = problem.commands.map { "    \($0)".truncated(toColumns: width, ellipsis: ellipsis) }
        return side + (isLow ? text : text + commands).map { [Segment($0, style)] } + (isLow ? [] : causeLines)
    }

    /// The line that says on whose side the present outages are. On a low screen, only those of the own side have room. A common
    /// cause says more than that it is on the far side.
    private func sideLine(width: Int, isLow: Bool) -> Segment? {
        guard let report = shown.sideReport, report.verdict.isOwn || !isLow && shown.roster.commonCauses.isEmpty else {
            return nil
        }
        let forms = report.forms(since: String(shown.wall.timeOfDay(at: report.since).prefix(5)))
        let text = forms.first { $0.displayWidth <= width } ?? forms.last ?? ""
        let short = text.truncated(toColumns: width, ellipsis: appearance.glyphs.ellipsis)
        return Segment(short, appearance[report.verdict.isOwn ? .down : .degraded])
    }

    /// A line for each common cause that lasts; two at most, and then their number.
    private var causeLines: [[Segment]] {
        if !shown.storedCauses.isEmpty { return storedCauseLines }
        // A screen of a few rows has no room for it. The rows are marked.
        let causes = size.rows < 8 ? [] : shown.roster.commonCauses
        let (wall, glyphs) = (shown.wall, appearance.glyphs)
        guard causes.count <= 2 else {
            let explained = causes.reduce(0) { $0 + $1.explained }
            let text = "\(glyphs.path) \(explained) down by \(causes.count) common causes: "
            let places = causes.map { "\($0.place) (\($0.explained))" }.joined(separator: "; ")
            return [[Segment(text + places, appearance[.down], link: .filter("is:explained"))]]
        }
        return causes.map { cause in
            let time = { (time: Duration) in String(wall.timeOfDay(at: time).prefix(5)) }
            let forms = [cause.sentence(timeOfDay: time), cause.shortSentence(timeOfDay: time)]
                .map { "\(glyphs.path) \($0)" }
            let text = forms[0].displayWidth <= size.columns - 2 ? forms[0] : forms[1]
            return [Segment(text, appearance[.down], link: .filter("cause:\(cause.id.rawValue)"))]
        }
    }

    /// A line for each common cause of a time before the start of the program.
    private var storedCauseLines: [[Segment]] {
        shown.storedCauses.prefix(2).map { cause in
            let since = shown.wall.minuteOfDay(at: cause.since - shown.wall.start)
            let text = "\(appearance.glyphs.path) \(cause.count) down since \(since) – \(cause.place)"
            return [Segment(text, appearance[.down])]
        }
    }

    /// The hint of a first run, and the keys that it is about.
    private var hintPieces: [[Segment]] {
        guard let hint else { return [] }
        let keys: [(Action, String)] = [(.add, "add a target"), (.write, "write a file")]
        let bindings = keys.compactMap { action, text in
            KeyTable.bindings.first { $0.action == action }.map { (name: $0.name, text: text) }
        }
        return [[Segment(hint, appearance[.accent])]]
            + bindings.map { [Segment($0.name, appearance[.title]), Segment(" \($0.text)", appearance[.faint])] }
    }

    var areas: Areas {
        // Neither a filter nor a folded group moves the events.
        // A blank line and the caption are below the matrix of vantage points.
        let captionRows = navigation.overview == .vantagePoints ? 2 : 0
        // A blank line and the times are below the tree of paths.
        let treeRows = navigation.overview == .paths ? max(1, pathTree.rows.count) + 2 : nil
        let rows = navigation.hasHeadings ? list.texts.rowCount + captionRows : treeRows
        let columnRows = columns.index == nil ? nil : ColumnListView(model: self).height
        return Areas(
            size: size,
            bannerRows: bannerLines.count,
            listRows: rows,
            columnListRows: columnRows,
            hasChart: navigation.overview == .table
        )
    }
}

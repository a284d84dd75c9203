public import Monitoring
public import Screen

/// The state of the dashboard: what is known of the network, and what the user looks at.
///
/// One owner mutates it, by ``update(_:)``; ``draw()`` is its picture and changes nothing.
public struct Model: Sendable {
    /// What is known of every target.
    public internal(set) var roster = Roster()
    /// How well the last picture fits.
    public internal(set) var staleness = Staleness.urgent

    /// What the header names as the source of the targets.
    let source: String
    /// The theme that the command line asks for; it stands above the settings'.
    let forcedTheme: ThemeChoice?
    var settingsTheme = ThemeChoice.auto
    /// What the terminal's text stands on, as far as it is known.
    var background: Background
    var look: Look
    var size: Size
    var now: Duration
    var wall: WallTime

    var log = EventLog()
    var hooks = HookLog()
    /// How many hooks of a target are running.
    var runningHooks: [Target.ID: Int] = [:]
    /// Why the settings file was refused when it was last read again.
    var refusal: [String] = []
    var status: Status?

    /// What is shown instead of the present, while the screen is frozen.
    var frozen: Frozen?
    var view = View.table
    /// What the events or the hook runs were opened from, where that is not an overview.
    var behind: View?
    /// The table, the wall or the graphs: what was seen last, and what other views lead back to.
    var overview = View.table
    /// The time that the graphs show.
    var span = TimeAxis.spans[0]
    /// The first line of graphs that is seen.
    var graphScroll = 0
    /// The first line of help that is seen, while help is open.
    var helpScroll: Int?
    /// Whether the terminal tells what the mouse does.
    var isMouseOn = false
    /// The line that is being typed.
    var prompt: Prompt?
    var filters = LineHistory()
    var commands = LineHistory()
    var filter = Filter()
    var sort = Sort.settings
    var isReversed = false
    var folded: Set<String?> = []
    /// The targets and rows that are shown, in their order.
    var arrangement = Arrangement()
    var texts = TargetTexts(of: Roster())
    /// The selected row; it stays selected when sorting, folding or a reload moves it.
    var selection: Row.ID?
    /// Where the selected row stood, for when it goes away.
    var selectionIndex = 0
    /// The first row of the table that is seen.
    var scroll = 0

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
        /// The events at full height; `scroll` lines above the newest are seen last.
        case events(scroll: Int)
        /// The hook runs, with the output of the selected one.
        case hooks(HooksPlace)
    }

    /// What just happened, said in the footer for a moment.
    struct Status: Sendable, Hashable {
        let text: String
        let until: Duration
    }

    /// A dashboard without targets; the first ``Event/settings(_:at:)`` brings them.
    ///
    /// - Parameters:
    ///   - source: what the header names as the source of the targets, such as `dashboard.toml`.
    ///   - size: the terminal's size.
    ///   - glyphs: the characters to draw with.
    ///   - forcedTheme: the theme that stands above the settings' one.
    ///   - background: what the terminal's text stands on, as far as it is known.
    ///   - wall: the wall time of the program's start.
    public init(
        source: String,
        size: Size,
        glyphs: Glyphs,
        forcedTheme: ThemeChoice? = nil,
        background: Background = .dark,
        wall: WallTime
    ) {
        self.source = source
        self.size = size
        self.forcedTheme = forcedTheme
        self.background = background
        look = Look(theme: Theme(forcedTheme ?? .auto, on: background), glyphs: glyphs)
        self.wall = wall
        now = .zero
    }

    /// Says that the picture fits: call it when ``draw()`` has been painted.
    public mutating func markPainted() {
        staleness = .fresh
    }

    var theme: Theme {
        Theme(forcedTheme ?? settingsTheme, on: background)
    }

    /// What is said where there are no rows.
    var emptiness: String {
        filter.isEmpty ? "no targets" : "no target matches \"\(filter.text)\""
    }

    /// What needs the user's hand: a refused settings file, or a fault; and the commands that mend it.
    private var banner: (text: String, cures: [String])? {
        if let first = refusal.first {
            let others = refusal.count == 1 ? "" : " (and \(refusal.count - 1) more, see e)"
            return ("settings refused, the old ones keep running: \(first)\(others)", [])
        }
        let (standings, count) = (roster.standings, roster.standings.census.faulty)
        guard count > 0, let first = standings.glances.firstIndex(where: \.isFaulty), let fault = standings[first].fault
        else { return nil }
        let targets = "\(count) \(count == 1 ? "target" : "targets")"
        let mending = fault.cures.isEmpty ? "" : fault.cures.count == 1 ? "; this mends it:" : "; either mends it:"
        return ("\(targets) cannot be asked: \(fault.detail)\(mending)", fault.cures)
    }

    /// The banner in lines: a command is of use only when it is seen whole, and has a line for itself.
    var bannerLines: [String] {
        guard let banner else { return [] }
        let (width, ellipsis) = (size.columns - 2, look.glyphs.ellipsis)
        let isLow = size.rows < 14
        let text = "\(look.glyphs.fault) \(banner.text)".wrapped(
            toColumns: width,
            lines: isLow ? 1 : 2,
            ellipsis: ellipsis
        )
        let cures = banner.cures.map { "    \($0)".truncated(toColumns: width, ellipsis: ellipsis) }
        return isLow ? text : text + cures
    }

    var areas: Areas {
        Areas(size: size, bannerRows: shown.bannerLines.count)
    }
}

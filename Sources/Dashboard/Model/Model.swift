public import Monitoring
public import Screen

/// The state of the dashboard: what is known of the network, and what the user looks at.
///
/// One owner mutates it, by ``update(_:)``; ``draw()`` is its picture and changes nothing. Each part owns its variables,
/// and changes only through its functions.
public struct Model: Sendable {
    /// How well the last picture fits.
    public internal(set) var staleness = Staleness.urgent

    /// The source of the targets, for the header.
    let source: String
    var size: Size
    var look: Look
    var themes: ThemeSelection
    /// What comes from outside, as it is now.
    var live: LiveState
    /// What is shown instead of the present, while the screen is frozen.
    var frozen: Frozen?
    var navigation = Navigation()
    var list = RowList()
    var selection = Selection()
    var graphs = GraphsPlace()
    var prompts = Prompts()
    var status: Status?
    /// Whether the terminal reports the mouse.
    var isMouseOn = false

    /// What just happened, shown in the footer for a few seconds.
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
        themes = ThemeSelection(forced: forcedTheme, background: background)
        look = Look(theme: themes.theme, glyphs: glyphs)
        live = LiveState(wall: wall)
    }

    /// What is known of every target.
    public var roster: Roster { live.roster }
    var log: EventLog { live.log }
    var now: Duration { live.now }
    var wall: WallTime { live.wall }
    var rows: [Row] { list.rows }

    /// Marks the picture as fresh; call it when ``draw()`` has been painted.
    public mutating func markPainted() {
        staleness = .fresh
    }

    /// The text in place of rows where there are none.
    var emptiness: String {
        list.filter.isEmpty ? "no targets" : "no target matches \"\(list.filter.text)\""
    }

    /// What needs the user's hand: a refused settings file, or a fault; and the commands that mend it.
    private var banner: (text: String, cures: [String])? {
        if let first = live.refusal.first {
            let others = live.refusal.count == 1 ? "" : " (and \(live.refusal.count - 1) more, see e)"
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

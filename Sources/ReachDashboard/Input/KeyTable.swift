public import ReachScreen

/// The table from key to action. Help, footer, manual and documentation are generated from it: a new key is one row
/// here.
public enum KeyTable {
    /// The sections, in the order in which help shows them.
    public static let sections: [KeySection] = [
        KeySection(
            "Selected target or group",
            [
                Binding([.character(" ")], .togglePause, "space", "pause or resume", hint: "pause"),
                Binding([.character("P")], .togglePauseAll, "P", "pause or resume all targets; asks first"),
                Binding([.character("r")], .probeNow, "r", "probe now"),
                Binding([.character("R")], .reset, "R", "reset the statistics"),
                Binding(
                    [.enter],
                    .open,
                    "enter",
                    "show details, the group, a hook run's output, or an event's time",
                    hint: "details"
                ),
                Binding([.character("p")], .path, "p", "show the path: the routers on the way"),
                Binding(
                    [.character("x")],
                    .arm,
                    "x",
                    "run a command when reachable; in runs, disarm",
                    hint: "run when reachable"
                ),
                Binding([.character("t")], .testHooks, "t", "test the target's hooks now; asks first"),
                Binding([.character("A")], .acknowledge, "A", "acknowledge or silence a failure: 2h: reason"),
                Binding([.character("v")], .mark, "v", "mark the target for a comparison"),
                Binding([.character("V")], .compare, "V", "show the marked targets in one chart"),
                Binding([.character("y")], .copy, "y", "copy the row to the clipboard"),
                Binding([.character("a")], .add, "a", "add a target below, in the same group"),
                Binding([.character("E")], .edit, "E", "edit the target: name, URL, interval, command"),
                Binding([.character("D")], .remove, "D", "remove the target; asks first"),
            ]
        ),
        KeySection(
            "Filter and sort",
            [
                Binding(
                    [.character("/")],
                    .filter,
                    "/",
                    "filter: words, is:down, p95>1s; ! negates",
                    hint: "filter"
                ),
                Binding([.character("s")], .nextSort, "s", "sort by the next column", hint: "sort"),
                Binding([.character("S")], .reverseSort, "S", "reverse the sort order"),
                Binding([.character("C")], .chooseColumns, "C", "choose the columns of the table; in a path, names"),
            ]
        ),
        KeySection(
            "Views and time",
            [
                Binding([.character("1")], .table, "1", "show the table: a line for each target"),
                Binding([.character("2")], .wall, "2", "show the wall: a cell for each target", hint: "wall"),
                Binding([.character("F")], .nextForm, "F", "change the form of the wall: tiles, names, dots"),
                Binding([.character("3")], .graphs, "3", "show the graphs: a chart for each target"),
                Binding([.character("4")], .strips, "4", "show the strips: the outages of each target"),
                Binding([.character("5")], .vantagePoints, "5", "show the vantage points of each target"),
                Binding([.character("6")], .paths, "6", "show the paths to all targets as a tree"),
                Binding([.tab], .nextView, "tab", "show the next of these views"),
                Binding(
                    [.character("e")],
                    .toggleEvents,
                    "e",
                    "show the events, with the output of hooks",
                    hint: "events"
                ),
                Binding([.character("h")], .toggleHooks, "h", "show hook runs and armed hooks", hint: "hooks"),
                Binding([.character("H")], .targetHooks, "H", "show hook runs of the target or group"),
                Binding([.character("+"), .character("=")], .lengthenSpan, "+", "show a longer time in charts"),
                Binding([.character("-"), .character("−")], .shortenSpan, "-", "show a shorter time in charts"),
                Binding([.character("f")], .freeze, "f", "freeze, still probing; ← → read the past"),
                Binding([.character("[")], .previousEvent, "[", "freeze at the previous event, or at an outage"),
                Binding([.character("]")], .nextEvent, "]", "go to the next event, or the next outage"),
                Binding([.character("{")], .jumpBack, "{", "freeze, and go five minutes back"),
                Binding([.character("}")], .jumpForward, "}", "go five minutes forward"),
            ]
        ),
        KeySection(
            "Navigation",
            [
                Binding([.up, .character("k")], .up, "↑ k", "move up; in details, to the previous target"),
                Binding([.down, .character("j")], .down, "↓ j", "move down; in details, to the next target"),
                Binding([.left], .fold, "←", "fold the group; in other views, move left"),
                Binding([.right], .unfold, "→", "unfold the group; in other views, move right"),
                Binding([.pageUp, .control("u")], .pageUp, "PgUp ^U", "move a page up; in details, scroll"),
                Binding([.pageDown, .control("d")], .pageDown, "PgDn ^D", "move a page down; in details, scroll"),
                Binding([.home, .character("g")], .first, "Home g", "go to the top"),
                Binding([.end, .character("G")], .last, "End G", "go to the end"),
                Binding([.character("n")], .nextFailing, "n", "go to the next failing target"),
                Binding([.character("N")], .previousFailing, "N", "go to the previous failing target"),
            ]
        ),
        KeySection(
            "Program",
            [
                Binding([.character("m")], .toggleMouse, "m", "mouse on or off: select, open, sort, filter"),
                Binding([.character("b")], .toggleAlerts, "b", "bell and notifications on or off"),
                Binding([.character("w")], .savePicture, "w", "save an SVG picture in the current directory"),
                Binding([.character("I")], .saveIncident, "I", "write this time, of an event or now, to a file"),
                Binding([.character("u")], .undo, "u", "undo the last edit of a target"),
                Binding([.character("W")], .write, "W", "write edits and columns to the settings file"),
                Binding([.control("r")], .reload, "^R", "reload the settings file"),
                Binding([.control("l")], .repaint, "^L", "repaint the screen"),
                Binding([.control("z")], .suspend, "^Z", "suspend; fg resumes"),
                Binding([.character(":")], .palette, ":", "find and perform an action", hint: "actions"),
                Binding([.character("?"), .function(1)], .help, "? F1", "show or hide help", hint: "help"),
                Binding([.escape], .back, "esc", "go back; clear the filter"),
                Binding(
                    [.character("q")],
                    .quit,
                    "q",
                    "go back; in the views of 1 to 6, quit",
                    hint: "quit"
                ),
                Binding([.control("c")], .quitAtOnce, "^C", "quit at once; in a prompt, cancel"),
            ]
        ),
    ]

    /// All rows.
    public static let bindings = sections.flatMap(\.bindings)

    /// Returns the rows of the palette: those with all words of a text in key or help. The palette itself is not a row.
    /// A row whose key is the text comes first, then those with words that begin with the typed ones: in the key
    /// or the first clause of the help, which names the action, then in the others.
    static func bindings(matching text: String) -> [Binding] {
        let typed = text.lowercased().split(separator: " ")
        let ranked = bindings.compactMap { binding -> (rank: Int, binding: Binding)? in
            let row = "\(binding.name) \(binding.help)".lowercased()
            guard binding.action != .palette, typed.allSatisfy({ row.contains($0) }) else { return nil }
            let begins = { (text: Substring) in
                let words = text.split(separator: " ")
                return typed.allSatisfy { start in words.contains { $0.hasPrefix(start) } }
            }
            let clause = row.prefix { !",;:".contains($0) }
            let rank = binding.names.contains { $0 == text } ? 0 : begins(clause) ? 1 : begins(row[...]) ? 2 : 3
            return (rank, binding)
        }
        return (0...3).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.binding) }
    }

    private static let actions = Dictionary(
        bindings.flatMap { binding in binding.keys.map { ($0, binding.action) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// The action of a key; nil for a key without one, which is ignored.
    public static func action(for key: Key) -> Action? {
        actions[key]
    }
}

/// A row of the key table: keys, their action, and its description.
public struct Binding: Sendable, Hashable {
    /// The keys; each of them triggers the action.
    public let keys: [Key]
    /// The action of the keys.
    public let action: Action
    /// The names of the keys in help and footer.
    public let name: String
    /// The description of the action in help.
    public let help: String
    /// The description in one to three words for the footer; nil if the footer omits the key.
    public let hint: String?

    init(_ keys: [Key], _ action: Action, _ name: String, _ help: String, hint: String? = nil) {
        self.keys = keys
        self.action = action
        self.name = name
        self.help = help
        self.hint = hint
    }

    /// The names of the keys, one by one, for the manual and the documentation.
    public var names: [Substring] { name.split(separator: " ") }

    /// The help as a sentence, for the manual and the documentation.
    public var sentence: String { help.prefix(1).uppercased() + help.dropFirst() + "." }
}

/// A section of the key table, as help shows it.
public struct KeySection: Sendable, Hashable {
    /// The section's heading.
    public let title: String
    /// The rows, in the order in which help shows them.
    public let bindings: [Binding]

    init(_ title: String, _ bindings: [Binding]) {
        self.title = title
        self.bindings = bindings
    }
}

/// What a key does.
public enum Action: Sendable, Hashable, CaseIterable {
    case up, down, pageUp, pageDown, first, last
    case fold, unfold
    case freeze, previousEvent, nextEvent, jumpBack, jumpForward
    case togglePause, togglePauseAll
    case table, wall, graphs, strips, nextView, vantagePoints, paths
    case path
    case filter
    case nextSort, reverseSort
    case chooseColumns
    case nextForm
    case mark, compare
    case probeNow, reset
    case nextFailing, previousFailing
    case acknowledge
    case arm, testHooks
    case toggleEvents, toggleHooks, targetHooks
    case lengthenSpan, shortenSpan
    case add, edit, remove, undo, write
    case open
    case copy, toggleMouse, toggleAlerts, savePicture, saveIncident
    case reload, repaint, suspend
    case help, palette
    case back
    case quit, quitAtOnce
}

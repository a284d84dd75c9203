public import Screen

/// The one table from key to action. Help and the footer are made from it, so a new key is one row here.
public enum KeyTable {
    /// The rows, in the order in which help shows them.
    public static let bindings: [Binding] = [
        Binding(
            [.character(" ")],
            .togglePause,
            "space",
            "pause or resume the target; on a group, the group",
            hint: "pause"
        ),
        Binding([.character("p")], .togglePauseAll, "p", "pause all, or resume all"),
        Binding([.up, .character("k")], .up, "↑ k", "move up"),
        Binding([.down, .character("j")], .down, "↓ j", "move down"),
        Binding([.pageUp, .control("u")], .pageUp, "PgUp ^U", "move a page up"),
        Binding([.pageDown, .control("d")], .pageDown, "PgDn ^D", "move a page down"),
        Binding([.home, .character("g")], .first, "Home g", "go to the top"),
        Binding([.end, .character("G")], .last, "End G", "go to the end"),
        Binding([.left], .fold, "←", "fold the group; in the wall and the graphs, move; when frozen, go back in time"),
        Binding(
            [.right],
            .unfold,
            "→",
            "unfold the group; in the wall and the graphs, move; when frozen, go on in time"
        ),
        Binding([.character("f")], .freeze, "f", "freeze the screen, probing goes on; ← → then read the past"),
        Binding([.character("n")], .nextFailing, "n", "go to the next failing target"),
        Binding([.character("N")], .previousFailing, "N", "go to the previous failing target"),
        Binding([.character("1")], .table, "1", "the table: a line for each target"),
        Binding([.character("2")], .wall, "2", "the wall: a cell for each target", hint: "wall"),
        Binding([.character("3")], .graphs, "3", "the graphs: a chart for each target"),
        Binding([.tab], .nextView, "tab", "the next of these three"),
        Binding(
            [.character("/")],
            .filter,
            "/",
            "filter: words match name, URL, group; !word excludes; is:down, is:blocked",
            hint: "filter"
        ),
        Binding([.character("s")], .nextSort, "s", "sort by the next column", hint: "sort"),
        Binding([.character("S")], .reverseSort, "S", "reverse the order"),
        Binding(
            [.character("x")],
            .arm,
            "x",
            "run a command once the target is reachable; 30m: command waits so long; in the hook runs, disarm",
            hint: "run when reachable"
        ),
        Binding([.character("t")], .testHooks, "t", "run the target's hooks now, as a test"),
        Binding([.character("r")], .probeNow, "r", "probe the target now; on a group, the group"),
        Binding([.character("R")], .reset, "R", "reset the figures of the target; on a group, of the group"),
        Binding(
            [.character("e")],
            .toggleEvents,
            "e",
            "events at full height, with the output of hooks",
            hint: "events"
        ),
        Binding([.character("h")], .toggleHooks, "h", "hook runs, and what is armed", hint: "hooks"),
        Binding([.character("H")], .targetHooks, "H", "hook runs of the target; on a group, of the group"),
        Binding([.character("+"), .character("=")], .lengthenSpan, "+", "a longer time span of the graphs"),
        Binding([.character("-"), .character("−")], .shortenSpan, "-", "a shorter time span of the graphs"),
        Binding(
            [.enter],
            .open,
            "enter",
            "all about the target; in the hook runs, the whole output of the selected one"
        ),
        Binding([.character("y")], .copy, "y", "copy the row; on a group, the rows of its targets"),
        Binding([.character("m")], .toggleMouse, "m", "mouse on or off: click selects or sorts, the wheel scrolls"),
        Binding([.character("w")], .savePicture, "w", "save the screen as a picture (SVG) in the current folder"),
        Binding([.control("r")], .reload, "^R", "read the settings file again"),
        Binding([.control("l")], .repaint, "^L", "repaint the screen"),
        Binding([.control("z")], .suspend, "^Z", "suspend; fg comes back"),
        Binding([.character("?"), .function(1)], .help, "?", "this help", hint: "help"),
        Binding([.escape], .back, "esc", "back; clear the filter"),
        Binding([.character("q"), .control("c")], .quit, "q ^C", "quit", hint: "quit"),
    ]

    private static let actions = Dictionary(
        bindings.flatMap { binding in binding.keys.map { ($0, binding.action) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// What a key means; nil for a key that means nothing, which does nothing and says nothing.
    public static func action(for key: Key) -> Action? {
        actions[key]
    }
}

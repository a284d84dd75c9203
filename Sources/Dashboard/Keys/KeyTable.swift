public import Screen

/// The one table from key to action. Help and the footer are made from it, so a new key is one row here.
public enum KeyTable {
    /// The rows in sections, in the order in which help shows them.
    public static let sections: [KeySection] = [
        KeySection(
            "The target, or all of the group",
            [
                Binding([.character(" ")], .togglePause, "space", "pause or resume", hint: "pause"),
                Binding([.character("p")], .togglePauseAll, "p", "pause all targets, or resume all"),
                Binding([.character("r")], .probeNow, "r", "probe now"),
                Binding([.character("R")], .reset, "R", "reset the figures"),
                Binding(
                    [.enter],
                    .open,
                    "enter",
                    "all about the target; all that a hook run wrote",
                    hint: "details"
                ),
                Binding([.character("y")], .copy, "y", "copy the row to the clipboard"),
            ]
        ),
        KeySection(
            "Which rows",
            [
                Binding(
                    [.character("/")],
                    .filter,
                    "/",
                    "filter: all words in name, URL or group; !word excludes; is:down, is:pending, is:blocked",
                    hint: "filter"
                ),
                Binding([.character("s")], .nextSort, "s", "sort by the next column", hint: "sort"),
                Binding([.character("S")], .reverseSort, "S", "reverse the order"),
            ]
        ),
        KeySection(
            "Hooks",
            [
                Binding(
                    [.character("x")],
                    .arm,
                    "x",
                    "run a command once it is reachable; 30m: command waits so long; among the hook runs, disarm",
                    hint: "run when reachable"
                ),
                Binding([.character("t")], .testHooks, "t", "run the target's hooks now, as a test"),
            ]
        ),
        KeySection(
            "Views",
            [
                Binding([.character("1")], .table, "1", "the table: a line for each target"),
                Binding([.character("2")], .wall, "2", "the wall: a cell for each target", hint: "wall"),
                Binding([.character("3")], .graphs, "3", "the graphs: a chart for each target"),
                Binding([.tab], .nextView, "tab", "the next of these three"),
                Binding(
                    [.character("e")],
                    .toggleEvents,
                    "e",
                    "events, with the output of hooks",
                    hint: "events"
                ),
                Binding([.character("h")], .toggleHooks, "h", "hook runs, and what is armed", hint: "hooks"),
                Binding([.character("H")], .targetHooks, "H", "hook runs of the target or the group"),
                Binding([.escape], .back, "esc", "back; clear the filter"),
            ]
        ),
        KeySection(
            "Time",
            [
                Binding([.character("+"), .character("=")], .lengthenSpan, "+", "charts of a longer time"),
                Binding([.character("-"), .character("−")], .shortenSpan, "-", "charts of a shorter time"),
                Binding([.character("f")], .freeze, "f", "freeze; probing goes on, ← → read the past"),
            ]
        ),
        KeySection(
            "Move",
            [
                Binding([.up, .character("k")], .up, "↑ k", "up"),
                Binding([.down, .character("j")], .down, "↓ j", "down"),
                Binding([.left], .fold, "←", "fold the group; in wall and graphs, left"),
                Binding([.right], .unfold, "→", "unfold the group; in wall and graphs, right"),
                Binding([.pageUp, .control("u")], .pageUp, "PgUp ^U", "a page up"),
                Binding([.pageDown, .control("d")], .pageDown, "PgDn ^D", "a page down"),
                Binding([.home, .character("g")], .first, "Home g", "to the top"),
                Binding([.end, .character("G")], .last, "End G", "to the end"),
                Binding([.character("n")], .nextFailing, "n", "to the next failing target"),
                Binding([.character("N")], .previousFailing, "N", "to the previous failing target"),
            ]
        ),
        KeySection(
            "The program",
            [
                Binding([.character("m")], .toggleMouse, "m", "mouse on or off: click selects, opens, sorts"),
                Binding([.character("w")], .savePicture, "w", "save the screen as an SVG picture here"),
                Binding([.control("r")], .reload, "^R", "read the settings file again"),
                Binding([.control("l")], .repaint, "^L", "repaint the screen"),
                Binding([.control("z")], .suspend, "^Z", "suspend; fg comes back"),
                Binding([.character("?"), .function(1)], .help, "? F1", "this help", hint: "help"),
                Binding([.character("q"), .control("c")], .quit, "q ^C", "quit", hint: "quit"),
            ]
        ),
    ]

    /// All rows.
    public static let bindings = sections.flatMap(\.bindings)

    private static let actions = Dictionary(
        bindings.flatMap { binding in binding.keys.map { ($0, binding.action) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// What a key means; nil for a key that means nothing, which does nothing and says nothing.
    public static func action(for key: Key) -> Action? {
        actions[key]
    }
}

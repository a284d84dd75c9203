import Monitoring
import Screen

/// The last line: the prompt, the status message, or the most useful keys.
///
/// ```
///  space pause  enter details  / filter  s sort  2 wall  e events  ? help  q quit
/// ```
struct FooterView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let position = Position(column: 1, row: area.row)
        let segments = segments(room: area.columns - 2)
        frame.write(segments, at: position, limit: area.columns - 2, ellipsis: model.appearance.glyphs.ellipsis)
    }

    private func segments(room: Int) -> [Segment] {
        let appearance = model.appearance
        if let prompt = model.prompts.current { return PromptLine(model: model, prompt: prompt).segments(room: room) }
        if let status = model.status { return [Segment(status.text, appearance[.text])] }
        let filter =
            model.list.filter.isEmpty
            ? []
            : [Segment("filter: \(model.list.filter.text)  ", appearance[.accent])]
                + (model.frozen == nil
                    ? [Segment("esc", appearance[.title]), Segment(" clears it  ", appearance[.faint])] : [])
        let cursor = model.cursor.map { [Segment("at \(model.wall.timeOfDay(at: $0))  ", appearance[.accent])] } ?? []
        return cursor + filter + fitting(hints, room: room - (cursor + filter).displayWidth)
    }

    /// The most useful keys of the current view, with short descriptions.
    private var hints: [(name: String, hint: String)] {
        let move: (name: String, hint: String)
        let here: [(Action, String)]
        guard model.navigation.helpScroll == nil else {
            return [(name: vertical, hint: "scroll")] + names(of: [(.back, "back"), (.quit, "quit")])
        }
        if model.frozen != nil {
            let time = [(name: isASCII ? "arrows" : "←→", hint: "read the past")]
            return (model.hasCharts ? time : []) + names(of: [(.freeze, "unfreeze"), (.help, "help"), (.quit, "quit")])
        }
        switch model.navigation.view {
        case .events:
            move = (vertical, "scroll")
            here = [(.back, "back"), (.toggleHooks, "hooks"), (.help, "help"), (.quit, "quit")]
        case .hooks:
            move = (vertical, "select")
            here = [(.open, "output"), (.arm, "disarm"), (.back, "back"), (.help, "help"), (.quit, "quit")]
        case .wall:
            move = ("arrows", "move")
            here = [
                (.nextFailing, "next failing"), (.filter, "filter"), (.togglePause, "pause"),
                (.arm, "run when reachable"), (.table, "table"), (.graphs, "graphs"), (.help, "help"), (.quit, "quit"),
            ]
        case .graphs:
            move = ("arrows", "move")
            here = [
                (.lengthenSpan, "longer"), (.shortenSpan, "shorter"), (.nextFailing, "next failing"),
                (.filter, "filter"), (.table, "table"), (.wall, "wall"), (.help, "help"), (.quit, "quit"),
            ]
        case .detail:
            move = (vertical, "scroll")
            here = [
                (.back, "back"), (.freeze, "freeze"), (.lengthenSpan, "longer"), (.shortenSpan, "shorter"),
                (.togglePause, "pause"), (.arm, "run when reachable"), (.testHooks, "test hooks"), (.help, "help"),
                (.quit, "quit"),
            ]
        case .table:
            return KeyTable.bindings.compactMap { binding in binding.hint.map { (binding.name, $0) } }
        }
        return [move] + names(of: here)
    }

    private func names(of hints: [(Action, String)]) -> [(name: String, hint: String)] {
        hints.compactMap { action, hint in
            KeyTable.bindings.first { $0.action == action }.map { (name: $0.name, hint: hint) }
        }
    }

    private var isASCII: Bool { model.appearance.glyphs == .ascii }

    /// The keys that move up and down, as letters on terminals without arrows.
    private var vertical: String { isASCII ? "jk" : "↑↓" }

    /// Returns as many hints as fit. Help and quit, the last two, always stay, since help shows all keys.
    private func fitting(_ hints: [(name: String, hint: String)], room: Int) -> [Segment] {
        let appearance = model.appearance
        var pieces = hints.map { name, hint in
            let key = appearance.glyphs.spelled(name).prefix { $0 != " " }
            return [Segment(String(key), appearance[.title]), Segment(" \(hint)", appearance[.faint])]
        }
        while pieces.count > 2, pieces.reduce(-2, { $0 + $1.displayWidth + 2 }) > room {
            pieces.remove(at: pieces.count - 3)
        }
        return Array(pieces.joined(separator: [Segment("  ", appearance[.faint])]))
    }
}

import ReachMonitoring
import ReachScreen

/// The last line: the question or the prompt, the status message, or the most useful keys.
///
/// ```
///  space pause  enter details  / filter  s sort  2 wall  e events  ? help  q quit
/// ```
struct FooterView: View {
    private let context: ViewContext
    private let prompts: Prompts
    /// The status message; nil if there is none.
    private let status: String?
    private let filter: Filter
    private let navigation: Navigation
    /// Whether the list of columns is open.
    private let choosesColumns: Bool
    /// Whether acknowledgements of fleet targets become silences.
    private let hasAlertmanager: Bool
    private let selected: Row.ID?

    /// Whether a file is shown, which cannot be left for the present.
    private let isFile: Bool

    init(model: Model) {
        context = ViewContext(model)
        (prompts, status, filter) = (model.prompts, model.status?.text, model.list.filter)
        (navigation, selected) = (model.navigation, model.selection.id)
        choosesColumns = model.columns.index != nil
        hasAlertmanager = model.fleet.alertmanager != nil
        isFile = model.opened != nil
    }

    /// A key with its description in one to three words.
    struct Hint {
        let name: String
        let text: String
        /// The key that a click presses; nil if the hint stands for several.
        var key: Key?
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let position = Position(column: 1, row: area.row)
        let segments = segments(width: area.columns - 2)
        frame.write(segments, at: position, limit: area.columns - 2, ellipsis: context.appearance.glyphs.ellipsis)
    }

    /// Returns the link at a position of the screen.
    func link(at position: Position, in area: Area) -> Segment.Link? {
        guard area.contains(position), position.column <= area.columns - 2 else { return nil }
        return segments(width: area.columns - 2).link(atColumn: position.column - 1)
    }

    private func segments(width: Int) -> [Segment] {
        let appearance = context.appearance
        if let question = prompts.question { return segments(of: question, width: width) }
        if let prompt = prompts.current { return PromptLine(context: context, prompt: prompt).segments(width: width) }
        if let status { return [Segment(status, appearance[.text])] }
        // Themes without colours underline the accent, so the blanks are separate.
        let gap = Segment("  ", appearance[.faint])
        var segments =
            context.frozen?.awaitedTime.map {
                [Segment("reading \(context.clock(at: $0))", appearance[.accent]), gap]
            } ?? context.cursor.map { [Segment("at \(context.clock(at: $0))", appearance[.accent]), gap] } ?? []
        if !filter.isEmpty {
            segments += [Segment("filter: \(filter.text)", appearance[.accent]), gap]
            // In other views, esc goes back first.
            if navigation.isAtOverview, context.frozen == nil {
                segments += [
                    Segment("esc", appearance[.title], link: .key(.escape)),
                    Segment(" clears it", appearance[.faint], link: .key(.escape)), gap,
                ]
            }
        }
        return segments + fitting(hints, width: width - segments.displayWidth)
    }

    /// The question, truncated so that its answers are always visible. In a narrow terminal, they are only their keys.
    private func segments(of question: Confirmation, width: Int) -> [Segment] {
        let appearance = context.appearance
        let keys: [(Character, String)] = width < 30 ? [("y", ""), ("n", "")] : [("y", " yes"), ("n", " no")]
        let answers = keys.flatMap { key, word in
            let link = Segment.Link.key(.character(key))
            return [
                Segment(width < 30 ? " " : "  ", appearance[.faint]),
                Segment(String(key), appearance[.title], link: link), Segment(word, appearance[.faint], link: link),
            ]
        }
        let textWidth = max(1, width - answers.displayWidth)
        let text = question.text.truncated(toColumns: textWidth, ellipsis: appearance.glyphs.ellipsis)
        return [Segment(text, appearance[.accent])] + answers
    }

    /// The most useful keys of the current view, with short descriptions.
    private var hints: [Hint] {
        let move: Hint
        let here: [(Action, String)]
        guard !choosesColumns else { return ColumnListView.hints }
        guard navigation.helpScroll == nil else {
            return [Hint(name: vertical, text: "scroll")] + hints(of: [(.help, "close"), (.back, "back")])
        }
        if context.frozen != nil {
            let time = [Hint(name: isASCII ? "arrows" : "←→", text: "read the past")]
            let events = [Hint(name: "[]", text: "events")]
            return (navigation.showsCharts ? time : []) + events
                + (isFile
                    ? hints(of: [(.help, "help"), quitOrBack]) : hints(of: [(.freeze, "unfreeze"), (.help, "help")]))
        }
        switch navigation.view {
        case .events:
            move = Hint(name: vertical, text: "select")
            here = [
                (.open, "open"), (.filter, "filter"), (.toggleHooks, "hooks"), (.help, "help"),
                quitOrBack,
            ]
        case .hooks(let viewState) where viewState.outputScroll != nil:
            move = Hint(name: vertical, text: "scroll")
            here = [(.help, "help"), quitOrBack]
        case .hooks(let viewState):
            move = Hint(name: vertical, text: "select")
            let isArmed =
                context.shown.hookRows(of: viewState.targets).dropFirst(viewState.index).first?.isArmed ?? false
            here = [(.open, "output")] + (isArmed ? [(.arm, "disarm")] : []) + [(.help, "help"), quitOrBack]
        case .wall:
            move = Hint(name: "arrows", text: "move")
            here = [
                (.nextForm, "form"), (.nextFailing, "next failing"), (.filter, "filter"), (.togglePause, "pause"),
                (.arm, "run when reachable"), (.table, "table"), (.graphs, "graphs"), (.help, "help"), quitOrBack,
            ]
        case .graphs:
            move = Hint(name: "arrows", text: "move")
            here = [
                (.lengthenSpan, "longer"), (.shortenSpan, "shorter"), (.nextFailing, "next failing"),
                (.mark, "mark"), (.compare, "compare"), (.filter, "filter"), (.table, "table"), (.wall, "wall"),
                (.help, "help"), quitOrBack,
            ]
        case .vantagePoints:
            move = Hint(name: "arrows", text: "move")
            here = [
                (.open, "details"), (.filter, "filter"), (.nextFailing, "next failing"),
                (.acknowledge, hasAlertmanager ? "silence" : "acknowledge"),
                (.table, "table"), (.wall, "wall"), (.help, "help"), quitOrBack,
            ]
        case .strips:
            move = Hint(name: "arrows", text: "move")
            here = [
                (.lengthenSpan, "longer"), (.shortenSpan, "shorter"), (.previousEvent, "earlier outage"),
                (.nextEvent, "later outage"), (.open, "details"), (.filter, "filter"), (.table, "table"),
                (.help, "help"), quitOrBack,
            ]
        case .paths:
            move = Hint(name: "arrows", text: "move")
            here = [
                (.open, "targets"), (.path, "hops of one"), (.freeze, "freeze"), (.lengthenSpan, "longer"),
                (.shortenSpan, "shorter"), (.nextFailing, "next failing"), (.filter, "filter"), (.table, "table"),
                (.strips, "strips"), (.help, "help"), quitOrBack,
            ]
        case .comparison:
            move = Hint(name: "+-", text: "longer or shorter")
            here = [(.freeze, "freeze"), (.help, "help"), quitOrBack]
        case .path:
            move = Hint(name: vertical, text: "targets")
            here = [
                (.open, "details"), (.freeze, "freeze"), (.lengthenSpan, "longer"), (.shortenSpan, "shorter"),
                (.chooseColumns, "names"), (.pageDown, "scroll"), (.paths, "all paths"), (.help, "help"), quitOrBack,
            ]
        case .detail:
            move = Hint(name: vertical, text: "targets")
            here = [
                (.pageDown, "scroll"), (.freeze, "freeze"), (.lengthenSpan, "longer"), (.shortenSpan, "shorter"),
                (.path, "path"), (.togglePause, "pause"), (.arm, "run when reachable"), (.testHooks, "test hooks"),
                (.help, "help"),
                quitOrBack,
            ]
        case .table:
            let isGroup = selected.map { !$0.isTarget } ?? false
            return KeyTable.bindings.compactMap { binding in
                let text = isGroup && binding.action == .open ? "open" : binding.hint
                return text.map { Hint(name: binding.name, text: $0, key: binding.keys.first) }
            }
        }
        return [move] + hints(of: here)
    }

    /// The key that leaves the view: q quits only from the table, the wall, the graphs and the strips.
    private var quitOrBack: (Action, String) {
        navigation.isAtOverview ? (.quit, "quit") : (.back, "back")
    }

    private func hints(of actions: [(Action, String)]) -> [Hint] {
        actions.compactMap { action, text in
            KeyTable.bindings.first { $0.action == action }
                .map { Hint(name: $0.name, text: text, key: $0.keys.first) }
        }
    }

    private var isASCII: Bool { context.appearance.glyphs == .ascii }

    /// The keys that move up and down, as letters on terminals without arrows.
    private var vertical: String { isASCII ? "jk" : "↑↓" }

    /// Returns as many hints as fit. The last two, help and quit, always stay, since help shows all keys.
    private func fitting(_ hints: [Hint], width: Int) -> [Segment] {
        let appearance = context.appearance
        var pieces = hints.map { hint in
            let key = appearance.glyphs.spelled(hint.name).prefix { $0 != " " }
            let link = hint.key.map(Segment.Link.key)
            return [
                Segment(String(key), appearance[.title], link: link),
                Segment(" \(hint.text)", appearance[.faint], link: link),
            ]
        }
        while pieces.count > 2, pieces.reduce(-2, { $0 + $1.displayWidth + 2 }) > width {
            pieces.remove(at: pieces.count - 3)
        }
        return Array(pieces.joined(separator: [Segment("  ", appearance[.faint])]))
    }
}

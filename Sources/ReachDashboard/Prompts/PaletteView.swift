import ReachBasics
import ReachMonitoring
import ReachScreen

/// The palette: the actions that match the text of its prompt, above the footer.
///
/// ```
///  Actions ────────────────────────────────────────────── 1 to 3 of 12 ──
///  space     pause or resume
/// ▸P         pause or resume all targets; asks first
///  r         probe now
///  action: p    enter performs it, esc closes
/// ```
struct PaletteView: View {
    let prompt: Prompt
    let appearance: Appearance
    /// What the text means if it is a time.
    let time: TypedTime?
    /// The area of the view below the palette.
    let body: Area

    /// The width of the keys' names.
    private static let nameWidth = 10

    private var rows: [Binding] { time == nil ? KeyTable.bindings(matching: prompt.line.text) : [] }

    /// The maximum height, so that a few matches are not far above the prompt.
    private static let maximumHeight = 16

    /// The area of the palette. It does not depend on the text, so that the list does not jump while the user types.
    var area: Area {
        let height = max(min(4, body.rows), min(Self.maximumHeight, body.rows * 2 / 3))
        return Area(row: body.row + body.rows - height, rows: height, columns: body.columns)
    }

    /// The visible rows, so that the selected one is the last at most.
    private var visible: Range<Int> {
        let height = max(0, area.rows - 1)
        let start = max(0, prompt.choice - height + 1)
        return start..<max(start, min(rows.count, start + height))
    }

    /// The text in place of rows: the time that enter goes to, why there is none, or that nothing matches.
    private var emptyText: (String, Role) {
        switch time {
        case .time(_, let text): ("show the screen of \(text)", .text)
        case .invalid(let problem): (problem, .degraded)
        case nil: ("no action matches – try a word such as pause, filter or help", .faint)
        }
    }

    /// Returns the index of the row at a position of the screen.
    func choice(at position: Position) -> Int? {
        let index = visible.lowerBound + position.row - area.row - 1
        return area.contains(position) && position.row > area.row && visible.contains(index) ? index : nil
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let (rows, visible) = (rows, visible)
        frame.clear(area)
        frame.writeHeading("Actions", in: area, appearance: appearance)
        if visible.count < rows.count { frame.writeRange(visible, of: rows.count, in: area, appearance: appearance) }
        if rows.isEmpty, area.rows > 1 {
            let position = Position(column: 1, row: area.row + 1)
            let (text, role) = emptyText
            let short = text.truncated(toColumns: area.columns - 2, ellipsis: appearance.glyphs.ellipsis)
            frame.write(short, at: position, style: appearance[role])
        }
        for (line, index) in zip(area.row + 1..<area.row + area.rows, visible) {
            let binding = rows[index]
            let isSelected = index == prompt.choice
            if isSelected { frame.writeSelectionMark(row: line, appearance) }
            let name = appearance.glyphs.spelled(binding.name).padded(toColumns: Self.nameWidth)
            let used = frame.write(
                [
                    Segment(name, appearance[.title]),
                    Segment(appearance.glyphs.spelled(binding.help), appearance[.text]),
                ],
                at: Position(column: 1, row: line),
                limit: area.columns - 2,
                ellipsis: appearance.glyphs.ellipsis
            )
            guard isSelected else { continue }
            frame.restyle(row: line, columns: 1..<1 + used) { _ in Style(nil, .reversed) }
        }
    }
}

extension Model {
    /// Opens the palette above the view. Help is closed, since it would receive the action.
    mutating func openPalette() {
        if navigation.helpScroll != nil { navigation.toggleHelp() }
        prompts.openPalette()
    }

    func paletteView(_ prompt: Prompt) -> PaletteView {
        PaletteView(prompt: prompt, appearance: appearance, time: typedTime(prompt.line.text), body: areas.body)
    }

    /// Handles a key that selects a row of the palette.
    ///
    /// - Returns: The effects; nil for a key that the prompt handles.
    mutating func pressPalette(_ key: Key, _ prompt: Prompt) -> [Effect]? {
        let action: Action
        switch key {
        case .up, .backTab, .control("p"), .wheelUp: action = .up
        case .down, .tab, .control("n"), .wheelDown: action = .down
        case .pageUp: action = .pageUp
        case .pageDown: action = .pageDown
        case .click(let position):
            guard let choice = paletteView(prompt).choice(at: position) else { return [] }
            prompts.select(choice: choice)
            return prompts.current.map { performSelected(of: $0) }
        default: return nil
        }
        staleness = .urgent
        let rows = KeyTable.bindings(matching: prompt.line.text)
        let page = paletteView(prompt).area.rows - 1
        prompts.select(choice: moved(prompt.choice, by: action, count: rows.count, page: page))
        return []
    }

    /// Closes the palette and performs the selected action in the view below. Without one, the palette stays open.
    mutating func performSelected(of prompt: Prompt) -> [Effect] {
        switch typedTime(prompt.line.text) {
        case .time(let time, _):
            prompts.close()
            staleness = .urgent
            status = nil
            moveCursor(to: time)
            return []
        case .invalid: return []
        case nil: break
        }
        let rows = KeyTable.bindings(matching: prompt.line.text)
        guard rows.indices.contains(prompt.choice) else { return [] }
        prompts.close()
        staleness = .urgent
        status = nil
        return perform(rows[prompt.choice].action)
    }
}

/// A time that was typed into the palette.
enum TypedTime: Sendable, Hashable {
    /// A time since the start of the program, with its text.
    case time(Duration, text: String)
    /// A text that looks like a time and is none, or one in the future, with the problem.
    case invalid(String)
}

extension Model {
    /// The time that a text of the palette means; nil if it does not look like one.
    func typedTime(_ text: String) -> TypedTime? {
        let text = text.trimmed
        let looksLikeTime = text.first?.isNumber == true && text.contains { ":-".contains($0) }
        let now = live.now + wall.start
        do {
            let time = try PastTime(text, before: now, in: wall.zone).times.upperBound
            guard time <= now else { return .invalid("\(text): not in the past") }
            let context = ViewContext(self)
            return .time(time - wall.start, text: context.clock(at: time - wall.start))
        } catch .tooEarly {
            return .invalid("\(text): before 1970")
        } catch {
            return looksLikeTime || text.hasPrefix("yesterday ") || text.hasPrefix("today ")
                ? .invalid("\(text): no time – such as \(PastTime.examples)") : nil
        }
    }
}

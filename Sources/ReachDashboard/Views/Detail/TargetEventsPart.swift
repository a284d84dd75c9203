import ReachMonitoring
import ReachScreen

/// The newest events of the target, newest first, with the results of the hooks that they triggered. The hooks' output
/// has its own part.
struct TargetEventsPart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Events"

    /// The maximum number of events. The events view shows the others.
    private static let count = 10

    func lines(width: Int) -> [[Segment]] {
        let appearance = context.appearance
        let label = state.target.label
        let entries = context.log.entries.reversed().lazy.filter { $0.subject.isAbout(label) }
        let shown = Array(entries.prefix(Self.count + 1))
        guard !shown.isEmpty else { return [[Segment("no events yet", appearance[.faint])]] }
        let lines = shown.prefix(Self.count).map { entry in
            let (glyph, role) = EventsView.mark(of: entry.subject, appearance.glyphs)
            let start = [
                Segment("\(context.wall.timeOfDay(at: entry.time)) ", appearance[.faint]),
                Segment("\(glyph) ", appearance[role]),
            ]
            let available = width - start.displayWidth
            return start + entry.segments(columns: available, hasOutput: false, appearance: appearance)
        }
        return shown.count > Self.count ? lines + [[Segment("e shows earlier events", appearance[.faint])]] : lines
    }
}

/// The armed hooks of the target, and its newest hook runs with the last line of their output.
struct TargetHooksPart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Hook runs"
    private var appearance: Appearance { context.appearance }

    /// The maximum number of rows. The list of hook runs shows the others.
    private static let count = 5

    func lines(width: Int) -> [[Segment]] {
        let rows = context.shown.hookRows(of: [state.id])
        guard !rows.isEmpty else { return [] }
        let lines = rows.prefix(Self.count).flatMap { row in
            switch row {
            case .armed(let hook, _): [armed(hook)]
            case .entry(let entry): runLines(of: entry)
            }
        }
        return rows.count > Self.count ? lines + [[Segment("H shows earlier runs", appearance[.faint])]] : lines
    }

    private func armed(_ hook: ArmedHook) -> [Segment] {
        let left = hook.deadline.map { "\(max(.zero, $0 - context.now).spanText) left" } ?? "waiting"
        return [
            Segment("\(context.wall.timeOfDay(at: hook.since)) ", appearance[.faint]),
            Segment("\(appearance.glyphs.hook) ", appearance[.accent]), Segment(left, appearance[.accent]),
            Segment("  \(hook.action.description)", appearance[.text]),
        ]
    }

    private func runLines(of entry: HookEntry) -> [[Segment]] {
        let duration = entry.duration.map { " in \($0.elapsedText)" } ?? ""
        let line = [
            Segment("\(context.wall.timeOfDay(at: entry.time)) ", appearance[.faint]),
            Segment("\(entry.state.mark(appearance.glyphs)) ", appearance[entry.state.role]),
            Segment(entry.state.statusText, appearance[entry.state.role]), Segment(duration, appearance[.faint]),
            Segment("  \(entry.action)", appearance[.text]),
        ]
        let output = entry.output.split(whereSeparator: \.isNewline).last.map(String.init)
        return [line] + (output.map { [[Segment("           \($0)", appearance[.faint])]] } ?? [])
    }
}

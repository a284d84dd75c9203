import Monitoring
import Screen

/// What is armed for the target, and its newest hook runs with the last line that each wrote.
struct TargetHooksPart: DetailPart {
    let model: Model
    let standing: Standing

    let title = "Hook runs"
    private var look: Look { model.look }

    /// How many are shown; the list of hook runs has the others.
    private static let count = 5

    func lines(width: Int) -> [[Segment]] {
        let rows = model.hookRows(of: [standing.id])
        guard !rows.isEmpty else { return [] }
        let lines = rows.prefix(Self.count).flatMap { row in
            switch row {
            case .armed(let hook, _): [armed(hook)]
            case .entry(let entry): ran(entry)
            }
        }
        return rows.count > Self.count ? lines + [[Segment("H shows earlier ones", look[.faint])]] : lines
    }

    private func armed(_ hook: ArmedHook) -> [Segment] {
        let left = hook.deadline.map { "\(max(.zero, $0 - model.now).spanText) left" } ?? "waits"
        return [
            Segment("\(model.wall.timeOfDay(at: hook.since)) ", look[.faint]),
            Segment("\(look.glyphs.hook) ", look[.accent]), Segment(left, look[.accent]),
            Segment("  \(hook.action.description)", look[.text]),
        ]
    }

    private func ran(_ entry: HookEntry) -> [[Segment]] {
        var took = ""
        if case .finished(let result, _) = entry.state { took = " in \(result.duration.lapseText)" }
        let line = [
            Segment("\(model.wall.timeOfDay(at: entry.time)) ", look[.faint]),
            Segment("\(look.glyphs.hook) ", look[entry.state.role]),
            Segment(entry.state.word, look[entry.state.role]), Segment(took, look[.faint]),
            Segment("  \(entry.action)", look[.text]),
        ]
        let output = entry.output.split(whereSeparator: \.isNewline).last.map(String.init)
        return [line] + (output.map { [[Segment("           \($0)", look[.faint])]] } ?? [])
    }
}

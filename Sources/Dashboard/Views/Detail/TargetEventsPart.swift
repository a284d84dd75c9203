import Monitoring
import Screen

/// The newest events of the target, newest first, with the results of the hooks that they triggered. The hooks' output
/// has its own part.
struct TargetEventsPart: DetailPart {
    let model: Model
    let state: TargetState

    let title = "Events"

    /// The maximum number of events. The events view shows the others.
    private static let count = 10

    func lines(width: Int) -> [[Segment]] {
        let appearance = model.appearance
        let label = state.target.label
        let entries = model.log.entries.reversed().lazy.filter { $0.subject.isAbout(label) }
        let shown = Array(entries.prefix(Self.count + 1))
        guard !shown.isEmpty else { return [[Segment("no events yet", appearance[.faint])]] }
        let lines = shown.prefix(Self.count).map { entry in
            let (glyph, role) = EventsView.mark(of: entry.subject, appearance.glyphs)
            let start = [
                Segment("\(model.wall.timeOfDay(at: entry.time)) ", appearance[.faint]),
                Segment("\(glyph) ", appearance[role]),
            ]
            let room = width - start.displayWidth
            return start + entry.segments(columns: room, hasOutput: false, appearance: appearance)
        }
        return shown.count > Self.count ? lines + [[Segment("e shows earlier events", appearance[.faint])]] : lines
    }
}

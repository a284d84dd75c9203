import Monitoring
import Screen

/// The newest events of the target, newest first; its hooks have a part of their own.
struct TargetEventsPart: DetailPart {
    let model: Model
    let standing: Standing

    let title = "Events"

    /// How many are shown; the events at full height have the others.
    private static let count = 10

    func lines(width: Int) -> [[Segment]] {
        let look = model.look
        let label = standing.target.label
        let entries = model.log.entries.reversed().lazy.filter { $0.subject.isAbout(label) }
        let shown = Array(entries.prefix(Self.count + 1))
        guard !shown.isEmpty else { return [[Segment("nothing has happened yet", look[.faint])]] }
        let lines = shown.prefix(Self.count).map { entry in
            let (glyph, role) = EventsView.mark(of: entry.subject, look.glyphs)
            return [
                Segment("\(model.wall.timeOfDay(at: entry.time)) ", look[.faint]), Segment("\(glyph) ", look[role]),
                Segment(entry.text, look[.text]), Segment(entry.aside.map { "   \($0)" } ?? "", look[.faint]),
            ]
        }
        return shown.count > Self.count ? lines + [[Segment("e shows earlier ones", look[.faint])]] : lines
    }
}

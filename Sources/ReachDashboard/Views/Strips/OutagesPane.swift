import ReachMonitoring
import ReachScreen

/// The outages of the selected target below the strips, and the legend.
///
/// ```
///  NAS  12 Nov 00:00 – 08:00 ───────────────────────────────────────────────
///  ○ 12 Nov 03:12:08 – 05:40:51           2h28m  timeout
///  down 2h28m, up 5h31m
///  █ down  ▆ degraded  ▄ up  ◌ blocked  ? unknown  ‖ paused  · not watched
/// ```
struct OutagesPane: View {
    let view: StripsView

    private var context: ViewContext { view.context }
    private var appearance: Appearance { context.appearance }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let selected = view.selected else { return }
        let slice = view.slice
        let width = area.columns - 2
        let lines: [[Segment]]
        switch selected {
        case .group(let name):
            let hint = Segment("select a target to list its outages", appearance[.faint])
            lines = [heading(name ?? "other", slice, width: width), [hint]]
        case .target(let id):
            guard let row = view.selectedRow, let state = context.roster[id] else { return }
            let problem = context.history.problem.map { [[Segment($0, appearance[.degraded])]] } ?? []
            let ends = summary(of: row, in: slice, width: width) + problem
            let outages = OutageLines(context: context, outages: row.outages(in: slice), isDown: state.health == .down)
            lines =
                [heading(state.target.label, slice, width: width)]
                + outages.lines(limit: area.rows - 1 - ends.count) + ends
        }
        frame.write(lines, in: area, ellipsis: appearance.glyphs.ellipsis)
    }

    private func heading(_ name: String, _ slice: Range<Duration>?, width: Int) -> [Segment] {
        .heading(
            name.shortened(toColumns: max(1, width / 2), ellipsis: appearance.glyphs.ellipsis),
            note: slice.map(text),
            width: width,
            appearance: appearance
        )
    }

    /// Draws the characters of the strips, each with its state; with single blanks where there is no room for two.
    func drawLegend(in area: Area, on frame: inout Frame) {
        let states = WatchedSpan.State.worstFirst
        let length = states.reduce(2 * (states.count - 1)) { $0 + 2 + $1.name.displayWidth }
        let gap = length <= area.columns - 2 ? "  " : " "
        let legend = states.flatMap { state in
            [
                Segment("\(state.glyph(appearance.glyphs)) ", appearance[state.role]),
                Segment(state == states.last ? state.name : state.name + gap, appearance[.faint]),
            ]
        }
        frame.write([legend], in: area, ellipsis: appearance.glyphs.ellipsis)
    }

    /// The account of the period, or the times of the states in a slice.
    private func summary(of row: StripRow, in slice: Range<Duration>?, width: Int) -> [[Segment]] {
        guard let slice else {
            let parts = row.account.summary
            let line = parts.joined(separator: " · ")
            return (line.displayWidth <= width ? [line] : parts).map { [Segment($0, appearance[.faint])] }
        }
        guard let first = row.recordStart, first < slice.upperBound else {
            let start = row.recordStart.map { " before \(context.zone.day($0).drop { $0 == " " }) \(clock($0))" } ?? ""
            return [[Segment("no records\(start)", appearance[.faint])]]
        }
        let start = row.recordStart(in: slice).map { ["no records before \(clock($0))"] } ?? []
        let times = row.times(in: slice).map { "\($0.name) \($1.outageText)" }
        return [[Segment((times + start).joined(separator: ", "), appearance[.faint])]]
    }

    /// The time of day, without seconds if there are none.
    private func clock(_ time: Duration) -> String {
        let text = context.zone.timeOfDay(time)
        return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }

    /// The time of a slice: `12 Nov 00:00 – 08:00`.
    private func text(of slice: Range<Duration>) -> String {
        let zone = context.zone
        let days = (zone.day(slice.lowerBound), zone.day(slice.upperBound))
        let start = "\(days.0) \(clock(slice.lowerBound))".drop { $0 == " " }
        return "\(start) – \(days.0 == days.1 ? "" : "\(days.1) ")\(clock(slice.upperBound))"
    }
}

/// The outages of a target as lines: from, until, length, reason.
///
/// ```
/// ○ 12 Nov 03:12:08 – now                2h28m  timeout
/// ○  7 Nov 22:01:40 – 22:02:21             41s  refused
/// ```
struct OutageLines {
    let context: ViewContext
    let outages: [Availability.Outage]
    /// Whether the target is down at the time that is shown.
    let isDown: Bool

    /// Returns the lines.
    ///
    /// - Parameter limit: the number of lines. If there are more outages, the last line counts them.
    func lines(limit: Int) -> [[Segment]] {
        guard limit > 0 else { return [] }
        let isCut = outages.count > limit
        let shown = outages.prefix(isCut ? limit - 1 : limit)
        let lines = shown.map(line)
        guard isCut else { return lines }
        let text = "\(context.appearance.glyphs.ellipsis) \(outages.count - shown.count) more"
        return lines + [[Segment(text, context.appearance[.faint])]]
    }

    private func line(_ outage: Availability.Outage) -> [Segment] {
        let (appearance, zone) = (context.appearance, context.zone)
        let until: String
        if let end = outage.end {
            let day = zone.day(end)
            until = "\(day == zone.day(outage.start) ? "" : "\(day) ")\(zone.timeOfDay(end))"
        } else {
            until = isDown && outage == outages.first ? "now" : String(appearance.glyphs.none)
        }
        return [
            Segment("\(appearance.glyphs.down) ", appearance[.down]),
            Segment("\(zone.day(outage.start)) \(zone.timeOfDay(outage.start)) ", appearance[.text]),
            Segment("– \(until.padded(toColumns: 15))", appearance[.text]),
            Segment("\(outage.length.outageText.padded(toColumns: 8, .trailing))  ", appearance[.title]),
            Segment(outage.reason ?? "", appearance[.faint]),
        ]
    }
}

extension Availability {
    /// The account in words, in two parts: `3 outages, longest 2h28m, mean time to recover 50m`, and `99.65% available,
    /// coverage 100%`.
    var summary: [String] {
        let count = outages.isEmpty ? "no outage" : outages.count == 1 ? "1 outage" : "\(outages.count) outages"
        let causes = commonCauses
        let common =
            causes.first.map { first in
                causes.count == 1
                    ? ", \(first.count) by \(first.place)"
                    : ", \(causes.reduce(0) { $0 + $1.count }) by \(causes.count) common causes"
            } ?? ""
        let longest = outages.count > 1 ? longest.map { ", longest \($0.length.outageText)" } ?? "" : ""
        let recovery =
            outages.count > 1 ? meanTimeToRecover.map { ", mean time to recover \($0.outageText)" } ?? "" : ""
        let share = availability.map { "\($0.precisePercentText) available, " } ?? ""
        return ["\(count)\(common)\(longest)\(recovery)", "\(share)coverage \(coverage.coverageText)"]
    }
}

extension Double {
    /// A coverage, 0…1, in whole per cent, rounded down. Only zero is 0%.
    var coverageText: String {
        self > 0 && self < 0.01 ? "<1%" : "\(Int((self * 100).rounded(.down)))%"
    }
}

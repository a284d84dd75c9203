import Monitoring
import Screen

/// The outages of a target as lines: from, until, length, reason.
///
/// ```
/// ○ 12 Nov 03:12:08 – now                2h28m  timeout
/// ○  7 Nov 22:01:40 – 22:02:21             41s  refused
/// ```
struct OutageLines {
    let model: Model
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
        let text = "\(model.appearance.glyphs.ellipsis) \(outages.count - shown.count) more"
        return lines + [[Segment(text, model.appearance[.faint])]]
    }

    private func line(_ outage: Availability.Outage) -> [Segment] {
        let (appearance, zone) = (model.appearance, model.zone)
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
            Segment(outage.cause ?? "", appearance[.faint]),
        ]
    }
}

extension Availability {
    /// The account in words: `3 outages, longest 2h28m, mean time to recover 50m · 99.65% available, 100% watched`.
    var summary: String {
        let count = outages.isEmpty ? "no outage" : outages.count == 1 ? "1 outage" : "\(outages.count) outages"
        let longest = outages.count > 1 ? longest.map { ", longest \($0.length.outageText)" } ?? "" : ""
        let recovery =
            outages.count > 1 ? meanTimeToRecover.map { ", mean time to recover \($0.outageText)" } ?? "" : ""
        let share = availability.map { "\($0.availabilityText) available, " } ?? ""
        return "\(count)\(longest)\(recovery) · \(share)\(coverage.coverageText) watched"
    }
}

extension Double {
    /// A share of time that was watched, 0…1, in whole per cent, rounded down. Only zero is 0%.
    var coverageText: String {
        self > 0 && self < 0.01 ? "<1%" : "\(Int((self * 100).rounded(.down)))%"
    }
}

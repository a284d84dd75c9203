import Monitoring
import Screen

/// The vantage points of the target: what each says, since when, and why.
///
/// ```
/// ○ fra  down for 3m10s  HTTP 503
/// ● sin  12ms  up for 2h14m
/// – syd  not reporting for 2m; was up, 227ms
/// ```
struct VantagePart: DetailPart {
    let model: Model
    let state: TargetState

    let title = "Vantage points"
    private var appearance: Appearance { model.appearance }

    func lines(width: Int) -> [[Segment]] {
        guard let points = state.vantagePoints?.points else { return [] }
        let names = min(24, points.map(\.name.displayWidth).max() ?? 0)
        return points.map { point in
            let name = point.name.truncated(toColumns: names, ellipsis: appearance.glyphs.ellipsis)
            let glyph = point.isReporting ? appearance.glyphs.glyph(of: point.health) : appearance.glyphs.none
            let role: Role = point.isReporting ? point.health.role : .waiting
            return [
                Segment("\(glyph) ", appearance[role]),
                Segment("\(name.padded(toColumns: names))  ", appearance[point.isReporting ? .text : .waiting]),
            ] + segments(of: point)
        }
    }

    private func segments(of point: VantagePoint) -> [Segment] {
        let roundTrip = point.roundTrip?.roundTripText
        guard point.isReporting else {
            let last = [point.health.rawValue, roundTrip, point.detail].compactMap(\.self).joined(separator: ", ")
            let age = (model.now - point.time).spanText
            return [Segment("not reporting for \(age); was \(last)", appearance[.waiting])]
        }
        let age = " for \((model.now - point.since).spanText)"
        let others = [point.health == .down ? nil : roundTrip, point.detail].compactMap(\.self)
        return [Segment(point.health.rawValue, appearance[point.health.role]), Segment(age, appearance[.faint])]
            + others.map { Segment("  \($0)", appearance[.text]) }
    }
}

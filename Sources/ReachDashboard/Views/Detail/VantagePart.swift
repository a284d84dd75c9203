import ReachMonitoring
import ReachScreen

/// The vantage points of the target: what each says, since when, and why.
///
/// ```
/// ○ fra  down for 3m10s  HTTP 503
/// ● sin  12ms  up for 2h14m
/// – syd  not reporting for 2m; was up, 227ms
/// ```
struct VantagePart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Vantage points"
    private var appearance: Appearance { context.appearance }

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
            let age = (context.now - point.time).spanText
            return [Segment("not reporting for \(age); was \(last)", appearance[.waiting])]
        }
        let age = " for \((context.now - point.since).spanText)"
        let others = [point.health == .down ? nil : roundTrip, point.detail].compactMap(\.self)
        return [Segment(point.health.rawValue, appearance[point.health.role]), Segment(age, appearance[.faint])]
            + others.map { Segment("  \($0)", appearance[.text]) }
    }
}

/// What the servers say about the past of a target of the fleet.
///
/// ```
/// Last 30 days ───────────────────────────────────────────────────
/// uptime 99.98%   reachability 99.71%   outages 2   of 30d
/// down for 25m  2d03h ago
/// ```
struct FleetHistoryPart: DetailPart {
    let context: ViewContext
    let state: TargetState
    /// What was read, and the target that it is about.
    let read: (name: String, value: FleetHistory?)?

    /// The maximum number of outages that are listed.
    private static let count = 8

    private var history: FleetHistory? {
        guard let read, read.name == state.target.name else { return nil }
        return read.value
    }

    private var isShown: Bool { !state.target.question.method.probes }

    let title = "Last 30 days"

    func lines(width: Int) -> [[Segment]] {
        guard isShown else { return [] }
        let appearance = context.appearance
        guard let history, let span = history.span else {
            let text = history == nil ? "reading …" : "no samples"
            return [[Segment(text, appearance[.faint])]]
        }
        let outages = history.outages.count
        let figures = [
            ("uptime", history.uptime.map(Self.percent) ?? ""),
            ("reachability", history.reachability.map(Self.percent) ?? ""),
            (outages == 1 ? "outage" : "outages", "\(outages)"), ("of", span.spanText),
        ]
        let line = figures.enumerated().flatMap { index, figure in
            [
                Segment("\(index > 0 ? "   " : "")\(figure.0) ", appearance[.faint]),
                Segment(figure.1, appearance[.text]),
            ]
        }
        let listed = history.outages.prefix(Self.count).map { outage -> [Segment] in
            return [
                Segment("down for \(outage.length.spanText)", appearance[.down]),
                Segment("  \((context.now - outage.start).spanText) ago", appearance[.faint]),
            ]
        }
        let more = outages - listed.count
        return [line] + listed + (more > 0 ? [[Segment("and \(more) earlier ones", appearance[.faint])]] : [])
    }

    /// A share with as many digits as outages of minutes need.
    private static func percent(_ share: Double) -> String {
        let text = (share * 100).rounded(.down, toPlaces: 3)
        return share == 1 ? "100%" : "\(text)%"
    }
}

extension Double {
    /// The number rounded down, so that less than everything is never shown as 100.
    fileprivate func rounded(_ rule: FloatingPointRoundingRule, toPlaces places: Int) -> String {
        let factor = (0..<places).reduce(1.0) { result, _ in result * 10 }
        let whole = Int((self * factor).rounded(rule))
        let fraction = String(whole % Int(factor))
        return "\(whole / Int(factor)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }
}

import Monitoring
import Screen

/// What the servers say about the past of a target of the fleet.
///
/// ```
/// Last 30 days ───────────────────────────────────────────────────
/// uptime 99.98%   reachability 99.71%   outages 2   of 30d
/// down for 25m  2d03h ago
/// ```
struct FleetHistoryPart: DetailPart {
    let model: Model
    let state: TargetState

    /// The most outages that are listed.
    private static let count = 8

    private var history: FleetHistory? {
        guard let (name, value) = model.fleet.history, name == state.target.name else { return nil }
        return value
    }

    private var isShown: Bool { !state.target.question.method.probes }

    let title = "Last 30 days"

    func lines(width: Int) -> [[Segment]] {
        guard isShown else { return [] }
        let appearance = model.appearance
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
                Segment("  \((model.now - outage.start).spanText) ago", appearance[.faint]),
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

import Monitoring
import Screen

/// What a vantage point says about a target, in a cell: `12ms`, `◐ 911ms`, `○ 503`, `– 12ms 2m`. A glyph or a word tells
/// the health, not the colour alone.
struct VantageCell {
    let point: VantagePoint
    let now: Duration
    let appearance: Appearance

    /// The text of a width, and its role.
    func segment(width: Int) -> Segment {
        let glyphs = appearance.glyphs
        let value = point.roundTrip?.roundTripText
        guard point.isReporting else {
            let age = (now - point.time).coarseText
            let last = point.health == .down ? "down" : value ?? point.health.rawValue
            let texts = ["\(glyphs.none) \(last) \(age)", "\(glyphs.none) \(age) old", "\(glyphs.none) \(age)"]
            return Segment(texts.first(fitting: width), appearance[.faint])
        }
        switch point.health {
        case .up:
            return Segment([value ?? "up", "up"].first(fitting: width), appearance[.up])
        case .degraded:
            let texts = ["\(glyphs.degraded) \(value ?? "degraded")", "\(glyphs.degraded) slow", "\(glyphs.degraded)"]
            return Segment(texts.first(fitting: width), appearance[.degraded])
        case .down:
            let texts = [point.detail?.withoutProtocol, "down"].compactMap(\.self).map { "\(glyphs.down) \($0)" }
            return Segment((texts + ["\(glyphs.down)"]).first(fitting: width), appearance[.down])
        case .unknown:
            let texts = ["\(glyphs.unknown) unknown", "\(glyphs.unknown)"]
            return Segment(texts.first(fitting: width), appearance[.waiting])
        }
    }
}

extension [String] {
    /// The first text that fits, or else the last.
    fileprivate func first(fitting columns: Int) -> String {
        first { $0.displayWidth <= columns } ?? last ?? ""
    }
}

extension String {
    /// The text of an HTTP status without the name of the protocol.
    fileprivate var withoutProtocol: String {
        hasPrefix("HTTP ") ? String(dropFirst(5)) : self
    }
}

extension Duration {
    /// An age in one unit: `45s`, `2m`, `3h`, `6d`.
    fileprivate var coarseText: String {
        let seconds = Swift.max(0, components.seconds)
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3_600: "\(seconds / 60)m"
        case ..<86_400: "\(seconds / 3_600)h"
        default: "\(seconds / 86_400)d"
        }
    }
}

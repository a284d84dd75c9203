import ReachMonitoring
import ReachScreen

/// The columns of the matrix of vantage points: the names of the targets, the verdicts, and a cell for each vantage
/// point. If not all cells fit, a part of them is shown. On a narrow terminal, the verdict is omitted.
struct VantageLayout: Sendable, Hashable {
    /// The column of the name.
    let name: Range<Int>
    /// The column of the verdict; nil if there is no room.
    let verdict: Range<Int>?
    /// The columns of the visible vantage points.
    let cells: [Range<Int>]
    /// The index of the first visible vantage point.
    let first: Int

    /// The columns of the selection mark, the health glyph and a blank.
    static let margin = 3
    /// The width of a cell, in which a figure, a failure and an age fit.
    private static let cell = 10
    private static let widestCell = 14
    private static let (least, widest) = (20, 60)

    /// - Parameters:
    ///   - first: the index of the first vantage point to show; limited so that the last ones fill the columns.
    ///   - names: the names of the vantage points.
    ///   - nameWidth: the width of the longest target.
    ///   - columns: the width of the screen.
    init(first: Int, of names: [String], nameWidth: Int, columns: Int) {
        // The last two columns are a blank and the marks of hidden rows.
        let end = max(Self.margin + 1, columns - 2)
        let wanted = max(8, min(nameWidth, 20))
        let longest = names.map(\.displayWidth).max() ?? 0
        var cell = min(max(Self.cell, longest), Self.widestCell)
        // The first cell is more important than long names.
        let nameEnd = min(Self.margin + wanted, max(Self.margin + 8, end - 1 - cell))
        let available = end - nameEnd - 1
        if available < cell { cell = max(1, available) }
        let fitting = { (width: Int) in max(0, width) / (cell + 1) }
        let all = names.count * (cell + 1)
        let count: Int
        if available >= Self.least + all {
            count = names.count
        } else if available >= Self.least + min(names.count, 2) * (cell + 1) {
            count = fitting(available - Self.least)
        } else {
            count = max(1, fitting(available + 1))
        }
        let shown = min(count, names.count)
        self.first = max(0, min(first, names.count - shown))
        let left = available - shown * (cell + 1)
        let width = min(left, Self.widest)
        name = Self.margin..<max(Self.margin, min(nameEnd, end))
        let hasVerdict = width >= Self.least || shown == 0
        verdict = hasVerdict ? nameEnd + 1..<nameEnd + 1 + max(0, width) : nil
        let start = hasVerdict ? nameEnd + 2 + width : nameEnd + 1
        cells = (0..<shown).map { index in
            let column = start + index * (cell + 1)
            return column..<max(column, min(column + cell, end))
        }
    }

    /// The indices of the visible vantage points.
    var visible: Range<Int> { first..<first + cells.count }
}

/// The headings of the columns of vantage points: their names, shortened so that they stay different if possible.
struct VantageHeadings: Sendable, Hashable {
    let texts: [String]

    /// Shortens names at their ends; if some are then equal, at their beginnings, or in the middle.
    init(_ names: [String], width: Int, ellipsis: Character) {
        let forms: [(String) -> String] = [
            { $0.truncated(toColumns: width, ellipsis: ellipsis) },
            { $0.truncatedAtStart(toColumns: width, ellipsis: ellipsis) },
            { $0.ends(columns: width, ellipsis: ellipsis) },
        ]
        let number = Set(names).count
        let texts = forms.map { names.map($0) }
        self.texts = texts.first { Set($0).count == number } ?? texts[0]
    }
}

extension String {
    /// The beginning and the end of the text, with an ellipsis between them.
    fileprivate func ends(columns: Int, ellipsis: Character) -> String {
        guard displayWidth > columns, columns >= 3 else { return truncated(toColumns: columns, ellipsis: ellipsis) }
        let start = truncated(toColumns: (columns - 1) / 2 + 1, ellipsis: ellipsis)
        return start + suffix(toColumns: columns - start.displayWidth)
    }
}

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

/// The verdict of a target's vantage points as a text: `down from 2 of 3: fra, nyc for 3m10s; sin 12ms`.
struct VantageText {
    let state: TargetState
    let verdict: VantageVerdict
    let now: Duration

    /// Creates the text; nil for a target without vantage points.
    init?(_ state: TargetState, at now: Duration) {
        guard let verdict = state.vantageVerdict else { return nil }
        (self.state, self.verdict, self.now) = (state, verdict, now)
    }

    /// Returns the part after the health that fits a width, or the shortest; empty if there is no more to say.
    func rest(fitting columns: Int) -> String {
        if let cause = slowCause { return cause.rest(of: verdict.texts(at: now, since: state.judge.since), columns) }
        // While a change of health is pending, the vantage points are ahead of it.
        let isAhead = verdict.health != state.health
        let since = isAhead ? now : state.judge.since
        let start = isAhead ? "  \(verdict.health.rawValue)\(verdict.separator)" : verdict.separator
        return verdict.texts(at: now, since: since).map { start + $0 }.first(fitting: columns)
    }

    /// The round trip over the limit of a target that is degraded for it, though its vantage points see it up.
    private var slowCause: String? {
        guard state.health == .degraded, verdict.health == .up, let limit = state.target.thresholds.slow,
            let roundTrip = state.lastReply?.roundTrip, roundTrip > limit
        else { return nil }
        return "\(roundTrip.roundTripText) over \(limit.roundTripText)"
    }

    /// The role of the text.
    var role: Role {
        guard state.health == .up else { return state.role }
        return verdict.isDisputed ? .degraded : .faint
    }
}

extension String {
    /// The cause of a health, and the longest of the texts that fits after it.
    fileprivate func rest(of texts: [String], _ columns: Int) -> String {
        (texts.map { "  \(self); \($0)" } + ["  \(self)"]).first(fitting: columns)
    }
}

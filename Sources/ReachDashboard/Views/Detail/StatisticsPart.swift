import ReachMonitoring
import ReachScreen

/// The statistics of the newest probes, and of all probes: a column, or as many groups side by side as fit.
///
/// All probes are those since the start, or since the last reset. If the history has earlier ones, they are those of the
/// last 90 days; then figures that it does not keep are left out.
///
/// ```
/// Statistics ──────────────────────────────────────────────────────────────
///          last 100  total            last 100  total            last 100  total
/// sent          100   1234   last        912ms          p50         904ms  871ms
/// ```
struct StatisticsPart: DetailPart {
    let context: ViewContext
    let state: TargetState
    /// The statistics of the newest probes.
    let statistics: Statistics

    /// The width beside the chart.
    static let width = 34

    let title = "Statistics"
    private var appearance: Appearance { context.appearance }

    func lines(width: Int) -> [[Segment]] {
        let layout = Layout(width: width)
        // Local methods, such as links, have no round trips.
        let hasNoRoundTrips =
            state.totals.roundTrips.count == 0 && statistics.max == nil && state.target.question.method.isLocal
        let spread = hasNoRoundTrips ? [] : spread
        let percentiles = hasNoRoundTrips ? [] : percentiles
        let groups =
            switch hasNoRoundTrips ? 1 : layout.groups {
            case 1: [probes + spread + percentiles + health + outages]
            case 2: [probes + health + outages, spread + percentiles]
            default: [probes + health, spread, percentiles + outages]
            }
        let columns = groups.map { group in
            let total = stored == nil ? "total" : layout.groups == 1 ? "90 days" : "90d"
            let heading = Row("", "last \(Statistics.window)", total, role: .faint)
            return ([heading] + group).map { line(of: $0, layout) }
        }
        return (0..<(columns.map(\.count).max() ?? 0)).map { index in
            columns.reduce(into: [Segment]()) { line, column in
                if !line.isEmpty { line.append(Segment(String(repeating: " ", count: layout.gap), .plain)) }
                let blank = Segment(String(repeating: " ", count: layout.sum), .plain)
                line += index < column.count ? column[index] : [blank]
            }
        }
    }

    // MARK: Rows

    /// A figure of the newest probes and one of all probes. A missing figure is nil; one that does not exist is empty.
    private struct Row {
        let name: String
        let window: String?
        let total: String?
        let role: Role
        /// The role of the figure of the newest probes.
        let windowRole: Role
        /// The column of the table that shows the figure of the newest probes, for its highlight.
        let column: TableColumn?

        init(
            _ name: String,
            _ window: String?,
            _ total: String?,
            role: Role = .text,
            isWarning: Bool = false,
            column: TableColumn? = nil
        ) {
            (self.name, self.window, self.total, self.role) = (name, window, total, role)
            windowRole = isWarning ? .degraded : role
            self.column = column
        }
    }

    /// The probes before the start of the program; nil if there are none, or if the statistics were reset.
    private var stored: ProbeFigures? { context.history.past(of: state.id)?.figures }

    /// The figures of the last 90 days; nil if the history has none from before the start.
    private var figures: ProbeFigures? {
        stored.flatMap { stored in
            var sum = FigureSum()
            sum.add(stored)
            sum.add(ProbeFigures(state.totals))
            return sum.figures
        }
    }

    /// The account of the last 90 days; nil if the history has none from before the start.
    private var account: Availability? {
        guard stored != nil else { return nil }
        let (spans, end) = (context.spans(of: [state.id])[state.id] ?? [], context.wallNow)
        return Availability(spans, from: end - HistoryRequest.span, until: end)
    }

    private var probes: [Row] {
        let totals = state.totals
        let figures = figures ?? ProbeFigures(totals)
        let (loss, all) = (statistics.loss, figures.sent == 0 ? nil : Double(figures.lost) / Double(figures.sent))
        // These are not in the history.
        let suffix = stored == nil ? "" : " this run"
        let anomalies =
            totals.late + totals.duplicate == 0
            ? []
            : [Row("late", "", "\(totals.late)\(suffix)"), Row("duplicate", "", "\(totals.duplicate)\(suffix)")]
        let faults = totals.faults == 0 ? [] : [Row("faults", "", "\(totals.faults)\(suffix)")]
        return [
            Row("sent", "\(statistics.sent)", "\(figures.sent)"),
            Row("received", "\(statistics.received)", "\(figures.received)"),
            Row("probes lost", loss?.percentText, all?.percentText, isWarning: loss ?? 0 > 0, column: .loss),
        ] + anomalies + faults
    }

    private var spread: [Row] {
        let all = state.totals.roundTrips
        // The history keeps only percentiles and the longest round trip.
        let total = { (figure: Duration?) in stored == nil ? text(figure) : "" }
        let longest = stored == nil ? all.max : figures?.roundTrips?.longest.roundTrip
        return [
            Row("last", text(statistics.last), "", isWarning: isSlow(statistics.last), column: .last),
            Row("min", text(statistics.min), total(all.min)), Row("mean", text(statistics.mean), total(all.mean)),
            Row("max", text(statistics.max), text(longest)),
            Row("deviation", text(statistics.deviation), total(all.deviation)),
            Row("jitter", text(statistics.jitter), total(all.jitter)),
        ]
    }

    private var percentiles: [Row] {
        let all = state.totals.roundTrips
        let known = figures?.roundTrips
        return [(50, known?.p50), (95, known?.p95), (99, known?.p99)].map { percent, bucket in
            let total = stored == nil ? all.percentile(percent) : bucket?.roundTrip
            return Row("p\(percent)", text(statistics.percentile(percent)), text(total))
        }
    }

    private var health: [Row] {
        let role = availability.map { Role(availability: $0, of: state.target.sla) } ?? .text
        return [
            Row("streak", "", streak),
            Row("available", "", availability?.precisePercentText, role: role == .faint ? .text : role),
        ]
    }

    private var outages: [Row] {
        let (totals, account) = (state.totals, account)
        let outages = account?.outages.count ?? totals.outages
        let count = Row("outages", "", "\(outages)", role: outages == 0 ? .faint : .text)
        let mean = account == nil ? totals.meanTimeToRecover : account?.meanTimeToRecover
        let recovery = mean.map { mean in
            let longest = account?.longest?.length ?? totals.longestOutage
            return [Row("longest", "", longest.outageText), Row("recovery", "", "mean \(mean.outageText)")]
        }
        return [count] + (recovery ?? [])
    }

    private var streak: String? {
        // At the time cursor, longer streaks are not known.
        let isMore = { context.cursor != nil && $0 >= Statistics.window ? "+" : "" }
        return switch state.judge.streak {
        case .none: nil
        case .replies(let count): "\(count)\(isMore(count)) \(count == 1 ? "reply" : "replies")"
        case .losses(let count, _): "\(count)\(isMore(count)) \(count == 1 ? "loss" : "losses")"
        }
    }

    private var availability: Double? {
        guard context.cursor != nil || state.totals.sent > 0 || stored != nil else { return nil }
        return account?.availability ?? state.availability(at: context.now)
    }

    private func isSlow(_ roundTrip: Duration?) -> Bool {
        guard let roundTrip, let limit = state.target.thresholds.slow else { return false }
        return roundTrip > limit
    }

    private func text(_ duration: Duration?) -> String? {
        duration?.roundTripText
    }

    // MARK: Layout

    /// The groups side by side, and the widths of their columns.
    private struct Layout {
        var groups = 1
        var (name, window, total) = (13, 9, 12)
        var gap = 0

        var sum: Int { name + window + total }

        init(width: Int) {
            let (narrow, minGap) = (24, 3)
            groups = max(1, min(3, (width + minGap) / (narrow + minGap)))
            guard groups > 1 else { return }
            (name, window, total) = (11, 6, 7)
            gap = min(8, (width - groups * narrow) / (groups - 1))
        }
    }

    /// Returns the row with figures that end at the ends of their columns. A text without a figure of the newest probes may
    /// begin in their column.
    private func line(of row: Row, _ layout: Layout) -> [Segment] {
        let none = String(appearance.glyphs.none)
        let (window, total) = (row.window ?? none, row.total ?? none)
        let available = layout.sum - row.name.displayWidth
        let totalWidth = window.isEmpty ? available : layout.total
        let style = row.column.map { context.style(row.windowRole, of: .figure($0, state.id)) }
        return [
            Segment(row.name, appearance[.faint]),
            Segment(window.padded(toColumns: available - totalWidth, .trailing), style ?? appearance[row.windowRole]),
            Segment(total.padded(toColumns: totalWidth, .trailing), appearance[row.role]),
        ]
    }
}

/// The availability of the target over 24 hours, 7, 30 and 90 days, each with its strip, and its newest outages.
///
/// ```
/// Availability ───────────────────────────────────────────────
/// 24 H  ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄    100%   100%
/// 30 D  ·········▄▄▄▄▄▄▄▆▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄  99.31%    87%
/// ○ 12 Nov 03:12:08 – 05:40:51           2h28m  timeout
/// ```
struct AvailabilityPart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Availability"
    private var appearance: Appearance { context.appearance }

    /// The maximum number of outages. The strips show the others.
    private static let count = 5
    /// The columns of the times, and of the two figures.
    private static let (labelWidth, figureWidths) = (6, [9, 9])

    func lines(width: Int) -> [[Segment]] {
        let spans = context.spans(of: [state.id])[state.id] ?? []
        let end = context.wallNow
        let available = max(8, width - Self.labelWidth - Self.figureWidths.reduce(0, +))
        let periods = TableColumn.availabilityColumns.compactMap(\.period)
        let rows = periods.map { period in
            StripRow(spans, along: StripCells(ofLast: period, until: end, width: available, zone: context.zone))
        }
        let strips = zip(periods, rows).map { period, row in
            let figures = [
                Segment(availability: row.account.availability, of: state.target.sla, appearance),
                Segment("\(row.account.coverage.coverageText)", appearance[.faint]),
            ]
            return [Segment(StripsView.shortHeading(of: period).padded(toColumns: Self.labelWidth), appearance[.faint])]
                + row.states.segments(appearance)
                + zip(figures, Self.figureWidths).map { figure, width in
                    Segment(figure.text.padded(toColumns: width, .trailing), figure.style)
                }
        }
        let heading = [
            Segment(String(repeating: " ", count: Self.labelWidth + available), .plain),
            Segment("AVAIL".padded(toColumns: Self.figureWidths[0], .trailing), appearance[.faint]),
            Segment("COVERAGE".padded(toColumns: Self.figureWidths[1], .trailing), appearance[.faint]),
        ]
        let outages = OutageLines(
            context: context,
            outages: rows.last?.outages(in: nil) ?? [],
            isDown: state.health == .down
        )
        return [heading] + strips + outages.lines(limit: Self.count) + notes
    }

    /// Why the strips do not show the whole past.
    private var notes: [[Segment]] {
        if let problem = context.history.problem { return [[Segment("this run only: \(problem)", appearance[.faint])]] }
        let isRead = context.history.past(of: state.id) != nil
        return isRead ? [] : [[Segment("reading the history", appearance[.faint])]]
    }
}

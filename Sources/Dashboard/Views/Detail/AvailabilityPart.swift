import Monitoring
import Screen

/// The availability of the target over 24 hours, 7, 30 and 90 days, each with its strip, and its newest outages.
///
/// ```
/// Availability ───────────────────────────────────────────────
/// 24 H  ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄    100%   100%
/// 30 D  ·········▄▄▄▄▄▄▄▆▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄  99.31%    87%
/// ○ 12 Nov 03:12:08 – 05:40:51           2h28m  timeout
/// ```
struct AvailabilityPart: DetailPart {
    let model: Model
    let state: TargetState

    let title = "Availability"
    private var appearance: Appearance { model.appearance }

    /// The maximum number of outages. The strips show the others.
    private static let count = 5
    /// The columns of the times, and of the two figures.
    private static let (labelWidth, figureWidths) = (6, [9, 9])

    func lines(width: Int) -> [[Segment]] {
        let spans = model.spans(of: [state.id])[state.id] ?? []
        let end = model.wallNow
        let room = max(8, width - Self.labelWidth - Self.figureWidths.reduce(0, +))
        let periods = TableColumn.ofHistory.compactMap(\.period)
        let rows = periods.map { period in
            StripRow(spans, along: StripAxis(from: end - period, until: end, limit: room, zone: model.zone))
        }
        let longest = rows.map(\.axis.count).max() ?? 0
        let strips = zip(periods, rows).map { period, row in
            let figures = [
                Segment(availability: row.account.availability, appearance),
                Segment("\(row.account.coverage.coverageText)", appearance[.faint]),
            ]
            return [Segment(StripsView.shortHeading(of: period).padded(toColumns: Self.labelWidth), appearance[.faint])]
                + row.states.segments(appearance)
                + [Segment(String(repeating: " ", count: longest - row.axis.count), .plain)]
                + zip(figures, Self.figureWidths).map { figure, width in
                    Segment(figure.text.padded(toColumns: width, .trailing), figure.style)
                }
        }
        let heading = [
            Segment(String(repeating: " ", count: Self.labelWidth + longest), .plain),
            Segment("AVAIL".padded(toColumns: Self.figureWidths[0], .trailing), appearance[.faint]),
            Segment("WATCHED".padded(toColumns: Self.figureWidths[1], .trailing), appearance[.faint]),
        ]
        let outages = OutageLines(
            model: model,
            outages: rows.last?.outages(in: nil) ?? [],
            isDown: state.health == .down
        )
        return [heading] + strips + outages.lines(limit: Self.count) + notes
    }

    /// Why the strips do not show the whole past.
    private var notes: [[Segment]] {
        if let problem = model.history.problem { return [[Segment("this run only: \(problem)", appearance[.faint])]] }
        let isRead = model.history.past(of: state.id) != nil
        return isRead ? [] : [[Segment("reading the history", appearance[.faint])]]
    }
}

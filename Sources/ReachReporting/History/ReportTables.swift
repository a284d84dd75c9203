package import ReachMonitoring

/// A report as tables for people: the targets, the worst outages, and the accounting.
struct ReportTables {
    private let period: String
    private let header: [String]
    private let targets: [[String]]
    private let outages: [[String]]
    private let causes: [[String]]
    private let shifts: [[String]]
    private let accounting: [String]

    private static let shiftHeader = HistoryReport.shiftColumns.map { $0.uppercased() }
    private static let causeHeader = HistoryReport.causeColumns.map { $0.uppercased() }
    private static let outageHeader = HistoryReport.outageColumns.map { $0.uppercased() }

    init(_ report: HistoryReport, localTime: (Duration) -> String) {
        period = "\(localTime(report.start)) to \(localTime(report.end))"
        header = report.targetColumns.map { $0.uppercased() }
        targets = report.rows.map { [$0.name.printable] + report.cells(of: $0, unknown: "-") }
        outages = report.worstOutages().map { name, outage in
            [
                name.printable, localTime(outage.start), outage.end.map(localTime) ?? "-", outage.length.outageText,
                outage.reason?.printable ?? "",
            ]
        }
        causes = report.commonCauses.map { cause in report.cells(of: cause).map(\.printable) }
        shifts = report.shifts.map { name, total in
            [name.printable] + HistoryReport.cells(of: total, unknown: "-", localTime: localTime).map(\.printable)
        }
        accounting = report.accounting
    }

    /// Aligned columns.
    var plain: String {
        var lines = [period, ""] + Self.aligned([header] + targets, leading: [0])
        if !outages.isEmpty {
            lines += ["", "Worst outages", ""] + Self.aligned([Self.outageHeader] + outages, leading: [0, 1, 2, 4])
        }
        if !causes.isEmpty {
            lines += ["", "Common causes", ""] + Self.aligned([Self.causeHeader] + causes, leading: [0])
        }
        if !shifts.isEmpty {
            lines += ["", "Shifts", ""] + Self.aligned([Self.shiftHeader] + shifts, leading: [0, 1, 4])
        }
        return (lines + [""] + accounting).joined(separator: "\n")
    }

    /// Tables of Markdown.
    var markdown: String {
        var lines = ["# Availability", "", period, ""] + Self.markdown(header, targets)
        if !outages.isEmpty { lines += ["", "## Worst outages", ""] + Self.markdown(Self.outageHeader, outages) }
        if !causes.isEmpty { lines += ["", "## Common causes", ""] + Self.markdown(Self.causeHeader, causes) }
        if !shifts.isEmpty { lines += ["", "## Shifts", ""] + Self.markdown(Self.shiftHeader, shifts) }
        lines += ["", "## Accounting", ""] + accounting.map { "* \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func aligned(_ rows: [[String]], leading: Set<Int>) -> [String] {
        let counts = rows.map { $0.map(\.count) }
        let widths = (rows.first ?? []).indices.map { column in counts.map { $0[column] }.max() ?? 0 }
        return zip(rows, counts).map { row, counts in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - counts[column])
                return leading.contains(column) ? row[column] + space : space + row[column]
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private static func markdown(_ header: [String], _ rows: [[String]]) -> [String] {
        ["| \(header.map { $0.lowercased() }.joined(separator: " | ")) |", "|\(header.map { _ in "---|" }.joined())"]
            + rows.map { "| \($0.map(\.markdown).joined(separator: " | ")) |" }
    }
}

extension String {
    /// The text in Markdown, in which it means nothing else, not even HTML.
    fileprivate var markdown: String {
        var text = ""
        for character in self {
            switch character {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "~": text += "\\\(character)"
            default: text.append(character)
            }
        }
        return text
    }
}

extension HistoryReport {
    /// The titles of the columns of targets, for a table or a page. Maintenance has a column if a target has time in it.
    var targetColumns: [String] {
        ["Target", "Availability", "Coverage", "Outages", "Longest", "MTTR", "MTBF"]
            + (hasMaintenance ? ["Maintenance"] : []) + ["p50", "p95", "p99", "Loss"]
    }

    /// The titles of the columns of common causes.
    static let causeColumns = ["Cause", "Outages", "Targets", "Down"]

    /// The cells of a common cause.
    func cells(of cause: CauseTotal) -> [String] {
        [cause.place, String(cause.outages), String(cause.targets), cause.down.outageText]
    }

    /// The titles of the columns of shifts.
    static let shiftColumns = ["Target", "Of", "Shifts", "Longest", "Newest"]

    /// The cells of a target's shifts after its name.
    static func cells(of total: ShiftTotal, unknown: String, localTime: (Duration) -> String) -> [String] {
        let newest = total.last.map { "\(localTime($0.began)) \($0.words)" }
        return [total.kind, String(total.count), total.longest?.spanText ?? unknown, newest ?? unknown]
    }

    /// The titles of the columns of outages.
    static let outageColumns = ["Target", "From", "Until", "Length", "Reason"]

    /// The cells of a target after its name.
    ///
    /// - Parameter unknown: the text of a figure that is not known.
    func cells(of row: Row, unknown: String) -> [String] {
        let account = row.availability
        let maintenance = account.maintenance > .zero ? account.maintenance.spanText : nil
        let roundTrips = row.figures?.roundTrips
        let cells =
            [
                account.availability?.precisePercentText, account.coverage.precisePercentText,
                String(account.outages.count), account.longest?.length.outageText,
                account.meanTimeToRecover?.outageText, account.meanTimeBetweenFailures?.spanText,
            ] + (hasMaintenance ? [maintenance] : [])
            + [roundTrips?.p50, roundTrips?.p95, roundTrips?.p99].map { $0?.roundTrip.roundTripText }
            + [row.figures.map { (Double($0.lost) / Double(max(1, $0.sent))).precisePercentText }]
        return cells.map { $0 ?? unknown }
    }
}

/// The output formats of a report.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Aligned columns, for people.
    case table
    /// A page with tables, for a wiki or a mail.
    case markdown
    /// A line for each target, with a header.
    case csv
    /// One JSON object.
    case json
    /// A page for a browser, without other files.
    case html

    /// The text of a report, without the last line end.
    ///
    /// - Parameters:
    ///   - localTime: the notation of a time since 1970 for people.
    package func text(of report: HistoryReport, localTime: @escaping (Duration) -> String) -> String {
        switch self {
        case .table: ReportTables(report, localTime: localTime).plain
        case .markdown: ReportTables(report, localTime: localTime).markdown
        case .csv: report.csv
        case .json: ReportRecord(report).json
        case .html: ReportPage(report, localTime: localTime).html
        }
    }

    /// Whether the format is for programs, and so UTF-8 in every locale.
    package var isData: Bool { self == .csv || self == .json || self == .html }
}

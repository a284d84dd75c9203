package import ReachMonitoring

/// A report as tables for people: the targets, the worst outages, and the accounting.
struct ReportTables {
    private let title: String?
    private let period: String
    private let summary: [String]
    private let header: [String]
    /// The rows of targets, by group.
    private let parts: [(heading: String?, rows: [[String]])]
    private let hasCauses: Bool
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
        (title, summary, hasCauses) = (report.title?.printable, report.summary.map(\.printable), report.hasCauses)
        let parts = report.parts
        self.parts = parts.map { part in
            let rows = part.rows.map { row in
                [row.name.printable] + report.cells(of: row, unknown: "-").map(\.printable)
            }
            return (HistoryReport.heading(of: part, among: parts.count)?.printable, rows)
        }
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
        let blank = header.map { _ in "" }
        let targets = parts.flatMap { part in
            (part.heading.map { [blank, [$0] + blank.dropFirst()] } ?? []) + part.rows
        }
        var lines = [title, period].compactMap(\.self) + [""] + summary + (summary.isEmpty ? [] : [""])
        let leading: Set = hasCauses ? [0, header.count - 1] : [0]
        lines += Self.aligned([header] + targets, leading: leading)
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
        var lines = ["# \(title?.markdown ?? HistoryReport.usualTitle)", "", period, ""]
        if !summary.isEmpty { lines += [summary.map(\.markdown).joined(separator: " "), ""] }
        let targets = parts.flatMap { part in
            let heading = part.heading.map { ["**\($0.markdown)**"] + header.dropFirst().map { _ in "" } }
            return [heading].compactMap(\.self) + part.rows.map { $0.map(\.markdown) }
        }
        lines += Self.markdown(header, escaped: targets)
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
        markdown(header, escaped: rows.map { $0.map(\.markdown) })
    }

    private static func markdown(_ header: [String], escaped rows: [[String]]) -> [String] {
        ["| \(header.map { $0.lowercased() }.joined(separator: " | ")) |", "|\(header.map { _ in "---|" }.joined())"]
            + rows.map { "| \($0.joined(separator: " | ")) |" }
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

package import Monitoring

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
        case .json: ReportRecord(report).jsonLine
        case .html: ReportPage(report, localTime: localTime).html
        }
    }

    /// Whether the format is for programs, and so UTF-8 in every locale.
    package var isData: Bool { self == .csv || self == .json || self == .html }
}

import ReachMonitoring

/// A report as one HTML page without other files: it can be mailed, printed and read on a phone.
struct ReportPage {
    private let report: HistoryReport
    private let localTime: (Duration) -> String

    init(_ report: HistoryReport, localTime: @escaping (Duration) -> String) {
        (self.report, self.localTime) = (report, localTime)
    }

    /// The text of the page.
    var html: String {
        let period = "\(localTime(report.start)) to \(localTime(report.end))".escaped
        let title = (report.title ?? HistoryReport.usualTitle).escaped
        let outages = report.worstOutages()
        let parts = [
            ReportStyle.head(title: "\(title), \(period)"),
            "<h1><bdi>\(title)</bdi></h1>", "<p class=\"period\">\(period)</p>", summary, targets, legend,
            outages.isEmpty ? "" : "<h2>Worst outages</h2>\n\(table(of: outages))",
            causes,
            shifts,
            "<h2>Accounting</h2>\n<ul class=\"accounting\">\(report.accounting.map { "<li>\($0.escaped)</li>" }.joined())</ul>",
            "</main>\n</body>\n</html>",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: Tables

    private var hasStrips: Bool { report.rows.contains { $0.strip != nil } }

    private var summary: String {
        guard !report.summary.isEmpty else { return "" }
        return "<p class=\"summary\">\(report.summary.map { "<bdi>\($0.escaped)</bdi>" }.joined(separator: " "))</p>"
    }

    private var targets: String {
        guard !report.rows.isEmpty else { return "<p>No target has a history in this period.</p>" }
        let (header, parts) = (report.targetColumns, report.parts)
        let bodies = parts.map { part in
            let heading = HistoryReport.heading(of: part, among: parts.count).map { name in
                "<tr class=\"group\"><th colspan=\"\(header.count)\" scope=\"rowgroup\"><bdi>\(name.escaped)</bdi></th></tr>"
            }
            let rows = part.rows.map { self.row(of: $0, header, isGrouped: heading != nil) }
            return ([heading].compactMap(\.self) + rows).joined(separator: "\n")
        }
        return Self.table(class: "targets", header: header, bodies: bodies)
    }

    private func row(of row: HistoryReport.Row, _ header: [String], isGrouped: Bool) -> String {
        let texts = report.cells(of: row, unknown: "–")
        let cells =
            [nameCell(of: row, isGrouped: isGrouped), availabilityCell(of: row, texts[0])]
            + zip(header.dropFirst(2), texts.dropFirst()).map { label, text in
                "<td data-label=\"\(label)\"\(Self.style(of: label))><bdi>\(text.escaped)</bdi></td>"
            }
        return "<tr>\(cells.joined())</tr>"
    }

    /// The class of a column; empty for most.
    private static func style(of label: String) -> String {
        label == HistoryReport.causesTitle ? " class=\"causes\"" : ""
    }

    private func nameCell(of row: HistoryReport.Row, isGrouped: Bool) -> String {
        let group = isGrouped ? "" : row.group.map { " · <bdi>\($0.escaped)</bdi>" } ?? ""
        return
            "<th scope=\"row\"><bdi>\(row.name.escaped)</bdi> <small><bdi>\(row.url.escaped)</bdi>\(group)</small></th>"
    }

    private func availabilityCell(of row: HistoryReport.Row, _ text: String) -> String {
        let style = row.grade?.style ?? "none"
        let strip = row.strip.map { self.strip($0, of: row.name) } ?? ""
        return
            "<td data-label=\"Availability\" class=\"share\"><b class=\"\(style)\">\(text)</b>\(strip)</td>"
    }

    private func table(of outages: [(name: String, outage: Availability.Outage)]) -> String {
        let header = HistoryReport.outageColumns
        let rows = outages.map { name, outage in
            let cells = [
                localTime(outage.start), outage.end.map(localTime) ?? "–", outage.length.outageText,
                outage.reason ?? "",
            ]
            let texts = zip(header.dropFirst(), cells).map { label, text in
                "<td data-label=\"\(label)\"><bdi>\(text.escaped)</bdi></td>"
            }
            return "<tr><th scope=\"row\"><bdi>\(name.escaped)</bdi></th>\(texts.joined())</tr>"
        }
        return Self.table(class: "outages", header: header, rows: rows)
    }

    private var causes: String {
        guard !report.commonCauses.isEmpty else { return "" }
        let header = HistoryReport.causeColumns
        let rows = report.commonCauses.map { cause in
            let cells = report.cells(of: cause)
            let texts = zip(header, cells).dropFirst().map { "<td data-label=\"\($0)\">\($1.escaped)</td>" }
            return "<tr><th scope=\"row\"><bdi>\(cells[0].escaped)</bdi></th>\(texts.joined())</tr>"
        }
        return "<h2>Common causes</h2>\n" + Self.table(class: "outages", header: header, rows: rows)
    }

    private var shifts: String {
        let shifts = report.shifts
        guard !shifts.isEmpty else { return "" }
        let header = HistoryReport.shiftColumns
        let rows = shifts.map { name, total in
            let cells = HistoryReport.cells(of: total, unknown: "–", localTime: localTime)
            let texts = zip(header.dropFirst(), cells).map { "<td data-label=\"\($0)\"><bdi>\($1.escaped)</bdi></td>" }
            return "<tr><th scope=\"row\"><bdi>\(name.escaped)</bdi></th>\(texts.joined())</tr>"
        }
        return "<h2>Shifts</h2>\n" + Self.table(class: "outages", header: header, rows: rows)
    }

    private static func table(class name: String, header: [String], rows: [String]) -> String {
        table(class: name, header: header, bodies: [rows.joined(separator: "\n")])
    }

    private static func table(class name: String, header: [String], bodies: [String]) -> String {
        let titles = header.map { "<th scope=\"col\"\(style(of: $0))>\($0)</th>" }.joined()
        let parts = bodies.map { "<tbody>\n\($0)\n</tbody>" }.joined(separator: "\n")
        return "<table class=\"\(name)\">\n<thead><tr>\(titles)</tr></thead>\n\(parts)\n</table>"
    }

    // MARK: Strips

    /// A strip: a bar for each run of slices with the same state. Worse states are taller, so that they differ without
    /// colours.
    private func strip(_ states: [WatchedSpan.State], of name: String) -> String {
        guard let axis = report.axis, axis.count == states.count, !states.isEmpty else { return "" }
        var bars: [String] = []
        var first = 0
        for index in states.indices where index + 1 == states.count || states[index + 1] != states[first] {
            let state = states[first]
            let times = "\(localTime(axis.boundaries[first])) to \(localTime(axis.boundaries[index + 1]))"
            bars.append(
                "<rect class=\"\(state.rawValue)\" x=\"\(first)\" width=\"\(index + 1 - first)\" y=\"\(10 - state.height)\" "
                    + "height=\"\(state.height)\"><title>\(state.rawValue), \(times.escaped)</title></rect>"
            )
            first = index + 1
        }
        return "<svg viewBox=\"0 0 \(states.count) 10\" preserveAspectRatio=\"none\" role=\"img\" "
            + "aria-label=\"States of \(name.escaped)\">\(bars.joined())</svg>"
    }

    /// The states that the strips have, and what the colours of an availability mean.
    private var legend: String {
        let grades = Set(report.shown.compactMap(\.grade))
        let colours = [ServiceLevel.Grade.missed, .farMissed].filter(grades.contains).map { grade in
            "<li><b class=\"\(grade.style)\">0.00%</b> \(grade.meaning)</li>"
        }
        guard hasStrips, let axis = report.axis else { return Self.list(colours) }
        let shown = Set(report.rows.flatMap { $0.strip ?? [] })
        let states = WatchedSpan.State.worstFirst.filter(shown.contains).map { state in
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"\(state.rawValue)\" width=\"10\" "
                + "y=\"\(10 - state.height)\" height=\"\(state.height)\"/></svg>\(state.rawValue)</li>"
        }
        let slice = "<li>Each bar is the worst state in \(axis.step.settingsText):</li>"
        return [Self.list([slice] + states), Self.list(colours)].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "" : "<ul class=\"legend\">\(items.joined())</ul>"
    }
}

extension ServiceLevel.Grade {
    /// The class of the style.
    fileprivate var style: String {
        switch self {
        case .met: "met"
        case .missed: "missed"
        case .farMissed: "far"
        }
    }

    /// The meaning of the colour.
    fileprivate var meaning: String {
        switch self {
        case .met: "as available as required"
        case .missed: "less available than required (sla)"
        case .farMissed: "more than \(Int(ServiceLevel.farFactor)) times the time down that is allowed (sla)"
        }
    }
}

extension WatchedSpan.State {
    /// The height of a bar, of ten.
    fileprivate var height: Int {
        switch self {
        case .down: 10
        case .degraded: 8
        case .maintenance: 5
        case .up: 6
        case .unknown, .blocked, .paused: 3
        case .unwatched: 1
        }
    }
}

extension String {
    /// The text for an element or an attribute of HTML, without characters that control the display.
    fileprivate var escaped: String {
        var text = ""
        for character in printable.unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}

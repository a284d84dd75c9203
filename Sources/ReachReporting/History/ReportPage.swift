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
        let outages = report.worstOutages()
        let parts = [
            Self.head(title: "Availability, \(period)"),
            "<h1>Availability</h1>", "<p class=\"period\">\(period)</p>", targets, legend,
            outages.isEmpty ? "" : "<h2>Worst outages</h2>\n\(table(of: outages))",
            causes,
            shifts,
            "<h2>Accounting</h2>\n<ul>\(report.accounting.map { "<li>\($0.escaped)</li>" }.joined())</ul>",
            "</main>\n</body>\n</html>",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: Tables

    private var hasStrips: Bool { report.rows.contains { $0.strip != nil } }

    private var targets: String {
        guard !report.rows.isEmpty else { return "<p>No target has a history in this period.</p>" }
        let header = report.targetColumns
        let rows = report.rows.map { row in
            let texts = report.cells(of: row, unknown: "–")
            let cells =
                [nameCell(of: row), availabilityCell(of: row, texts[0])]
                + zip(header.dropFirst(2), texts.dropFirst()).map {
                    "<td data-label=\"\($0)\">\($1.escaped)</td>"
                }
            return "<tr>\(cells.joined())</tr>"
        }
        return Self.table(class: "targets", header: header, rows: rows)
    }

    private func nameCell(of row: HistoryReport.Row) -> String {
        let group = row.group.map { " · <bdi>\($0.escaped)</bdi>" } ?? ""
        return
            "<th scope=\"row\"><bdi>\(row.name.escaped)</bdi><small><bdi>\(row.url.escaped)</bdi>\(group)</small></th>"
    }

    private func availabilityCell(of row: HistoryReport.Row, _ text: String) -> String {
        let worst = row.availability.outages.isEmpty ? "up" : "down"
        let style = row.availability.availability == nil ? "none" : worst
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
        let titles = header.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return
            "<table class=\"\(name)\">\n<thead><tr>\(titles)</tr></thead>\n<tbody>\n\(rows.joined(separator: "\n"))\n</tbody>\n</table>"
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

    /// The states that the strips have.
    private var legend: String {
        guard hasStrips, let axis = report.axis else { return "" }
        let shown = Set(report.rows.flatMap { $0.strip ?? [] })
        let states = WatchedSpan.State.worstFirst.filter(shown.contains).map { state in
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"\(state.rawValue)\" width=\"10\" "
                + "y=\"\(10 - state.height)\" height=\"\(state.height)\"/></svg>\(state.rawValue)</li>"
        }
        return
            "<ul class=\"legend\"><li>Each bar is the worst state in \(axis.step.settingsText):</li>\(states.joined())</ul>"
    }

    // MARK: Style

    private static func head(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title)</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        <main>
        """
    }

    private static let style = """
        :root { --text: #1c2024; --faint: #687078; --line: #d9dde1; --page: #ffffff; --up: #2f9e44; --degraded: #d08700; --down: #d6293e; --maintenance: #3b72d9; --other: #98a0a8; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6e9ec; --faint: #98a2ab; --line: #343b42; --page: #14181c; --up: #51b964; --degraded: #e0a52c; --down: #ff6272; --maintenance: #7aa5f5; --other: #69727a; } }
        body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
        main { max-width: 78rem; margin: 0 auto; padding: 1.5rem; }
        h1 { font-size: 1.6rem; margin: 0; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
        .period { color: var(--faint); margin: .2rem 0 1.5rem; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: right; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
        thead th { color: var(--faint); font-weight: 500; font-size: .85rem; }
        tbody th { font-weight: 600; white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
        th:first-child, .outages th, .outages td { text-align: left; }
        .outages td:last-child { white-space: normal; overflow-wrap: anywhere; }
        small { display: block; color: var(--faint); font-weight: 400; }
        .share { min-width: 13rem; text-align: left; }
        thead th:nth-child(2) { text-align: left; }
        .share b { display: block; }
        b.down { color: var(--down); }
        b.none { color: var(--faint); }
        .share svg { display: block; width: 100%; height: 1.1rem; margin-top: .2rem; }
        .up { fill: var(--up); } .degraded { fill: var(--degraded); } .down { fill: var(--down); } .maintenance { fill: var(--maintenance); }
        .unknown, .blocked, .paused, .unwatched { fill: var(--other); }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; margin: .8rem 0 0; color: var(--faint); font-size: .85rem; }
        .legend svg { width: .8rem; height: .8rem; margin-right: .3rem; vertical-align: -.05rem; }
        ul { padding-left: 1.2rem; margin: .5rem 0; }
        @media (max-width: 60rem) {
          thead { display: none; }
          tr { display: block; border-bottom: 1px solid var(--line); padding: .7rem 0; break-inside: avoid; }
          th, td, .share { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; min-width: 0; white-space: normal; }
          tbody th { display: block; }
          td::before { content: attr(data-label); color: var(--faint); }
          .share { flex-wrap: wrap; }
          .share svg { flex-basis: 100%; }
          .outages td { text-align: right; }
          main { padding: 1rem; }
        }
        @media print {
          :root { --text: #000; --faint: #444; --line: #bbb; --page: #fff; --up: #2f9e44; --degraded: #d08700; --down: #d6293e; --maintenance: #3b72d9; --other: #98a0a8; }
          body { font-size: 10px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          main { max-width: none; padding: 0; }
          tr { break-inside: avoid; }
          .share { min-width: 9rem; }
          th, td { padding: .25rem .35rem; }
        }
        """
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

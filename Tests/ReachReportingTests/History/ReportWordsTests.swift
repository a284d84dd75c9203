import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachReporting

/// What a report says in words, and the order of its targets.
struct ReportWordsTests {
    private static let start = Duration.seconds(1_800_000_000)
    private static let length = 10_000

    /// A target that is down in some ranges of seconds and degraded in others, of ten thousand.
    private func row(
        _ name: String,
        group: String? = nil,
        down: [Range<Int>] = [],
        degraded: [Range<Int>] = [],
        because cause: String = "timeout",
        common: String? = nil,
        isKnown: Bool = true,
        sla: Double = 99.9
    ) -> HistoryReport.Row {
        let changes = down.map { ($0, WatchedSpan.State.down) } + degraded.map { ($0, .degraded) }
        var (spans, time): ([WatchedSpan], Int) = ([], 0)
        let span = { (state: WatchedSpan.State, from: Int, until: Int) in
            var span = WatchedSpan(state, from: Self.start + .seconds(from), until: Self.start + .seconds(until))
            if state == .down { (span.cause, span.commonCause) = (cause, common) }
            return span
        }
        for (range, state) in changes.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            spans += [span(.up, time, range.lowerBound), span(state, range.lowerBound, range.upperBound)]
            time = range.upperBound
        }
        spans.append(span(.up, time, Self.length))
        return HistoryReport.Row(
            name: name,
            url: "icmp://\(name)",
            group: group,
            availability: Availability(
                isKnown ? spans : [],
                from: Self.start,
                until: Self.start + .seconds(Self.length)
            ),
            sla: ServiceLevel(percent: sla),
            figures: nil
        )
    }

    private func report(_ rows: HistoryReport.Row..., order: ReportOrder = .settings) -> HistoryReport {
        HistoryReport(
            from: Self.start,
            until: Self.start + .seconds(Self.length),
            countingUnknownAsDown: false,
            rows: rows,
            order: order
        )
    }

    private func text(_ format: ReportFormat, _ report: HistoryReport) -> String {
        format.text(of: report) { "T+\(($0 - Self.start).components.seconds)" }
    }

    @Test func `the summary counts outages, targets below the required availability, degraded and missing ones`() {
        let all = report(
            row("NAS", down: [100..<200, 500..<571]),
            row("Shop", down: [0..<1]),
            row("Web", degraded: [0..<7_000]),
            row("Mail", degraded: [0..<60]),
            row("Box", isKnown: false)
        )
        let words = [
            "2 of 4 targets had outages; the worst: NAS, 98.29%, 2 outages.",
            "1 is below the required availability of 99.9%.",
            "2 were degraded; the longest: Web, 1h56m.",
            "1 of 5 has no record.",
        ]
        #expect(all.summary == words)
        for format in [ReportFormat.table, .markdown, .html, .json] {
            for sentence in words {
                #expect(text(format, all).contains(sentence), "\(format)")
            }
        }
        #expect(text(.csv, all).contains("NAS,icmp://NAS,,0.9829,"))
    }

    @Test func `without outages, the summary says so`() {
        #expect(report(row("NAS"), row("Shop")).summary == ["No outage of 2 targets."])
        #expect(report(row("NAS", isKnown: false)).summary == [])
        #expect(report().summary == [])
    }

    @Test func `targets below different required availabilities are counted`() {
        let all = report(row("NAS", down: [0..<50], sla: 99.5), row("Shop", down: [0..<60], sla: 99.5))
        #expect(all.summary.contains("1 is below the required availability of 99.5%."))
        let mixed = report(row("NAS", down: [0..<51], sla: 99.5), row("Shop", down: [0..<60], sla: 99.9))
        #expect(mixed.summary.contains("2 are below the required availability."))
    }

    @Test func `a target that was only degraded has its time in a column`() {
        let degraded = report(row("Web", degraded: [0..<Self.length]))
        let lines = text(.table, degraded).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains { $0.prefix(4) == ["TARGET", "AVAILABILITY", "COVERAGE", "DEGRADED"] })
        #expect(lines.contains { $0.prefix(4) == ["Web", "100%", "100%", "2h46m"] })
        #expect(text(.html, degraded).contains("<td data-label=\"Degraded\"><bdi>2h46m</bdi></td>"))
        #expect(text(.json, degraded).contains("\"degraded_seconds\":10000"))
        #expect(text(.csv, degraded).hasSuffix(",10000.0,0.999,"))
        #expect(!text(.table, report(row("Web"))).contains("DEGRADED"))
    }

    @Test func `causes are counted, common ones first of all`() {
        let outages = [0..<10, 20..<30, 40..<50]
        let all = report(
            row("NAS", down: outages, because: "timeout, ends after 10.0.0.1, hop 2 of 5"),
            row("Shop", down: outages, because: "refused", common: "switch sw1")
        )
        let table = text(.table, all)
        #expect(table.contains("timeout (3)\n") && table.contains("switch sw1 (3)\n"))
        #expect(text(.markdown, all).contains("| switch sw1 (3) |"))
        #expect(text(.html, all).contains("class=\"causes\"><bdi>timeout (3)</bdi>"))
        #expect(text(.json, all).contains(#""causes":[{"cause":"switch sw1","outages":3}]"#))
        #expect(text(.csv, all).contains(",timeout: 3\n"))
        #expect(!text(.table, report(row("NAS"))).contains("CAUSES"))
    }

    @Test func `the order of the settings has groups, each once`() {
        let all = report(row("b", group: "Two"), row("z"), row("a", group: "One"), row("c", group: "Two"))
        #expect(all.rows.map(\.name) == ["b", "c", "z", "a"])
        #expect(all.parts.map(\.group) == ["Two", nil, "One"])
        let lines = text(.table, all).split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(lines[3...].prefix(7) == ["Two", "b", "c", "other", "z", "One", "a"])
        #expect(text(.markdown, all).contains("| **Two** |  |"))
        let heading = "<th colspan=\"11\" scope=\"rowgroup\"><bdi>Two</bdi></th>"
        #expect(text(.html, all).contains(heading))
        #expect(!text(.table, report(row("b"), row("a"))).contains("\nother\n"))
    }

    @Test(arguments: [
        (ReportOrder.name, "abcd"), (.settings, "dcba"), (.availability, "cdba"), (.outages, "dcba"), (.down, "cdba"),
        (.degraded, "bdca"),
    ])
    func `each order`(order: ReportOrder, names: String) {
        let all = report(
            row("d", down: [0..<10, 20..<30]),
            row("c", down: [0..<30]),
            row("b", degraded: [0..<5]),
            row("a", isKnown: false),
            order: order
        )
        #expect(all.rows.map(\.name).joined() == names)
        #expect(all.parts.count == 1)
    }

    @Test func `a limit cuts the table, and the words count all`() {
        var all = report(row("NAS", down: [0..<100]), row("Shop"), row("Web"), order: .availability)
        all.limit = 1
        #expect(all.summary.first == "1 of 3 targets had outages; the worst: NAS, 99.00%, 1 outage.")
        #expect(all.summary.last == "The table has the first 1, lowest availability first.")
        #expect(!text(.table, all).contains("Shop") && !text(.csv, all).contains("Shop"))
    }

    @Test func `a title is the heading in each format for people, and in JSON`() {
        var all = report(row("NAS"))
        all.title = "Network <b>"
        #expect(text(.table, all).hasPrefix("Network <b>\nT+0 to T+10000\n"))
        #expect(text(.markdown, all).hasPrefix("# Network &lt;b&gt;\n"))
        #expect(text(.html, all).contains("<h1><bdi>Network &lt;b&gt;</bdi></h1>"))
        #expect(text(.html, all).contains("<title>Network &lt;b&gt;, T+0 to T+10000</title>"))
        #expect(text(.json, all).contains(#""title":"Network <b>""#))
    }

    @Test func `colours follow the required availability`() {
        let page = text(.html, report(row("a"), row("b", down: [0..<50]), row("c", down: [0..<250])))
        for style in ["met\">100%", "missed\">99.50%", "far\">97.50%"] {
            #expect(page.contains("<b class=\"\(style)</b>"), "\(style)")
        }
        #expect(page.contains("more than 10 times the time down that is allowed"))
        #expect(!text(.html, report(row("a"))).contains("times the time down"))
    }

    @Test func `JSON has the keys of its schema`() throws {
        var totals = ShiftTotals()
        let shift = LevelShift(before: .milliseconds(12), after: .milliseconds(38), began: .seconds(10), found: .zero)
        totals.add(try #require(StoredShift(.level(shift))))
        let known = row("NAS", group: "Home", down: [0..<10], degraded: [20..<30], common: "switch sw1")
        let bucket = RoundTripBucket(.milliseconds(1))
        let whole = HistoryReport.Row(
            name: known.name,
            url: known.url,
            group: known.group,
            availability: known.availability,
            figures: ProbeFigures(
                sent: 10,
                lost: 1,
                roundTrips: .init(p50: bucket, p95: bucket, p99: bucket, longest: bucket)
            ),
            shifts: totals
        )
        var all = report(whole, row("Box", isKnown: false), row("Web", down: [9_990..<Self.length]))
        all.title = "Network"
        let schema = try Schema("report")
        #expect(try schema.problems(of: text(.json, all)) == [])
        #expect(try schema.problems(of: text(.json, report())) == [])
        let object = try JSONSerialization.jsonObject(with: Data(text(.json, all).utf8)) as? [String: Any]
        #expect(Set(object?.keys.map { $0 } ?? []).union(["count_unknown_as"]) == schema.keys())
        let target = (object?["targets"] as? [[String: Any]])?.first
        #expect(Set(target?.keys.map { $0 } ?? []) == schema.keys("$defs", "target"))
    }
}

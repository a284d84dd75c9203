import Foundation
import ReachMonitoring
import Testing

@testable import ReachReporting

@Suite struct HistoryReportTests {
    private static let start = Duration.seconds(1_800_000_000)

    private var report: HistoryReport {
        let span = { (state: WatchedSpan.State, from: Int, until: Int) in
            WatchedSpan(
                state,
                from: Self.start + .seconds(from),
                until: Self.start + .seconds(until),
                because: state == .down ? "refused, twice" : nil
            )
        }
        let spans = [span(.up, 0, 900), span(.down, 900, 990), span(.up, 990, 1_000)]
        let bucket = { (milliseconds: Int) in RoundTripBucket(.milliseconds(milliseconds)) }
        let figures = ProbeFigures(
            sent: 1_000,
            lost: 90,
            roundTrips: .init(p50: bucket(1), p95: bucket(2), p99: bucket(4), longest: bucket(9))
        )
        let end = Self.start + .seconds(1_000)
        let rows = [
            HistoryReport.Row(
                name: "NAS|1",
                url: "tcp://nas.local:445",
                group: "Home, sweet",
                availability: Availability(spans, from: Self.start, until: end),
                figures: figures
            ),
            HistoryReport.Row(
                name: "=Box",
                url: "icmp://192.0.2.1",
                group: nil,
                availability: Availability([], from: Self.start, until: end),
                figures: nil
            ),
        ]
        return HistoryReport(from: Self.start, until: end, countingUnknownAsDown: false, rows: rows)
    }

    private func text(_ format: ReportFormat) -> String {
        format.text(of: report) { "T+\(($0 - Self.start).components.seconds)" }
    }

    @Test func `a table has a line for each target, the outages and the accounting`() {
        let lines = text(.table).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "T+0 to T+1000")
        #expect(lines[2] == "1 of 1 target had outages; the worst: NAS|1, 91.00%, 1 outage.")
        #expect(lines[6].hasPrefix("TARGET") && lines[6].hasSuffix("PROBES LOST  CAUSES"))
        #expect(lines[7].split(separator: " ") == ["=Box", "-", "0.00%", "0", "-", "-", "-", "-", "-", "-", "-"])
        let row = [
            "NAS|1", "91.00%", "100%", "1", "1m30s", "1m30s", "15m10s", "1.0ms", "2.0ms", "4.0ms", "9.00%", "refused",
        ]
        #expect(lines[8].split(separator: " ").map(String.init) == row)
        #expect(lines.contains { $0.hasPrefix("NAS|1   T+900  T+990   1m30s  refused, twice") })
        #expect(lines.suffix(report.accounting.count) == report.accounting[...])
    }

    @Test func `common causes are in each format for people, and in JSON`() {
        var span = WatchedSpan(
            .down,
            from: Self.start + .seconds(10),
            until: Self.start + .seconds(70),
            because: "timeout"
        )
        span.commonCause = "subnet <10.1.0.0/24>"
        let end = Self.start + .seconds(100)
        let rows = ["a", "b"].map { name in
            HistoryReport.Row(
                name: name,
                url: "icmp://\(name)",
                group: nil,
                availability: Availability([span], from: Self.start, until: end),
                figures: nil
            )
        }
        let report = HistoryReport(from: Self.start, until: end, countingUnknownAsDown: false, rows: rows)
        let text = { (format: ReportFormat) in format.text(of: report) { "T+\(($0 - Self.start).components.seconds)" } }
        let lines = text(.table).split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasSuffix("timeout, common cause: subnet <10.1.0.0/24>") })
        #expect(lines.contains("CAUSE                 OUTAGES  TARGETS   DOWN"))
        #expect(lines.contains("subnet <10.1.0.0/24>        2        2  2m00s"))
        #expect(text(.markdown).contains("## Common causes\n\n| cause | outages | targets | down |"))
        #expect(text(.html).contains("<bdi>subnet &lt;10.1.0.0/24&gt;</bdi></th><td data-label=\"Outages\">2</td>"))
        let json = text(.json)
        #expect(json.contains(#""common_causes":[{"down_seconds":120,"outages":2,"place":"subnet <10.1.0.0"#))
        #expect(json.contains(#""common_cause":"subnet <10.1.0.0"#))
        #expect(!self.text(.json).contains("common_cause") && !self.text(.table).contains("Common"))
    }

    @Test func `shifts are in each format for people, and in JSON`() throws {
        let news: [ShiftNews] = [
            .level(LevelShift(before: .milliseconds(12), after: .milliseconds(38), began: .seconds(10), found: .zero)),
            .level(
                LevelShift(
                    before: .milliseconds(38),
                    after: .milliseconds(12),
                    began: .seconds(7_810),
                    found: .zero,
                    ends: .seconds(7_800)
                )
            ),
            .loss(LossShift(before: 0, after: 0.12, began: .seconds(20), found: .zero)),
        ]
        var totals = ShiftTotals()
        for shift in news { totals.add(try #require(StoredShift(shift))) }
        let end = Self.start + .seconds(100)
        let row = HistoryReport.Row(
            name: "<Shop>",
            url: "icmp://shop",
            group: nil,
            availability: Availability([], from: Self.start, until: end),
            figures: nil,
            shifts: totals
        )
        let report = HistoryReport(from: Self.start, until: end, countingUnknownAsDown: false, rows: [row])
        let text = { (format: ReportFormat) in format.text(of: report) { "T\($0.components.seconds)" } }
        let lines = text(.table).split(separator: "\n").map(String.init)
        #expect(lines.contains("TARGET  OF       SHIFTS  LONGEST  NEWEST"))
        #expect(lines.contains("<Shop>  latency       1    2h10m  T7810 latency back to 12ms after 2h10m"))
        #expect(lines.contains("<Shop>  loss          1        -  T20 loss rose from 0 to 12%"))
        #expect(lines.contains { $0.hasPrefix("A shift is a lasting change") })
        #expect(text(.markdown).contains("## Shifts\n\n| target | of | shifts | longest | newest |"))
        #expect(text(.html).contains("<h2>Shifts</h2>"))
        #expect(text(.html).contains("<bdi>T7810 latency back to 12ms after 2h10m</bdi>"))
        let json = text(.json)
        #expect(json.contains(#""longest_seconds":7800,"of":"latency","shifts":1,"since":"1970-01-01T02:10:10.000Z""#))
        #expect(!self.text(.json).contains("shifts") && !self.text(.table).contains("SHIFTS"))
    }

    @Test func `Markdown escapes the separator`() {
        let lines = text(.markdown).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("| NAS\\|1 | 91.00% | 100% |") })
        #expect(lines.contains("## Worst outages") && lines.contains("## Accounting"))
    }

    @Test func `names in Markdown are neither Markdown nor HTML`() {
        let name = "<img src=x> & `a` *b* _c_ [d](e) \\ |"
        let row = HistoryReport.Row(
            name: name,
            url: "tcp://nas.local:445",
            group: nil,
            availability: Availability([], from: Self.start, until: Self.start + .seconds(9)),
            figures: nil
        )
        let end = Self.start + .seconds(9)
        let report = HistoryReport(from: Self.start, until: end, countingUnknownAsDown: false, rows: [row])
        let escaped = #"| &lt;img src=x&gt; &amp; \`a\` \*b\* \_c\_ \[d\](e) \\ \| | - |"#
        #expect(ReportFormat.markdown.text(of: report) { "\($0)" }.contains(escaped))
    }

    @Test func `the accounting says what an outage leaves out, and of maintenance only if there was some`() {
        #expect(report.accounting.contains { $0.contains("other time in it, such as time unwatched, is left out") })
        #expect(!report.accounting.contains { $0.contains("aintenance") })
    }

    @Test(arguments: [
        (
            #""kind":"paused","run":1,"time":"0001-01-01T00:00:00.000Z","type":"event""#,
            "time 0001-01-01T00:00:00.000Z: not"
        ),
        (
            #""kind":"hook","run":1,"seconds":-5,"time":"2026-01-01T00:00:00.000Z","type":"event""#,
            "seconds -5.0: negative"
        ),
        (#""kind":"hook","run":1,"seconds":1e15,"time":"2026-01-01T00:00:00.000Z","type":"event""#, "too long"),
        (#""lost":9,"of":1,"sent":3,"time":"2026-01-01T00:00:00.000Z","type":"minute""#, "9 of 3 probes lost"),
        (
            #""kind":"transition","run":1,"time":"2026-02-31T00:00:00.000Z","to":"up","type":"event""#,
            "time 2026-02-31T00:00:00.000Z: not"
        ),
        (
            #""kind":"transition","run":1,"time":"2026-01-01T00:00:00.000Z","to":"purple","type":"event""#,
            "to purple: not unknown, up, degraded or down"
        ),
        (
            #""lost":0,"of":1,"p50_seconds":2,"p95_seconds":1,"sent":3,"time":"2026-01-01T00:00:00.000Z","type":"minute""#,
            "p95_seconds 1.0: less than p50_seconds"
        ),
        (
            #""id":1,"seen":"2026-01-02T00:00:00.000Z","source":"a","time":"2026-01-02T00:00:00.000Z","type":"run","#
                + #""until":"2026-01-01T00:00:00.000Z","version":"1""#,
            "until 2026-01-01T00:00:00.000Z: before time"
        ),
        (
            #""kind":"transition","run":1,"since":"2026-01-01T00:00:01.001Z","time":"2026-01-01T00:00:00.000Z","#
                + #""to":"down","type":"event""#,
            "since 2026-01-01T00:00:01.001Z: after time"
        ),
        (
            #""kind":"hook","run":1,"since":"2026-01-02T00:00:00.000Z","time":"2026-01-01T00:00:00.000Z","type":"event""#,
            "since 2026-01-02T00:00:00.000Z: after time"
        ),
        (#""kind":"paused","run":1,"since":"now","time":"2026-01-01T00:00:00.000Z","type":"event""#, "since now: not"),
    ])
    func `a record with an impossible value is refused with the reason`(json: String, problem: String) throws {
        let record = try #require(HistoryRecord(json: "{\(json)}"))
        #expect(record.problem?.contains(problem) == true && record.stored == nil)
    }

    @Test func `a clock may be set back, and a record with it is stored`() throws {
        let json = #"{"kind":"clock","run":1,"seconds":-3600,"time":"2026-01-01T00:00:00.000Z","type":"event"}"#
        let record = try #require(HistoryRecord(json: json))
        #expect(record.problem == nil && record.stored != nil)
    }

    @Test func `CSV quotes separators and has no formulas`() {
        let lines = text(.csv).split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("target,url,group,availability,coverage,up_seconds"))
        #expect(lines[1] == "'=Box,icmp://192.0.2.1,,,0.0,0.0,0.0,0,,,,,,,,,0.0,0.0,0.999,")
        #expect(
            lines[2].hasPrefix(
                "NAS|1,tcp://nas.local:445,\"Home, sweet\",0.91,1.0,910.0,90.0,1,90.0,90.0,910.0,1000,90,"
            )
        )
    }

    @Test func `maintenance has a column if there was some`() {
        #expect(!text(.table).contains("MAINTENANCE"))
        let spans = [
            WatchedSpan(.up, from: Self.start, until: Self.start + .seconds(900)),
            WatchedSpan(.maintenance, from: Self.start + .seconds(900), until: Self.start + .seconds(1_000)),
        ]
        let end = Self.start + .seconds(1_000)
        let row = HistoryReport.Row(
            name: "NAS",
            url: "tcp://nas.local:445",
            group: nil,
            availability: Availability(spans, from: Self.start, until: end),
            figures: nil
        )
        let report = HistoryReport(from: Self.start, until: end, countingUnknownAsDown: false, rows: [row])
        let lines = ReportFormat.table.text(of: report) { "\($0)" }.split(separator: "\n")
        #expect(lines.contains { $0.split(separator: " ").contains("MAINTENANCE") })
        #expect(lines.contains { $0.hasPrefix("NAS") && $0.split(separator: " ").contains("1m40s") })
        #expect(ReportFormat.html.text(of: report) { "\($0)" }.contains("<th scope=\"col\">Maintenance</th>"))
        #expect(ReportFormat.csv.text(of: report) { "\($0)" }.hasSuffix(",100.0,0.0,0.999,"))
    }

    @Test func `a page has every figure, the outages, a strip for each target and nothing from elsewhere`() {
        let axis = StripAxis(
            from: Self.start,
            until: Self.start + .seconds(1_000),
            step: .seconds(100),
            zone: .init(.zero)
        )
        let span = { (state: WatchedSpan.State, from: Int, until: Int) in
            WatchedSpan(
                state,
                from: Self.start + .seconds(from),
                until: Self.start + .seconds(until),
                because: "refused"
            )
        }
        let spans = [span(.up, 0, 700), span(.down, 700, 800), span(.up, 800, 1_000)]
        let row = HistoryReport.Row(
            name: "NAS",
            url: "tcp://nas.local:445",
            group: "Home",
            availability: Availability(spans, from: axis.start, until: axis.end),
            figures: nil,
            strip: axis.worstStates(of: spans)
        )
        let report = HistoryReport(
            from: axis.start,
            until: axis.end,
            countingUnknownAsDown: false,
            rows: [row],
            axis: axis
        )
        let page = ReportFormat.html.text(of: report) { "T+\(($0 - Self.start).components.seconds)" }
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>"))
        #expect(page.contains("<b class=\"far\">90.00%</b>") && page.contains(">1m40s<"))
        #expect(
            page.contains("<rect class=\"down\" x=\"7\" width=\"1\" y=\"0\" height=\"10\"><title>down, T+700 to T+800")
        )
        #expect(page.matches(of: #/<rect class="up" x="[08]"/#).count == 2)
        #expect(page.contains("An outage begins when its first lost probe was sent"))
        for word in ["http://", "https://", "<script", "<link", "<img", "url(", "@import"] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test func `names in a page are text, whatever they contain`() {
        let hostile = "</th><script>alert('1')</script>\"&\u{202E}\u{1B}[31m"
        let spans = [WatchedSpan(.down, from: Self.start, until: Self.start + .seconds(10), because: hostile)]
        let axis = StripAxis(from: Self.start, until: Self.start + .seconds(10), step: .seconds(10), zone: .init(.zero))
        let row = HistoryReport.Row(
            name: hostile,
            url: hostile,
            group: hostile,
            availability: Availability(spans, from: axis.start, until: axis.end),
            figures: nil,
            strip: axis.worstStates(of: spans)
        )
        let report = HistoryReport(
            from: axis.start,
            until: axis.end,
            countingUnknownAsDown: false,
            rows: [row],
            axis: axis
        )
        let page = ReportFormat.html.text(of: report) { "\($0)" }
        #expect(!page.contains("<script") && !page.contains("\u{1B}") && !page.contains("\u{202E}"))
        // The name in the summary, in the table, in the label of the strip and in the outages; URL, group, reason and cause.
        #expect(page.matches(of: #/&lt;script&gt;alert\(&#39;1&#39;\)/#).count == 8)
        #expect(page.count { $0 == "<" } == page.count { $0 == ">" })
    }

    @Test func `JSON has seconds and times in UTC`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(text(.json).utf8)) as? [String: Any]
        #expect(object?["since"] as? String == "2027-01-15T08:00:00.000Z")
        let targets = try #require(object?["targets"] as? [[String: Any]])
        #expect(targets.map { $0["availability"] as? Double } == [nil, 0.91])
        #expect(targets[1]["mttr_seconds"] as? Double == 90 && targets[1]["mtbf_seconds"] as? Double == 910)
        let outage = try #require((object?["worst_outages"] as? [[String: Any]])?.first)
        #expect(outage["seconds"] as? Double == 90 && outage["detail"] as? String == "refused, twice")
    }

    @Test func `a line of an export is read as it was written`() throws {
        let bucket = { (milliseconds: Int) in RoundTripBucket(.milliseconds(milliseconds)) }
        let figures = ProbeFigures(
            sent: 60,
            lost: 1,
            roundTrips: .init(p50: bucket(1), p95: bucket(20), p99: bucket(300), longest: bucket(4_000))
        )
        let event = HistoryEvent(
            .transition,
            at: Self.start + .milliseconds(123),
            from: .up,
            to: .down,
            since: Self.start,
            reason: "refused",
            detail: "refused",
            length: .milliseconds(1_500)
        )
        let records: [StoredRecord] = [
            .target(id: 7, name: "NAS", url: "tcp://nas.local:445", group: nil),
            .run(id: 3, source: "/a.toml", version: "1", start: Self.start, seen: Self.start + .seconds(9), end: nil),
            .event(event, target: 7, run: 3), .event(HistoryEvent(.stalled, at: Self.start), target: nil, run: 3),
            .minute(figures, target: 7, number: 30_000_000), .hour(figures, target: 7, number: 500_000),
        ]
        for record in records {
            let line = HistoryRecord(record).json
            #expect(try #require(HistoryRecord(json: line)).stored == record, "\(line)")
        }
        #expect(HistoryRecord(json: "{\"type\":\"event\"}")?.stored == nil)
        #expect(HistoryRecord(json: "nonsense") == nil)
    }
}

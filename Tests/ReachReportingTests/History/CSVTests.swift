import ReachMonitoring
import TestSupport
import Testing

@testable import ReachReporting

/// Names, URLs and groups in the CSV of a report.
struct CSVTests {
    /// The report of one target.
    private func csv(name: String, group: String? = nil) -> String {
        let (start, end) = (Duration.zero, Duration.seconds(9))
        let row = HistoryReport.Row(
            name: name,
            url: "tcp://nas.local:445",
            group: group,
            availability: Availability([], from: start, until: end),
            figures: nil
        )
        let report = HistoryReport(from: start, until: end, countingUnknownAsDown: false, rows: [row])
        return ReportFormat.csv.text(of: report) { "\($0)" }
    }

    /// The records of a text by the grammar of RFC 4180, by code points, with line feeds.
    private func records(_ text: String) -> [[String]] {
        var records: [[String]] = [[""]]
        var (isQuoted, wasQuote) = (false, false)
        for scalar in text.unicodeScalars {
            let last = (records.count - 1, records[records.count - 1].count - 1)
            if scalar == "\"" {
                if !isQuoted, wasQuote { records[last.0][last.1].unicodeScalars.append(scalar) }
                wasQuote = isQuoted
                isQuoted.toggle()
                continue
            }
            wasQuote = false
            switch scalar {
            case "," where !isQuoted: records[last.0].append("")
            case "\n" where !isQuoted: records.append([""])
            default: records[last.0][last.1].unicodeScalars.append(scalar)
            }
        }
        return records
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\t=1", "\rx", "\nx", "\r\nx", "=\u{338}x", "＝1", "＋1", "－1", "＠x",
    ])
    func `a text that begins as a formula has an apostrophe before it`(name: String) {
        let found = records(csv(name: name, group: name))
        #expect(found.count == 2 && found[1].count == found[0].count)
        #expect(found[1][0].unicodeScalars.elementsEqual("'\(name)".unicodeScalars))
        #expect(found[1][2].unicodeScalars.elementsEqual("'\(name)".unicodeScalars))
    }

    @Test(arguments: [
        "NAS", "a,b", "a\"b", "\"", "a\"\u{301}b", ",\u{301}", "a\r\nb", "a\nb", "a\rb", "", " =1", "a\tb",
    ])
    func `other texts are read back as they are`(name: String) {
        let found = records(csv(name: name, group: "G"))
        #expect(found.count == 2 && found[1].count == found[0].count)
        #expect(found[1][0].unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test func `random texts are read back, with an apostrophe at most`() {
        var random = SplitMix(seed: 3)
        let scalars: [Unicode.Scalar] = [
            "=", "-", "'", "\"", ",", "\r", "\n", "\t", "a", "\u{301}", "\u{200D}", "＠", " ",
        ]
        for _ in 0..<2_000 {
            var name = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                name.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
            }
            let found = records(csv(name: name, group: "G"))
            #expect(found.count == 2 && found[1].count == found[0].count)
            let read = found[1][0].unicodeScalars
            #expect(
                read.elementsEqual(name.unicodeScalars)
                    || (read.first == "'" && read.dropFirst().elementsEqual(name.unicodeScalars))
            )
        }
    }
}

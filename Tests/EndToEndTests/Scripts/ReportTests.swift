import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach report` and `reach history --forget` with settings and an imported history.
    @Suite(.serialized) struct ReportTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func reach(_ words: String...) throws -> Tool {
            try Tool.run([Program.path] + words, in: scratch.path, within: .seconds(30))
        }

        /// Imports a history of 30 days of the targets of `dashboard.toml`, and of one that was mistyped.
        ///
        /// - Parameter count: the number of targets, in groups of ten. Each second one had an outage each week.
        private func record(_ count: Int) throws {
            let now = Date()
            let time = { (hours: Double) in
                Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(now - (720 - hours) * 3_600)
            }
            let run = #""id":1,"source":"a.toml","type":"run","version":"1""#
            var lines = [#"{\#(run),"time":"\#(time(0))","seen":"\#(time(720))","until":"\#(time(720))"}"#]
            var settings: [String] = []
            let change = { (number: Int, from: String, to: String, hours: Double) in
                #"{"type":"event","kind":"transition","of":\#(number),"run":1,"from":"\#(from)","to":"\#(to)","#
                    + #""detail":"HTTP 503 Service Unavailable","time":"\#(time(hours))","since":"\#(time(hours))"}"#
            }
            for number in 1...count + 1 {
                let name = number > count ? "host-nme" : "host-name-\(number)"
                let url = "https://\(name).example.com/health"
                lines.append(#"{"type":"target","id":\#(number),"target":"\#(name)","url":"\#(url)"}"#)
                lines.append(change(number, "unknown", "up", 0))
                for week in 0..<(number.isMultiple(of: 2) ? 4 : 0) {
                    lines.append(change(number, "up", "down", Double(week * 168 + 24)))
                    lines.append(change(number, "down", "up", Double(week * 168) + 25.5))
                }
                if number == 1 { lines.append(change(number, "up", "degraded", 700)) }
                let group = "Hall \((count - number) / 10)"
                if number <= count {
                    settings.append(
                        "[[target]]\nname = \"\(name)\"\nurl = \"\(url)\"\ngroup = \"\(group)\"\nsla = 99.5\n"
                    )
                }
            }
            try scratch.write(lines.joined(separator: "\n") + "\n", to: "all.jsonl")
            try scratch.write(settings.reversed().joined(), to: "dashboard.toml")
            let words = ["sh", "-c", "\(Program.path) history --import jsonl < all.jsonl"]
            let added = try Tool.run(words, in: scratch.path, within: .seconds(30))
            #expect(added.status == 0, "\(added.errors)")
        }

        private func targets(_ words: String...) throws -> [String] {
            let report = try Tool.run([Program.path, "report", "--format", "json"] + words, in: scratch.path)
            #expect(try Schema("report").problems(of: report.output) == [], "\(report.output)\(report.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
            let targets = object?["targets"] as? [[String: Any]] ?? []
            return targets.compactMap { ($0["target"] as? String).map { String($0.dropFirst(10)) } }
        }

        @Test func `the targets are those of the settings, in their order and groups`() throws {
            try record(12)
            let all = (1...12).reversed().map(String.init)
            #expect(try targets() == all)
            #expect(try targets("--all-known") == all + [""])
            #expect(try targets("--sort", "name", "--top", "2") == ["1", "10"])
            #expect(try targets("--top", "2") == ["12", "10"])
            #expect(try targets("host-nme") == [""])
            let report = try reach("report", "--title", "Network")
            let lines = report.lines.filter { !$0.isEmpty }
            #expect(
                lines[0] == "Network" && lines[2].hasPrefix("6 of 12 targets had outages; the worst: host-name-12, ")
            )
            #expect(lines[3] == "6 are below the required availability of 99.5%.")
            #expect(lines[4] == "1 was degraded; the longest: host-name-1, 20h00m.")
            #expect(lines[6] == "Hall 0" && lines[7].hasPrefix("host-name-12 "))
        }

        @Test func `without settings, or with those of others, all targets of the history are reported`() throws {
            try record(2)
            try FileManager.default.removeItem(atPath: scratch.file("dashboard.toml"))
            #expect(try targets() == ["1", "2", ""])
            try scratch.write("[[target]]\nurl = \"icmp://192.0.2.1\"\n", to: "dashboard.toml")
            let other = try reach("report")
            #expect(other.errors.contains("dashboard.toml: none of its targets is in the history"))
            #expect(other.output.contains("host-nme"))
            try scratch.write("[[target]]\nurl = 7\n", to: "dashboard.toml")
            let invalid = try reach("report")
            #expect(
                invalid.status == 0 && invalid.output.contains("host-nme")
                    && invalid.errors.contains("dashboard.toml:2")
            )
            #expect(try reach("report", "--config", "dashboard.toml").status == 2)
        }

        @Test func `a forgotten target is gone, and an unknown one has a near name only`() throws {
            try record(2)
            let far = try reach("history", "--forget", "printer")
            #expect(far.status == 2 && far.errors == "reach: no target \"printer\" in the history\n")
            let near = try reach("history", "--forget", "host-mne")
            #expect(near.errors.hasSuffix("in the history – did you mean \"host-nme\"?\n"), "\(near.errors)")
            let forgotten = try reach("history", "--forget", "host-nme")
            let text =
                "host-nme (https://host-nme.example.com/health): removed, with 1 event and the figures of 0 days\n"
            #expect(forgotten.status == 0 && forgotten.output == text, "\(forgotten.output)\(forgotten.errors)")
            #expect(try targets("--all-known") == ["2", "1"])
            #expect(try reach("history", "--forget", "host-nme").status == 2)
        }

        @Test func `the example of the page on the history can be imported`() throws {
            let docs = URL(filePath: #filePath).appending(path: "../../../../docs/history.md").standardized
            let page = try String(contentsOf: docs, encoding: .utf8)
            let lines = page.split(separator: "\n").filter { $0.hasPrefix("{\"") }
            #expect(lines.count == 6)
            try scratch.write(lines.joined(separator: "\n") + "\n", to: "all.jsonl")
            let words = ["sh", "-c", "\(Program.path) history --import jsonl < all.jsonl"]
            let added = try Tool.run(words, in: scratch.path)
            #expect(added.errors.contains("6 lines read, 5 records added"), "\(added.errors)")
            let report = try reach("report", "--since", "2026-11-01T00:00Z", "--until", "2026-11-02T00:00Z")
            #expect(report.output.contains("1 of 1 target had outages; the worst: NAS, 89.67%, 1 outage."))
        }

        // MARK: Pages

        /// The page of a report, with another head and a script at its end.
        private func page(_ name: String, head: String = "", script: String = "") throws -> String {
            let html = try reach("report", "--format", "html").output
                .replacing("default-src 'none'; style-src 'unsafe-inline'", with: "default-src 'unsafe-inline'")
                .replacing("</head>", with: "<style>\(head)</style></head>")
                .replacing("</body>", with: "<script>\(script)</script></body>")
            try scratch.write(html, to: name)
            return "file://\(scratch.file(name))"
        }

        private func browse(_ words: String...) throws -> Tool {
            let fixed = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
            let profile = "--user-data-dir=\(scratch.file("profile"))"
            return try Tool.run(fixed + [profile] + words, in: scratch.path, within: .seconds(60))
        }

        @Test(
            .enabled(if: Machine.hasChromium, "no chromium"),
            arguments: [("A4", 20, 1), ("Letter", 20, 1), ("A4", 300, 10), ("Letter", 300, 10)]
        )
        func `a printed page has many targets`(size: String, count: Int, limit: Int) throws {
            try record(count)
            let url = try page("report.html", head: "@page { size: \(size); }")
            let file = scratch.file("report.pdf")
            let printed = try browse("--no-pdf-header-footer", "--print-to-pdf=\(file)", url)
            let bytes = try Data(contentsOf: URL(filePath: file))
            let pages = String(decoding: bytes, as: UTF8.self).matches(of: #/\/Type \/Page\b/#).count
            #expect((1...limit).contains(pages), "\(printed.errors)")
        }

        @Test(.enabled(if: Machine.hasChromium, "no chromium"), arguments: [500, 1_000, 1_100, 1_400])
        func `a page does not scroll sideways`(width: Int) throws {
            try record(20)
            let script = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth"
            let url = try page("report.html", script: script)
            let shown = try browse("--window-size=\(width),900", "--dump-dom", url)
            #expect(shown.output.contains("<title>0</title>"), "\(shown.errors)")
        }
    }
}

import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

/// The JUnit XML of `wait`.
@Suite struct JUnitReportTests {
    private var story: Story {
        var story = Story(
            .make("NAS", group: "Hall \"A\" & <B>", fall: 1),
            .make("Web\u{1B}[2J\u{0}\u{FFFF}", url: "http://web.example.com/"),
            .make("Mine", url: "icmp://192.0.2.9"),
            .make("New")
        )
        story.hear("x", from: "NAS")
        story.hear("r", from: "Web\u{1B}[2J\u{0}\u{FFFF}")
        story.hear("f", from: "Mine")
        return story
    }

    private func report(_ results: [JUnitReport.Result], redaction: Redaction = Redaction()) -> String {
        JUnitReport(
            zip(story.roster.states, results).map { ($0, $1) },
            took: .milliseconds(30_004),
            start: "2026-11-20T14:02:19.114Z",
            redaction: redaction
        ).text
    }

    @Test func `each target is a test case with its time, and its failure with the reason`() {
        let text = report([
            .unmet("not up: <refused>"), .met(after: .milliseconds(1_204)), .unmet("no permission"), .notNeeded,
        ])
        let counts = #"tests="4" failures="1" errors="1" skipped="1" time="30.004""#
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="reach wait" \(counts)>
                  <testsuite name="reach wait" \(counts) timestamp="2026-11-20T14:02:19.114Z">
                    <testcase classname="Hall &quot;A&quot; &amp; &lt;B&gt;" name="NAS" time="30.004">
                      <failure message="not up: &lt;refused&gt;" type="refused">tcp://nas.local:445: not up: &lt;refused&gt;</failure>
                    </testcase>
                    <testcase classname="targets" name="Web\u{FFFD}[2J\u{FFFD}\u{FFFD}" time="1.204"/>
                    <testcase classname="targets" name="Mine" time="30.004">
                      <error message="no permission" type="permission">icmp://192.0.2.9: no permission</error>
                    </testcase>
                    <testcase classname="targets" name="New" time="30.004">
                      <skipped/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """
        )
    }

    @Test func `whatever a peer sends, the file is well-formed XML`() throws {
        let scalars = (0...0x2FF).compactMap(Unicode.Scalar.init) + ["\u{202E}", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}"]
        let hostile = String(String.UnicodeScalarView(scalars)) + "]]>&amp;<!--"
        let text = report([.unmet(hostile), .unmet(hostile), .unmet(""), .notNeeded])
        let allowed = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar.value >= 0x20 && scalar != "\u{FFFE}" && scalar != "\u{FFFF}"
        }
        #expect(allowed)
        #expect(text.matches(of: /&(?!amp;|lt;|gt;|quot;)/).isEmpty)
        #expect(text.count { $0 == "<" } == text.count { $0 == ">" })
    }
}

import ReachMonitoring
import ReachTerminal
import TestSupport
import Testing

@testable import reach

/// The table of `check`.
struct CheckTableTests {
    private var story: Story {
        var story = Story(.make("NAS", fall: 1), .make("Web\u{1B}[2J", url: "http://web.example.com/"), .make("New"))
        story.hear("rx", from: "NAS")
        story.hear("rr", from: "Web\u{1B}[2J")
        return story
    }

    @Test func `without a terminal, there are columns and no colours`() {
        #expect(
            CheckTable(story.roster.states, count: 1, color: nil).lines == [
                "TARGET   URL                      HEALTH    TIME",
                "NAS      tcp://nas.local:445      down     1.0ms  refused",
                "Web�[2J  http://web.example.com/  up       1.0ms",
                "New      tcp://nas.local:445      unknown      -",
                "3 targets: 1 up, 1 down, 1 unknown",
            ]
        )
    }

    @Test func `the last line counts the targets in the words of the dashboard's header`() {
        var story = Story(.make("NAS", fall: 1), .make("Web", slow: .milliseconds(500)))
        story.hear("r", from: "NAS")
        story.hear("sss", from: "Web")
        func last(_ color: ColorSupport? = nil) -> String? {
            CheckTable(story.roster.states, count: 1, color: color).lines.last
        }
        #expect(last() == "2 targets: 1 up, 1 slow")
        #expect(last(.sixteen)?.hasSuffix("\u{1B}[33m1 slow\u{1B}[39m") == true)
        #expect(CheckTable(Story(.make("NAS")).roster.states, count: 1, color: nil).lines.last == "1 target: 1 unknown")
    }

    @Test func `secrets of files are hidden in the text beside the health`() {
        var redaction = Redaction()
        redaction.register(value: "refused", of: "file:token")
        let lines = CheckTable(story.roster.states, count: 1, color: nil, redaction: redaction.forScreen).lines
        #expect(lines[1].hasSuffix("down     1.0ms  ${file:token}"))
    }

    @Test func `a long text of a server is cut`() {
        var story = Story(.make("NAS", fall: 1))
        story.hear(.failure(Failure(.serverError, detail: String(repeating: "x", count: 200))))
        let line = CheckTable(story.roster.states, count: 1, color: nil).lines[1]
        #expect(line.hasSuffix("  " + String(repeating: "x", count: 79) + "…"), "\(line)")
    }

    @Test func `several probes per target add a loss column`() {
        let lines = CheckTable(story.roster.states, count: 2, color: nil).lines
        #expect(lines[0].hasSuffix("TIME  LOSS"))
        #expect(lines[1].hasSuffix("1.0ms   50%  refused"))
        #expect(lines[3].hasSuffix("-     -"))
    }

    @Test func `on a terminal, the health is coloured`() {
        let lines = CheckTable(story.roster.states, count: 1, color: .sixteen).lines
        #expect(lines[1].contains("  \u{1B}[1;31mdown   \u{1B}[0m  "), "\(lines[1].debugDescription)")
        #expect(lines[2].contains("  \u{1B}[32mup     \u{1B}[39m  "), "\(lines[2].debugDescription)")
        #expect(!lines[0].contains("\u{1B}") && !lines[3].contains("\u{1B}"))
    }

    @Test func `the columns after URLs of usual length are aligned`() {
        let path = String(repeating: "x", count: 40)
        let story = Story(.make("Web", url: "https://shop.example.com/\(path)"), .make("NAS"))
        let lines = CheckTable(story.roster.states, count: 1, color: nil).lines
        let starts = lines.dropFirst().dropLast().map { $0.split(separator: "unknown")[0].count }
        #expect(starts == [75, 75], "\(lines)")
        #expect(lines[0].split(separator: "HEALTH")[0].count == 75)
    }

    @Test func `a long name shifts its own line only`() {
        let story = Story(.make(String(repeating: "x", count: 60)), .make("NAS"))
        let lines = CheckTable(story.roster.states, count: 1, color: nil).lines
        #expect(lines[2].hasPrefix("NAS" + String(repeating: " ", count: 35) + "tcp://"), "\(lines[2])")
        #expect(lines[1].contains("xx  tcp://"))
    }
}

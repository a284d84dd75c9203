import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import reach

/// The progress lines of `check` and `wait`.
struct ProgressLinesTests {
    private func lines(_ story: Story, columns: Int = 80, rows: Int = 24) -> [String] {
        let size = Size(columns: columns, rows: rows)
        return ProgressLines.lines(story.roster.states, at: .seconds(72), fitting: size, ellipsis: "…")
    }

    private func story(of count: Int) -> Story {
        var story = Story()
        let targets = (1...count).map { Target.make("Target \($0)", url: "icmp://192.0.2.\($0)") }
        story.take(story.roster.apply(Settings(targets: targets), at: .zero))
        return story
    }

    @Test func `a line has the elapsed time, name, URL and result of the newest probe`() {
        var story = Story(.make("NAS"), .make("192.0.2.7", url: "icmp://192.0.2.7"), .make("Web"))
        story.hear("x", from: "NAS")
        story.hear("r", from: "Web")
        #expect(
            lines(story) == [
                "1m12s  NAS  tcp://nas.local:445  refused",
                "1m12s  icmp://192.0.2.7  probing",
                "1m12s  Web  tcp://nas.local:445  up",
            ]
        )
    }

    @Test func `the last line counts the targets that do not fit`() {
        #expect(lines(story(of: 10)).count == 10)
        let many = lines(story(of: 200))
        #expect(many.count == 10 && many.last == "1m12s  and 191 more")
        // The cursor needs the row below the lines.
        #expect(lines(story(of: 5), rows: 4) == Array(lines(story(of: 5)).prefix(2)) + ["1m12s  and 3 more"])
        #expect(lines(story(of: 5), rows: 2) == ["1m12s  5 more"])
        #expect(lines(story(of: 5), rows: 1) == ["1m12s  5 more"])
    }

    @Test(arguments: [1, 2, 9, 40, 80])
    func `no line wraps or contains control characters of a peer`(_ columns: Int) {
        var story = Story(.make("NAS 世界世界世界世界世界世界世界世界世界世界世界世界世界世界世界\u{1B}[2J"))
        let name = story.roster.states[0].target.name
        story.hear(.failure(Failure(.answerMismatch, detail: String(repeating: "x\r\n", count: 99))), from: name)
        for line in lines(story, columns: columns) {
            #expect(line.displayWidth < columns)
            #expect(!line.contains { $0.isNewline || $0 == "\u{1B}" })
        }
    }
}

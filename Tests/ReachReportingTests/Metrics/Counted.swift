import ReachMonitoring
import TestSupport
import Testing

@testable import ReachReporting

/// A story whose outcomes are counted.
struct Counted {
    var story: Story
    var metrics = Metrics()
    private var seconds = 0

    init(_ targets: Target...) {
        story = Story(targets)
        metrics.apply(story.roster)
    }

    mutating func hear(_ outcomes: Outcome..., from name: String = "NAS") {
        for (sequence, outcome) in outcomes.enumerated() {
            guard let id = story[name]?.id else { continue }
            seconds += 1
            let time = Duration.seconds(seconds)
            let findings = [
                Finding.observation(Observation(target: id, sequence: sequence, time: time, outcome: outcome))
            ]
            metrics.record(findings, of: story.roster)
            let consequences = story.roster.record(findings)
            metrics.record(consequences.events)
            story.take(consequences)
        }
    }

    func lines(_ format: MetricsFormat = .text, detail: MetricsDetail? = nil) -> [String] {
        let wall = WallTime(start: .seconds(1_000))
        let text = metrics.exposition(
            of: story.roster,
            program: ProgramFigures(version: "1.2.3", startTime: wall.start),
            wall: wall,
            detail: detail
        ).text(in: format).joined()
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }

    /// The values of the samples whose line begins so.
    func values(_ beginning: String) -> [String] {
        lines().filter { $0.hasPrefix(beginning) }.compactMap { $0.split(separator: " ").last.map(String.init) }
    }
}

import Monitoring
import TestSupport
import Testing

@testable import Reporting

/// The metrics of many targets.
@Suite struct LargeExpositionTests {
    @Test func `a large exposition is written in parts, each line once`() {
        let targets = (0..<250).map { Target.make("T\($0)") }
        let story = Story(targets)
        var metrics = Metrics()
        metrics.apply(story.roster)
        let parts = Array(
            metrics.exposition(
                of: story.roster,
                program: ProgramFigures(version: "", startTime: .zero),
                wall: WallTime(start: .zero)
            ).text(in: .openMetrics)
        )
        #expect(parts.allSatisfy { $0.utf8.count < 300_000 })
        let lines = parts.joined().split(separator: "\n")
        #expect(Set(lines).count == lines.count)
        // Four of health, four of what else it is, four of probes, one of faults, twenty of round trips, three of
        // transitions, one of the URL; and four of the group.
        #expect(lines.count { $0.hasPrefix("reach_") } == 250 * 37 + 7 + 3)
        let families = MetricFamily.allCases.filter { !$0.isOfSources && !$0.isOfModules }
        #expect(lines.count { $0.hasPrefix("# TYPE") } == families.count)
        #expect(lines.last == "# EOF")
    }
}

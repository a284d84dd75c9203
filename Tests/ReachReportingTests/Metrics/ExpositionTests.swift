import ReachMonitoring
import TestSupport
import Testing

@testable import ReachReporting

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

@Suite struct MetricsFormatTests {
    @Test(
        arguments: [
            (nil, .text),
            ("", .text),
            ("*/*", .text),
            ("text/plain;version=0.0.4", .text),
            ("application/openmetrics-text", .openMetrics),
            ("application/openmetrics-text; version=1.0.0; charset=utf-8", .openMetrics),
            ("APPLICATION/OpenMetrics-Text; Version=\"1.0.0\"", .openMetrics),
            ("application/openmetrics-text; version=2.0.0", .text),
            ("application/openmetrics-text; version=2.0.0, application/openmetrics-text;version=0.0.1", .openMetrics),
            ("application/openmetrics-text;q=0", .text),
            ("application/openmetrics-text;q=0.2, text/plain;q=0.9", .text),
            ("text/plain;q=0.5,*/*;q=0.1,application/openmetrics-text;version=1.0.0;q=0.5", .openMetrics),
            ("application/openmetrics-text;q=x", .text),
            (";;,=;q,,", .text),
            // The header of Prometheus 2.42.
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
            ),
        ] as [(String?, MetricsFormat)]
    )
    func `the format is the one that the client prefers`(_ accept: String?, _ format: MetricsFormat) {
        #expect(MetricsFormat(accepting: accept) == format)
    }
}

/// The metrics of the program as a whole.
struct ProgramMetricsTests {
    private func text(of program: ProgramFigures, _ roster: Roster = Roster()) -> String {
        Metrics().exposition(of: roster, program: program, wall: WallTime(start: .zero)).text(in: .text).joined()
    }

    @Test func `late and skipped probes of all lanes are counted`() {
        var roster = Roster()
        let reports = [
            ScheduleReport(late: 3, skipped: 5, missedShare: 0.4),
            ScheduleReport(late: 1, skipped: 0, missedShare: nil),
        ]
        for (lane, report) in reports.enumerated() {
            _ = roster.record([.schedule(report, lane: lane, at: .seconds(10))])
        }
        let lines = text(of: ProgramFigures(version: "1.2.3", startTime: .zero), roster).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("reach_schedule") } == [
                "reach_schedule_late_probes_total 4", "reach_schedule_skipped_probes_total 5",
                "reach_schedule_missed_ratio 0.4",
            ]
        )
    }

    @Test func `the build info has the commit if it is known`() {
        var program = ProgramFigures(version: "1.2.3", startTime: .zero)
        program.revision = "80eb996"
        #expect(text(of: program).hasSuffix("\nreach_build_info{version=\"1.2.3\",revision=\"80eb996\"} 1\n"))
    }
}

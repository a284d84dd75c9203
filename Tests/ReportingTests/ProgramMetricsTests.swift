import Monitoring
import Reporting
import Testing

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

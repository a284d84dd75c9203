import Testing

@testable import ReachMonitoring

struct ScheduleLoadTests {
    private var load = ScheduleLoad()
    private var second = 0

    private func slot(at time: Duration, skipped: Int = 0) -> Schedule.DueSlot {
        Schedule.DueSlot(time, every: 1_000_000_000, at: time + .seconds(1) * skipped)
    }

    /// Passes ten seconds with a hundred slots, and returns the report about them.
    private mutating func tenSeconds(late: Int = 0, skipped: Int = 0) -> ScheduleReport? {
        _ = load.endWindow(at: .seconds(second))
        for _ in 0..<(100 - skipped) { _ = load.record(slot(at: .seconds(second))) }
        if skipped > 0 { _ = load.record(slot(at: .seconds(second), skipped: skipped - 1)) }
        if skipped > 0 { load.recordSkipped() }
        for _ in 0..<late { load.recordLate() }
        second += 10
        #expect(load.endWindow(at: .seconds(second) - .nanoseconds(1)) == nil)
        return load.endWindow(at: .seconds(second))
    }

    @Test mutating func `more than a tenth of late and skipped probes in ten seconds is a missed schedule`() {
        #expect(tenSeconds() == nil)
        #expect(tenSeconds(late: 4, skipped: 6) == ScheduleReport(late: 4, skipped: 6, missedShare: nil))
        #expect(tenSeconds(late: 5, skipped: 6) == ScheduleReport(late: 5, skipped: 6, missedShare: 0.11))
    }

    @Test mutating func `the schedule is kept again when at most a twentieth is late`() {
        #expect(tenSeconds(late: 60)?.missedShare == 0.6)
        #expect(tenSeconds(late: 6)?.missedShare == 0.06)
        #expect(tenSeconds(late: 5) == ScheduleReport(late: 5, skipped: 0, missedShare: nil))
        #expect(tenSeconds(late: 6)?.missedShare == nil)
        #expect(tenSeconds(late: 100)?.missedShare == 1)
        #expect(tenSeconds() == ScheduleReport(late: 0, skipped: 0, missedShare: nil), "the end is reported")
        #expect(tenSeconds() == nil)
    }

    @Test mutating func `late probes of an earlier window make no share above one`() {
        #expect(tenSeconds(late: 150)?.missedShare == 1)
    }

    @Test mutating func `with few probes, the window is longer`() {
        _ = load.endWindow(at: .zero)
        for second in 1..<20 {
            _ = load.record(slot(at: .seconds(second)))
            load.recordLate()
            #expect(load.endWindow(at: .seconds(second)) == nil)
        }
        _ = load.record(slot(at: .seconds(20)))
        #expect(load.endWindow(at: .seconds(20))?.missedShare == 0.95)
        // Too few for a verdict in the longest window.
        for second in 21..<40 { _ = load.record(slot(at: .seconds(second))) }
        for _ in 21..<40 { load.recordLate() }
        #expect(load.endWindow(at: .seconds(79)) == nil)
        #expect(load.endWindow(at: .seconds(80)) == ScheduleReport(late: 19, skipped: 0, missedShare: nil))
    }

    @Test mutating func `slots of a stall do not count`() {
        load.recordStall(until: .seconds(5))
        #expect(load.record(slot(at: .seconds(4), skipped: 3)) == false)
        #expect(load.record(slot(at: .seconds(5))) == true)
    }

    @Test mutating func `a lane without targets keeps its schedule`() {
        #expect(load.end() == nil)
        #expect(tenSeconds(late: 60)?.missedShare == 0.6)
        #expect(load.end() == ScheduleReport(late: 0, skipped: 0, missedShare: nil))
        #expect(load.end() == nil)
    }

    @Test(arguments: [(10, 50), (100, 50), (1_000, 500), (60_000, 30_000)])
    func `a probe is late half an interval after its slot, and at least fifty milliseconds`(interval: Int64, late: Int)
    {
        let slot = Schedule.DueSlot(.seconds(7), every: interval * 1_000_000, at: .seconds(7))
        #expect(slot.lateFrom == .seconds(7) + .milliseconds(late))
    }

    @Test func `slots that pass before a tick are skipped`() {
        var schedule = Schedule()
        schedule.add([Schedule.Entry(id: Target.ID(0), interval: .seconds(1))], at: .zero)
        let skipped = [0, 1_999, 4_000, 5_000].map { milliseconds in
            schedule.dueProbes(at: .milliseconds(milliseconds)).map { $0.slot?.skipped }
        }
        #expect(skipped == [[0], [0], [2], [0]])
        schedule.probeNow([Target.ID(0)], at: .milliseconds(5_100))
        #expect(schedule.dueProbes(at: .milliseconds(5_100)).map(\.slot) == [nil], "requested, not due")
    }

    @Test func `an event tells when the first lane misses its schedule, and when none does`() {
        var roster = Roster()
        let events = [(0, 0.4), (1, 0.6), (1, 0.7), (0, nil), (1, nil), (1, nil)].enumerated().flatMap {
            second,
            report in
            let (lane, share) = report
            let finding = Finding.schedule(
                ScheduleReport(late: 1, skipped: 2, missedShare: share),
                lane: lane,
                at: .seconds(second)
            )
            return roster.record([finding]).events
        }
        #expect(
            events == [
                RosterEvent(.scheduleMissed(share: 0.4), at: .zero), RosterEvent(.scheduleKept, at: .seconds(4)),
            ]
        )
        #expect(roster.schedule.late == 6 && roster.schedule.skipped == 12)
    }

    @Test func `the largest share of a lane counts`() {
        var roster = Roster()
        for (lane, share) in [(0, 0.4), (1, 0.6), (2, 0.5)] {
            let report = ScheduleReport(late: 0, skipped: 0, missedShare: share)
            _ = roster.record([.schedule(report, lane: lane, at: .zero)])
        }
        #expect(roster.schedule.missedShare == 0.6)
        #expect(
            RosterEvent.scheduleMissedSummary(share: 0.6)
                == "cannot keep the schedule: 60% of the probes are late or skipped – longer intervals, or shards"
        )
    }
}

import TestSupport
import Testing

@testable import ReachMonitoring

/// The state of all targets at a moment before the start of the program, from what the history has of it.
@Suite struct StoredMomentTests {
    /// The program started at 10,000 s, and the moment is a hundred seconds before.
    private static let wall = WallTime(start: .seconds(10_000))

    private func roster(_ names: String...) -> Roster {
        var roster = Roster(keepsPast: true)
        _ = roster.apply(Settings(targets: names.map { .make($0) }), at: .zero)
        return roster
    }

    /// The state of the only target after some events, `seconds` before the start each.
    private func state(
        _ events: [HistoryEvent],
        minutes: [StoredMinute] = [],
        paths: [StoredPath] = []
    ) throws -> TargetState {
        let roster = roster("NAS")
        let id = roster.states[0].id
        var moment = StoredMoment(at: .seconds(9_900))
        var target = StoredMoment.TargetMoment()
        (target.events, target.minutes, target.paths) = (events, minutes, paths)
        moment.targets[id] = target
        return try #require(roster.restored(to: moment, wall: Self.wall).rewound(to: .seconds(-100))[id])
    }

    private func event(
        _ kind: HistoryEvent.Kind,
        at second: Int,
        _ from: Health? = nil,
        _ to: Health? = nil,
        reason: String? = nil,
        detail: String? = nil,
        length: Duration? = nil
    ) -> HistoryEvent {
        HistoryEvent(kind, at: .seconds(second), from: from, to: to, reason: reason, detail: detail, length: length)
    }

    @Test func `the health is the newest one, with its beginning and its reason`() throws {
        var down = event(.transition, at: 9_800, .up, .down, reason: "refused", detail: "refused")
        down.since = .seconds(9_795)
        let state = try state([event(.transition, at: 9_000, .unknown, .up), down])
        #expect(state.health == .down && state.since == .seconds(-205))
        #expect(state.failure == Failure(.refused))
    }

    @Test func `later events do not count`() throws {
        let state = try state([
            event(.transition, at: 9_000, .unknown, .up), event(.transition, at: 9_901, .up, .down, reason: "timeout"),
        ])
        #expect(state.health == .up && state.since == .seconds(-1_000))
    }

    @Test func `a warning is that of the verdict`() throws {
        let state = try state([event(.transition, at: 9_000, .up, .degraded, reason: "concern", detail: "expires soon")]
        )
        #expect(state.health == .degraded && state.lastReply?.concern == "expires soon")
    }

    @Test func `pause, block, fault, flapping, acknowledgement and maintenance last until they end`() throws {
        let up = event(.transition, at: 8_000, .unknown, .up)
        #expect(try state([up, event(.paused, at: 9_000)]).pausedSince == .seconds(-1_000))
        #expect(try !state([up, event(.paused, at: 9_000), event(.resumed, at: 9_500)]).isPaused)
        let blocked = try state([up, event(.blocked, at: 9_000, detail: "Router")])
        #expect(blocked.blockedBy == .target("Router") && blocked.since == .seconds(-1_000))
        #expect(try state([up, event(.blocked, at: 9_000, detail: "link")]).blockedBy == .link)
        #expect(
            try state([up, event(.blocked, at: 9_000, detail: "x"), event(.unblocked, at: 9_001)]).blockedBy == nil
        )
        let fault = try state([up, event(.fault, at: 9_000, reason: "permission", detail: "no permission")])
        #expect(fault.fault?.problem == .permission)
        #expect(try state([up, event(.flapping, at: 9_000)]).isFlapping)
        #expect(try !state([up, event(.flapping, at: 9_000), event(.flappingEnded, at: 9_100)]).isFlapping)
        let known = try state([up, event(.acknowledged, at: 9_000, detail: "new disk", length: .seconds(7_200))])
        #expect(known.acknowledgement?.reason == "new disk")
        #expect(try state([up, event(.maintenance, at: 9_000, detail: "Sunday")]).maintenance?.name == "Sunday")
        #expect(try !state([up, event(.maintenance, at: 9_000), event(.maintenanceEnded, at: 9_001)]).isInMaintenance)
    }

    @Test func `a target that was not watched is not in the roster`() {
        let roster = roster("NAS", "Router")
        var moment = StoredMoment(at: .seconds(9_900))
        moment.targets[roster.states[1].id] = .init()
        let past = roster.restored(to: moment, wall: Self.wall).rewound(to: .seconds(-100))
        #expect(past.states.map(\.target.name) == ["Router"])
        #expect(past.position(of: roster.states[1].id) == 0 && past[roster.states[0].id] == nil)
        #expect(past.states.healthCounts.total == 1)
    }

    @Test func `the path is the one of then, with the hops before the outage`() throws {
        let reached = TracedPath(end: .reached(hop: 2, address: "b"), hops: ["a", "b"])
        let cut = TracedPath(end: .silent(hop: 1, address: "a", length: 2), hops: ["a"])
        let paths = [StoredPath(reached, at: .seconds(9_000)), StoredPath(cut, at: .seconds(9_500))]
        let state = try state([event(.transition, at: 9_490, .up, .down, reason: "timeout")], paths: paths)
        #expect(state.outagePath?.hops == ["a"] && state.outagePath?.before == ["a", "b"])
    }

    @Test(arguments: [(60, 0), (60, 1), (60, 30), (60, 60), (6, 1), (1, 0), (1, 1), (7, 3)])
    func `the samples of a minute have its number of probes and losses, and its percentiles`(sent: Int, lost: Int) {
        let trips = ProbeFigures.RoundTrips(
            p50: RoundTripBucket(.milliseconds(10)),
            p95: RoundTripBucket(.milliseconds(40)),
            p99: RoundTripBucket(.milliseconds(80)),
            longest: RoundTripBucket(.milliseconds(80))
        )
        let figures = ProbeFigures(sent: sent, lost: lost, roundTrips: sent == lost ? nil : trips)
        let samples = SampleHistory([StoredMinute(figures, number: 160)], wall: Self.wall)
        #expect(samples.count == sent && samples.count { $0.isLoss } == lost)
        #expect(samples.first.map { $0.time >= .seconds(-400) } ?? true)
        #expect(samples.last.map { $0.time < .seconds(-340) } ?? true)
        let found = ProbeFigures(samples)
        guard sent - lost > 1 else { return }
        #expect(found.roundTrips?.p50 == trips.p50 && found.roundTrips?.longest == trips.longest)
        if sent - lost >= 20 { #expect(found.roundTrips?.p95 == trips.p95) }
        // Neither losses nor slow replies are all at one end.
        if sent == 60, lost == 30 { #expect(samples.prefix(30).count { $0.isLoss } == 15) }
    }

    @Test func `probes are lost when the target was down`() {
        let minute = { (lost: Int) in StoredMinute(ProbeFigures(sent: 60, lost: lost), number: 160) }
        let down = event(.transition, at: 9_620, .up, .down, reason: "timeout")
        let up = event(.transition, at: 9_640, .down, .up)
        let lost = { (count: Int, events: [HistoryEvent]) in
            SampleHistory([minute(count)], DownTimes(events), wall: Self.wall).filter(\.isLoss).map {
                Int(($0.time - Duration.seconds(-400)).components.seconds)
            }
        }
        #expect(lost(20, [down, up]) == Array(20..<40))
        #expect(lost(40, [down]) == Array(20..<60))
        #expect(lost(40, [up]) == Array(0..<40))
        // One more than it was down for, and half of those.
        #expect(lost(21, [down, up]) == Array(20..<40) + [59])
        #expect(lost(10, [down, up]) == Array(stride(from: 21, to: 40, by: 2)))
        #expect(lost(2, []) == [29, 59])
    }

    @Test func `an absurd number of probes makes no more samples than a minute can have`() {
        let samples = SampleHistory(
            [StoredMinute(ProbeFigures(sent: 1 << 32, lost: 1 << 31), number: 160)],
            wall: Self.wall
        )
        #expect(samples.count == 6_000 && samples.count { $0.isLoss } == 3_000)
    }

    @Test func `replies without round trips stay replies`() {
        let samples = SampleHistory([StoredMinute(ProbeFigures(sent: 4, lost: 1), number: 160)], wall: Self.wall)
        #expect(samples.count { $0.isLoss } == 1 && samples.allSatisfy { $0.roundTrip == nil })
    }

    @Test func `samples in memory are preferred to minutes`() {
        var roster = roster("NAS")
        let id = roster.states[0].id
        var history = SampleHistory(capacity: 1_000)
        for second in -600..<0 { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(3))) }
        roster.restore([id: history])
        var moment = StoredMoment(at: .seconds(9_900))
        moment.targets[id] = .init()
        moment.targets[id]?.minutes = [StoredMinute(ProbeFigures(sent: 60, lost: 60), number: 164)]
        let past = roster.restored(to: moment, wall: Self.wall).rewound(to: .seconds(-100))
        #expect(past[id]?.statistics.last == .milliseconds(3))
    }

    @Test func `outages with the same stored cause are one cause`() {
        let roster = roster("A", "B", "C", "D")
        var moment = StoredMoment(at: .seconds(9_900))
        let down = event(.transition, at: 9_000, .up, .down, reason: "timeout")
        let cause = event(.cause, at: 9_001, reason: "named", detail: "10.1.0.1")
        let up = event(.transition, at: 9_500, .down, .up)
        let again = event(.transition, at: 9_600, .up, .down, reason: "timeout")
        for (state, events) in zip(
            roster.states,
            [[down, cause], [down, cause], [down, cause, up], [down, cause, up, again]]
        ) {
            moment.targets[state.id] = .init()
            moment.targets[state.id]?.events = events
        }
        #expect(moment.causes == [StoredCause("10.1.0.1", count: 2, since: .seconds(9_000))])
    }
}

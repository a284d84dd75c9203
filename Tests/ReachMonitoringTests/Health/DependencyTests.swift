import ReachMonitoring
import TestSupport
import Testing

@Suite struct DependencyTests {
    private func target(_ name: String, family: Family = .any, on parents: String...) -> Target {
        var target = Target.make(name)
        target.family = family
        target.probesBothFamilies = family != .any
        target.dependsOn = parents.map { $0 == Dependency.linkName ? .link : .target($0) }
        return target
    }

    /// Records losses or replies of the target with this label.
    private func record(_ letters: String, from label: String, in roster: inout Roster) -> [RosterEvent] {
        guard let id = roster.states.first(where: { $0.target.label == label })?.id else { return [] }
        return Outcome.picture(letters).flatMap { outcome in
            roster.record([.observation(Observation(target: id, sequence: 1, time: .seconds(1), outcome: outcome))])
                .events
        }
    }

    private func blocker(of label: String, in roster: Roster) -> Blocker? {
        roster.states.first { $0.target.label == label }?.blockedBy
    }

    @Test func `a parent with two families is down when both are`() {
        var roster = Roster()
        let settings = Settings(targets: [
            target("Router", family: .v4), target("Router", family: .v6), target("NAS", on: "Router"),
        ])
        _ = roster.apply(settings, at: .zero)
        _ = record("ttt", from: "Router IPv4", in: &roster)
        #expect(blocker(of: "NAS", in: roster) == nil)
        _ = record("ttt", from: "Router IPv6", in: &roster)
        #expect(blocker(of: "NAS", in: roster) == .target("Router IPv4"))
        _ = record("r", from: "Router IPv4", in: &roster)
        #expect(blocker(of: "NAS", in: roster) == nil)
    }

    @Test func `a child with two families depends on the row of its own family`() {
        var roster = Roster()
        let settings = Settings(targets: [
            target("Router", family: .v4), target("Router", family: .v6),
            target("NAS", family: .v4, on: "Router"), target("NAS", family: .v6, on: "Router"),
        ])
        _ = roster.apply(settings, at: .zero)
        _ = record("ttt", from: "Router IPv6", in: &roster)
        #expect(blocker(of: "NAS IPv4", in: roster) == nil)
        #expect(blocker(of: "NAS IPv6", in: roster) == .target("Router IPv6"))
    }

    @Test func `ten thousand children of one switch are blocked in one event`() {
        var roster = Roster()
        let children = (0..<10_000).map { target("\($0)", on: "Switch") }
        _ = roster.apply(Settings(targets: [target("Switch")] + children), at: .zero)
        let events = record("ttt", from: "Switch", in: &roster)
        #expect(events.count == 2)
        guard let event = events.last, case .blocked(by: .target("Switch")) = event.kind else {
            Issue.record("no target is blocked: \(events.count) events")
            return
        }
        #expect(event.targets.count == 10_000)
        #expect(roster.states.count(where: \.isBlocked) == 10_000)
    }

    @Test func `a chain of 20,000 dependencies is followed to its end`() {
        var roster = Roster()
        let chain = (1...20_000).map { target("\($0)", on: "\($0 - 1)") }
        _ = roster.apply(Settings(targets: chain.reversed() + [target("0")]), at: .zero)
        _ = record("ttt", from: "0", in: &roster)
        #expect(roster.states.count { $0.blockedBy == .target("0") } == 20_000)
    }

    @Test func `findings of a blocked target are ignored`() throws {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [target("NAS", on: "link")]), at: .zero)
        let id = try #require(roster.states.first).id
        _ = roster.record([.link(isUp: false, at: .seconds(1))])
        let findings: [Finding] = [
            .observation(Observation(target: id, sequence: 1, time: .seconds(2), outcome: .timeout)),
            .late(id, roundTrip: .seconds(2), sent: .zero), .duplicate(id),
            .addressChanged(id, from: "192.0.2.1", to: "192.0.2.2", at: .seconds(2)),
            .session(id, .ready, at: .seconds(2)), .link(isUp: false, at: .seconds(2)),
        ]
        #expect(roster.record(findings) == Consequences())
        #expect(roster[id]?.totals.sent == 0)
    }

    /// Event loops report independently, so findings may arrive out of order.
    @Test func `earlier findings that arrive after probing resumes are ignored`() throws {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [target("NAS", on: "link")]), at: .zero)
        let id = try #require(roster.states.first).id
        func record(_ outcome: Outcome, at time: Duration) {
            _ = roster.record([.observation(Observation(target: id, sequence: 1, time: time, outcome: outcome))])
        }
        _ = roster.record([.link(isUp: false, at: .seconds(1)), .link(isUp: true, at: .seconds(3))])
        record(.timeout, at: .seconds(2))
        #expect(roster[id]?.totals.sent == 0, "it was blocked then")
        record(.timeout, at: .seconds(4))
        #expect(roster[id]?.totals.sent == 1)
        _ = roster.pause([id], at: .seconds(5))
        _ = roster.resume([id], at: .seconds(7))
        record(.timeout, at: .seconds(6))
        #expect(roster[id]?.totals.sent == 1, "it was paused then")
        record(.timeout, at: .seconds(8))
        #expect(roster[id]?.totals.sent == 2)
    }

    @Test func `a parent's reply to an earlier probe gives no verdict`() throws {
        var roster = Roster()
        var session = Target(name: "DB", question: .session(host: "192.0.2.9", port: 5_432))
        session.dependsOn = [.target("Router")]
        _ = roster.apply(Settings(targets: [target("Router"), session]), at: .zero)
        let ids = roster.states.map(\.id)
        func record(_ position: Int, _ outcome: Outcome, at time: Duration) -> Consequences {
            roster.record([
                .observation(Observation(target: ids[position], sequence: 1, time: time, outcome: outcome))
            ])
        }
        let reply = Outcome.reply(Reply(roundTrip: .milliseconds(1)))
        _ = record(0, reply, at: .seconds(9))
        _ = record(1, reply, at: .seconds(9))
        #expect(record(1, .timeout, at: .seconds(10.1)).requests.contains(.now([ids[0]])))
        // An earlier finding that another event loop reports.
        _ = record(0, reply, at: .seconds(10))
        #expect(roster[ids[1]]?.health == .up)
        _ = record(0, reply, at: .seconds(10.2))
        #expect(roster[ids[1]]?.health == .down)
    }
}

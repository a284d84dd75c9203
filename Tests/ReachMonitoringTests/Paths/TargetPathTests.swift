import Foundation
import TestSupport
import Testing

@testable import ReachMonitoring

/// What the roster does with the path to a target: it orders traces, and says where the path ended.
struct TargetPathTests {
    private static let hops: [String?] = ["10.0.0.1", "10.1.0.1", "192.0.2.7"]
    private static let end = PathEnd.silent(hop: 2, address: "10.1.0.1", length: 3)

    private var roster = Roster()
    private var id = Target.ID(0)
    private var target = Target.make("NAS", url: "tcp://nas.test:445")
    private var sequence = 0

    init() {
        target.path = PathSettings()
        apply()
    }

    private mutating func apply(_ hooks: [HookRule] = []) {
        target.hooks = hooks
        target.mayFlap = false
        _ = roster.apply(Settings(targets: [target]), at: .zero)
        id = roster.states[0].id
    }

    /// Records a reply or a timeout of a probe that was sent a moment before.
    private mutating func probe(_ isAnswered: Bool, at time: Double, from address: String? = "192.0.2.7")
        -> Consequences
    {
        sequence += 1
        let outcome = isAnswered ? Outcome.reply(Reply(roundTrip: .milliseconds(1))) : .timeout
        let observation = Observation(
            target: id,
            sequence: sequence,
            sent: .seconds(time - 0.5),
            time: .seconds(time),
            outcome: outcome,
            address: address
        )
        return roster.record([.observation(observation)])
    }

    private mutating func trace(
        _ end: PathEnd,
        _ hops: [String?],
        because cause: PathCause,
        started: Double,
        at time: Double
    ) -> Consequences {
        let completion = PathCompletion(cause: cause, end: end, started: .seconds(started), probes: 3, hops: hops)
        return roster.record([.path(id, .traced(completion), at: .seconds(time))])
    }

    /// The target is up, and its path known.
    private mutating func becomeUp() {
        _ = probe(true, at: 1)
        _ = trace(.reached(hop: 3, address: "192.0.2.7"), Self.hops, because: .first, started: 1, at: 1.1)
    }

    @Test mutating func `the path is traced from the first answer on, to the address that answers`() {
        let destination = PathDestination(address: "192.0.2.7", method: .tcp, port: 445)
        #expect(probe(true, at: 1, from: nil).paths.isEmpty)
        #expect(probe(true, at: 2).paths == [.trace(id, destination, PathSettings())])
        #expect(probe(true, at: 3).paths.isEmpty)
        let other = PathDestination(address: "192.0.2.8", method: .tcp, port: 445)
        #expect(probe(true, at: 4, from: "192.0.2.8").paths == [.trace(id, other, PathSettings())])
    }

    @Test(arguments: ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
    mutating func `this machine has no path`(address: String) {
        #expect(probe(true, at: 1, from: address).paths.isEmpty)
        #expect(probe(false, at: 2, from: address).paths == [.now(id)] || probe(false, at: 3).paths.isEmpty)
    }

    @Test mutating func `the settings choose method, interval and hops`() {
        target.path?.method = .udp
        target.path?.interval = .seconds(60)
        apply()
        _ = probe(true, at: 1)
        target.path?.method = .icmp
        let change = roster.apply(Settings(targets: [target]), at: .seconds(2))
        #expect(change.paths == [.trace(id, PathDestination(address: "192.0.2.7", method: .icmp), target.path!)])
        target.path = nil
        #expect(roster.apply(Settings(targets: [target]), at: .seconds(3)).paths == [.end([id])])
        #expect(probe(false, at: 4).paths.isEmpty)
    }

    @Test mutating func `a removed or paused target has no path`() {
        _ = probe(true, at: 1)
        #expect(roster.pause([id], at: .seconds(2)).paths == [.end([id])])
        _ = roster.resume([id], at: .seconds(3))
        #expect(probe(true, at: 4).paths.count == 1)
        #expect(roster.apply(Settings(targets: []), at: .seconds(5)).paths == [.end([id])])
    }

    @Test mutating func `the first loss asks for a trace, at most once a minute`() {
        becomeUp()
        #expect(probe(false, at: 2).paths == [.now(id)])
        #expect(probe(false, at: 3).paths.isEmpty)
        _ = probe(true, at: 4)
        #expect(probe(false, at: 5).paths.isEmpty)
        _ = probe(true, at: 61)
        #expect(probe(false, at: 62).paths == [.now(id)])
    }

    @Test mutating func `a verdict without a trace of its outage asks for one`() {
        becomeUp()
        _ = probe(false, at: 2)
        _ = probe(true, at: 3)
        #expect(probe(false, at: 10).paths.isEmpty)
        _ = probe(false, at: 11)
        let verdict = probe(false, at: 12)
        #expect(verdict.paths == [.now(id)])
        #expect(verdict.events.map(\.summary) == ["down after 3 losses: timeout"])
    }

    @Test mutating func `the outage says where its path ended`() throws {
        apply([.make(on: [.down, .up, .path])])
        becomeUp()
        _ = probe(false, at: 2)
        _ = probe(false, at: 3)
        #expect(trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .down, started: 2, at: 3.5).events.isEmpty)
        let verdict = probe(false, at: 4)
        #expect(verdict.events.map(\.summary) == ["down after 3 losses: timeout, ends after 10.1.0.1, hop 2 of 3"])
        let context = try #require(verdict.runs.first?.context)
        #expect(context.path == TracedPath(end: Self.end, hops: ["10.0.0.1", "10.1.0.1"], before: Self.hops))
        #expect(verdict.runs.count == 1)
        // The same end is no news, another one is.
        #expect(trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .refresh, started: 5, at: 6).events.isEmpty)
        let nothing = trace(.nothing, [], because: .refresh, started: 605, at: 607)
        #expect(nothing.events.map(\.summary) == ["nothing answers, not even the first hop"])
        #expect(nothing.runs.map(\.context.event) == [.path])
        let up = probe(true, at: 700)
        let variables = up.runs.first?.context.environment(wall: WallTime(start: .zero)) ?? []
        #expect(variables.first { $0.name == "REACH_PATH_BEFORE" }?.value == "10.0.0.1 10.1.0.1 192.0.2.7")
    }

    @Test func `a target that was down before a router is traced again with those that go down behind it`() {
        var roster = Roster()
        let targets = ["Old", "New", "Elsewhere", "Up"].map { name in
            var target = Target.make(name, url: "tcp://\(name).test:445")
            target.path = PathSettings()
            return target
        }
        _ = roster.apply(Settings(targets: targets), at: .zero)
        let ids = roster.states.map(\.id)
        var sequence = 0
        func probe(_ index: Int, _ isAnswered: Bool, at time: Int) -> Consequences {
            sequence += 1
            return roster.record([
                .observation(
                    Observation(
                        target: ids[index],
                        sequence: sequence,
                        time: .seconds(time),
                        outcome: isAnswered ? .reply(Reply(roundTrip: .milliseconds(1))) : .timeout,
                        address: "192.0.2.\(index)"
                    )
                )
            ])
        }
        func trace(_ index: Int, _ end: PathEnd, _ hops: [String?], _ cause: PathCause, at time: Int) -> [PathOrder] {
            let completion = PathCompletion(cause: cause, end: end, started: .seconds(time), probes: 3, hops: hops)
            return roster.record([.path(ids[index], .traced(completion), at: .seconds(time + 1))]).paths
        }
        for index in 0..<4 {
            _ = probe(index, true, at: 1)
            let address = "192.0.2.\(index)"
            let hops = [index == 2 ? "10.0.0.2" : "10.0.0.1", "10.1.0.1", address]
            #expect(trace(index, .reached(hop: 3, address: address), hops, .first, at: 2).isEmpty)
        }
        // The services of two targets are off, and their paths reach them.
        for index in [0, 2] {
            for time in 10...12 { _ = probe(index, false, at: time) }
            let hops = roster.states[index].tracedPath?.hops ?? []
            #expect(trace(index, .reached(hop: 3, address: "192.0.2.\(index)"), hops, .down, at: 12).isEmpty)
        }
        // Before the verdict.
        _ = probe(1, false, at: 100)
        let cut = PathEnd.silent(hop: 1, address: "10.0.0.1", length: 3)
        #expect(trace(1, cut, ["10.0.0.1"], .down, at: 101) == [.now(ids[0])])
        // The same end of the other one asks for nothing.
        #expect(trace(0, cut, ["10.0.0.1"], .down, at: 104).isEmpty)
        #expect(roster.states[0].outagePath?.end == cut)
    }

    @Test mutating func `a trace that is done after the verdict is an event of its own`() {
        apply([.make(on: [.path])])
        becomeUp()
        for time in [2.0, 3, 4] { _ = probe(false, at: time) }
        let traced = trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .down, started: 2, at: 5)
        #expect(traced.events.map(\.summary) == ["path ends after 10.1.0.1, hop 2 of 3"])
        #expect(traced.events.map(\.note) == ["before: 10.0.0.1 10.1.0.1 192.0.2.7"])
        #expect(traced.runs.map(\.context.event) == [.path])
        #expect(roster.states[0].outagePath?.end == Self.end)
    }

    @Test mutating func `a service that is down at the end of its path says so`() {
        becomeUp()
        _ = probe(false, at: 2)
        _ = trace(.reached(hop: 3, address: "192.0.2.7"), Self.hops, because: .down, started: 2, at: 2.2)
        _ = probe(false, at: 3)
        #expect(
            probe(false, at: 4).events.map(\.summary) == ["down after 3 losses: timeout, the path reaches the target"]
        )
    }

    @Test mutating func `a trace from before the outage says nothing about it`() {
        becomeUp()
        _ = probe(false, at: 2)
        _ = trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .down, started: 2, at: 3)
        _ = probe(true, at: 4)
        for time in [30.0, 31] { _ = probe(false, at: time) }
        #expect(probe(false, at: 32).events.map(\.summary) == ["down after 3 losses: timeout"])
    }

    @Test mutating func `a trace that a router's report refutes is no news`() {
        becomeUp()
        func lose(at time: Double) -> Consequences {
            sequence += 1
            let failure = Failure(.networkUnreachable, reporter: "10.3.0.1")
            let observation = Observation(
                target: id,
                sequence: sequence,
                sent: .seconds(time - 0.5),
                time: .seconds(time),
                outcome: .failure(failure),
                address: "192.0.2.7"
            )
            return roster.record([.observation(observation)])
        }
        _ = lose(at: 2)
        _ = trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .down, started: 2, at: 2.5)
        _ = lose(at: 3)
        let down = "down after 3 losses: network unreachable (reported by 10.3.0.1)"
        #expect(lose(at: 4).events.map(\.summary) == [down])
        #expect(trace(.nothing, [], because: .down, started: 4, at: 6).events.isEmpty)
        let own = PathEnd.unreachable(.networkUnreachable, hop: 3, address: "10.3.0.1")
        #expect(trace(own, ["10.0.0.1", nil, "10.3.0.1"], because: .refresh, started: 8, at: 9).events.count == 1)
    }

    @Test mutating func `the report of a router is said once`() {
        let path = TracedPath(end: .unreachable(.hostUnreachable, hop: 3, address: "10.3.0.1"), hops: [])
        let cause = Cause.losses(3, Failure(.hostUnreachable, reporter: "10.3.0.1"))
        let down = Transition(from: .up, to: .down, time: .seconds(4), lasted: .seconds(1), cause: cause)
        #expect(down.with(path).detail == "host unreachable (reported by 10.3.0.1), hop 3")
    }

    @Test mutating func `a changed path has the hops before the change`() {
        becomeUp()
        let end = PathEnd.reached(hop: 3, address: "192.0.2.7")
        let after: [String?] = ["10.0.0.1", "10.9.0.1", "192.0.2.7"]
        for time in [600.0, 660, 1_200] {
            _ = trace(end, after, because: .refresh, started: time, at: time + 1)
            #expect(roster.states[0].tracedPath == TracedPath(end: end, hops: after, before: Self.hops))
        }
        // A hop that is silent for once is no other path.
        _ = trace(end, ["10.0.0.1", nil, "192.0.2.7"], because: .refresh, started: 1_800, at: 1_801)
        #expect(roster.states[0].tracedPath?.before == Self.hops)
    }

    @Test mutating func `the ends of a target that changes too often are no news`() {
        target.mayFlap = true
        _ = roster.apply(Settings(targets: [target]), at: .zero)
        id = roster.states[0].id
        becomeUp()
        var time = 2.0
        var news: [Bool: Int] = [:]
        for _ in 0..<12 {
            while roster.states[0].health != .down {
                _ = probe(false, at: time)
                time += 1
            }
            let isFlapping = roster.states[0].isFlapping
            let events = trace(Self.end, ["10.0.0.1", "10.1.0.1", nil], because: .down, started: time - 3, at: time)
                .events
            news[isFlapping, default: 0] += events.count { $0.summary.hasPrefix("path ends") }
            while roster.states[0].health != .up {
                time += 1
                _ = probe(true, at: time)
            }
        }
        #expect(news[false, default: 0] > 0)
        #expect(news[true] == 0)
    }

    @Test mutating func `the end of an outage asks for a trace: at once if its path did not reach the target`() {
        becomeUp()
        for time in [2.0, 3, 4] { _ = probe(false, at: time) }
        _ = trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .down, started: 2, at: 5)
        #expect(probe(true, at: 6).paths == [.now(id)])
        _ = trace(.reached(hop: 3, address: "192.0.2.7"), Self.hops, because: .down, started: 6, at: 7)
        for time in [80.0, 81, 82] { _ = probe(false, at: time) }
        #expect(probe(true, at: 83).paths == [.soon(id)])
    }

    @Test mutating func `changes of several hops within a minute are one`() {
        becomeUp()
        func change(_ hop: Int, at time: Double) -> Finding {
            .path(
                id,
                .changed(PathChange(hop: hop, flow: 0, before: "10.0.0.\(hop)", after: "10.9.0.\(hop)")),
                at: .seconds(time)
            )
        }
        let first = roster.record([change(2, at: 100), change(3, at: 101)])
        #expect(first.events.map(\.summary) == ["path changed: 10.9.0.2 is hop 2"])
        #expect(first.events.map(\.note) == ["was 10.0.0.2"])
        #expect(roster.record([change(2, at: 170)]).events.count == 1)
        #expect(roster.states[0].pathChanges == 2)
    }

    @Test mutating func `news in a cooldown follow, unless the outage has ended`() {
        var rule = HookRule.make(on: [.path])
        rule.cooldown = .seconds(60)
        apply([rule])
        becomeUp()
        for time in [2.0, 3, 4] { _ = probe(false, at: time) }
        #expect(trace(Self.end, ["10.0.0.1", "10.1.0.1"], because: .down, started: 2, at: 5).runs.count == 1)
        #expect(trace(.nothing, [], because: .refresh, started: 8, at: 10).runs.isEmpty)
        #expect(roster.expire(at: .seconds(65)).runs.map(\.context.path?.end) == [.nothing])
        #expect(trace(Self.end, [], because: .refresh, started: 70, at: 71).runs.isEmpty)
        _ = probe(true, at: 80)
        #expect(roster.expire(at: .seconds(130)).runs.isEmpty)
    }

    @Test func `ends survive their coding`() throws {
        let ends: [PathEnd] = [
            .notSent, .reached(hop: 3, address: "a"), .reachedElsewhere(hop: 3, address: "a"),
            .refused(hop: 2, address: "a"), .unreachable(.prohibited, hop: 2, address: "a"),
            .loop(hop: 2, addresses: ["a", "b"]), Self.end, .nothing,
        ]
        for end in ends {
            let path = TracedPath(end: end, hops: ["a", nil], before: [])
            let data = try JSONEncoder().encode(path)
            #expect(try JSONDecoder().decode(TracedPath.self, from: data) == path)
            #expect(!String(decoding: data, as: UTF8.self).contains("_0"))
        }
    }
}

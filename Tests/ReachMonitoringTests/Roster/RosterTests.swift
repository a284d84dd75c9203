import ReachMonitoring
import TestSupport
import Testing

@Suite struct RosterTests {
    @Test func `new targets are probed, and removed ones are not`() throws {
        var story = Story(.make("A"), .make("B"))
        let a = try #require(story["A"]).id
        let consequences = story.roster.apply(Settings(targets: [.make("B"), .make("C")]), at: .seconds(5))
        let c = try #require(story["C"]).id
        #expect(
            consequences.requests == [.forget([a]), .watch([ProbeRequest.Assignment(id: c, target: .make("C"))])]
        )
    }

    @Test func `an unchanged target keeps its history and health over a reload`() throws {
        var story = Story(.make("A"), .make("B"))
        story.hear("rrr ttt", from: "A")
        let before = try #require(story["A"])
        let consequences = story.roster.apply(Settings(targets: [.make("B"), .make("A")]), at: story.now)
        let after = try #require(story["A"])
        #expect(consequences.requests.isEmpty)
        #expect(after.id == before.id)
        #expect(after.health == .down)
        #expect(after.history.count == 6)
        #expect(story.roster.states.map(\.target.name) == ["B", "A"])
    }

    @Test func `a renamed target keeps its identity, its outage and its armed hooks`() throws {
        let rule = HookRule.make(on: [.up])
        var story = Story(.make("A", hooks: [rule]), .make("B", url: "tcp://nas.local:22"))
        story.hear("rrr ttt", from: "A")
        let (a, b) = (try #require(story["A"]).id, try #require(story["B"]).id)
        _ = story.roster.arm([a], action: .shell("mount"), at: story.now)
        // A is called B, and B is called A: each continues its own state.
        var (first, second) = (Target.make("B", hooks: [rule]), Target.make("A", url: "tcp://nas.local:22"))
        (first.formerly, second.formerly) = ("A", "B")
        let consequences = story.roster.apply(Settings(targets: [first, second]), at: story.now)
        #expect(consequences.removed.isEmpty && consequences.events.isEmpty)
        #expect(story["B"]?.id == a && story["A"]?.id == b)
        #expect(story["B"]?.health == .down && story["B"]?.armed.count == 1)
        story.hear("r", from: "B")
        #expect(story.runs.map(\.context.name) == ["B", "B"] && story.runs.first?.context.transition?.outage != nil)
    }

    @Test func `a changed interval is applied and the history is kept`() throws {
        var story = Story(.make("A"))
        story.hear("rrr", from: "A")
        let slower = Target.make("A", interval: .seconds(9))
        let consequences = story.roster.apply(Settings(targets: [slower]), at: story.now)
        let after = try #require(story["A"])
        #expect(consequences.requests == [.watch([ProbeRequest.Assignment(id: after.id, target: slower)])])
        #expect(after.history.count == 3)
    }

    @Test func `a changed question is a new target`() throws {
        var story = Story(.make("A"))
        story.hear("rrr", from: "A")
        let old = try #require(story["A"]).id
        _ = story.roster.apply(Settings(targets: [.make("A", url: "tcp://nas.local:22")]), at: story.now)
        let new = try #require(story["A"])
        #expect(new.id != old)
        #expect(new.health == .unknown)
        #expect(new.history.isEmpty)
    }

    @Test func `a changed family or source is a new target`() throws {
        for change: (inout Target) -> Void in [{ $0.family = .v6 }, { $0.source = "192.0.2.7" }] {
            var story = Story(.make("A"))
            story.hear("rrr", from: "A")
            let old = try #require(story["A"]).id
            var changed = Target.make("A")
            change(&changed)
            _ = story.roster.apply(Settings(targets: [changed]), at: story.now)
            #expect(story["A"]?.id != old)
        }
    }

    @Test func `findings of a removed target are ignored`() throws {
        var story = Story(.make("A"))
        let old = try #require(story["A"]).id
        _ = story.roster.apply(Settings(targets: [.make("A", url: "tcp://nas.local:22")]), at: .zero)
        let observation = Observation(target: old, sequence: 1, time: .seconds(1), outcome: .timeout)
        #expect(story.roster.record([.observation(observation)]) == Consequences())
        #expect(story["A"]?.totals.sent == 0)
    }

    @Test func `a paused target is not probed, not judged and fires no hooks`() throws {
        var story = Story(.make(hooks: [.make(on: [.change])]))
        story.hear("r")
        let id = try #require(story["NAS"]).id
        let consequences = story.roster.pause([id], at: story.now)
        #expect(consequences.requests == [.forget([id])])
        story.hear("tttttt")
        #expect(story.transitions == ["NAS: unknown→up"])
        #expect(story.runs.isEmpty)
        #expect(story["NAS"]?.totals.sent == 1)
        #expect(story["NAS"]?.isPaused == true)
    }

    @Test func `a resumed target is probed at once, and keeps its health and history`() throws {
        var story = Story(.make(hooks: [.make(on: [.up])]))
        story.hear("rr ttt")
        let id = try #require(story["NAS"]).id
        story.take(story.roster.pause([id], at: story.now))
        let consequences = story.roster.resume([id], at: story.now)
        let target = try #require(story["NAS"]).target
        #expect(
            consequences.requests == [.watch([ProbeRequest.Assignment(id: id, target: target)]), .now([id])]
        )
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.history.count == 5)
        story.hear("r")
        #expect(story.transitions.last == "NAS: down→up")
        #expect(story.runs.map(\.context.event) == [.up])
    }

    @Test func `pausing twice or resuming an active target has no effect`() throws {
        var story = Story(.make())
        let id = try #require(story["NAS"]).id
        #expect(story.roster.resume([id], at: .zero) == Consequences())
        _ = story.roster.pause([id], at: .zero)
        #expect(story.roster.pause([id], at: .zero) == Consequences())
    }

    @Test func `a fault is reported once, is not a loss, and its end is reported`() throws {
        var story = Story(.make())
        story.hear("r ff")
        #expect(story["NAS"]?.health == .up)
        story.hear("f")
        #expect(story["NAS"]?.fault?.problem == .permission)
        #expect(story["NAS"]?.totals.sent == 1)
        #expect(story["NAS"]?.totals.faults == 3)
        #expect(story["NAS"]?.health == .unknown)
        story.hear("r")
        let id = try #require(story["NAS"]).id
        #expect(story["NAS"]?.fault == nil)
        #expect(story.others.map(\.kind) == [.fault(Fault(.permission, detail: "no permission")), .faultCleared])
        #expect(story.others.map(\.targets) == [[id], [id]])
    }

    @Test func `a target with a pending verdict is probed more often`() throws {
        var story = Story(.make(interval: .seconds(10)))
        let id = try #require(story["NAS"]).id
        story.hear("r t")
        #expect(story.requests.last == .pace(id, interval: .seconds(1)))
        story.hear("r")
        #expect(story.requests.last == .pace(id, interval: .seconds(10)))
    }

    @Test func `late and duplicate replies are counted and change nothing else`() throws {
        var story = Story(.make())
        let id = try #require(story["NAS"]).id
        story.hear("rt")
        story.take(
            story.roster.record([.late(id, roundTrip: .seconds(2), sent: .zero), .duplicate(id), .duplicate(id)])
        )
        #expect(story["NAS"]?.totals.late == 1)
        #expect(story["NAS"]?.totals.duplicate == 2)
        #expect(story["NAS"]?.totals.sent == 2)
        #expect(story["NAS"]?.totals.received == 1)
    }

    @Test func `outages and availability count judged time only`() throws {
        var story = Story(.make())
        story.wait(.seconds(10))
        story.hear("r")  // up at 11
        story.wait(.seconds(5))
        story.hear("ttt")  // the first at 17, down at 19
        story.wait(.seconds(1))
        story.hear("r")  // up at 21
        let state = try #require(story["NAS"])
        #expect(state.totals.outages == 1)
        #expect(state.totals.longestOutage == .seconds(4))
        #expect(state.totals.meanTimeToRecover == .seconds(4))
        #expect(state.availability(at: .seconds(31)) == 0.8)
    }

    @Test func `a reset clears the statistics and keeps the health`() throws {
        var story = Story(.make())
        story.hear("rr ttt")
        story.roster.reset([try #require(story["NAS"]).id], at: story.now)
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.totals == Totals())
        #expect(story["NAS"]?.statistics.loss == nil)
    }
}

@Suite struct SharingTests {
    @Test func `types that exist for each target are small`() {
        #expect(MemoryLayout<ProbeRequest.Assignment>.size == 16)
        #expect(MemoryLayout<TargetState>.size <= 408)
        #expect(MemoryLayout<Reply>.size == 16)
        #expect(MemoryLayout<Finding>.stride <= 80)
    }

    @Test func `the roster and the prober share one box for each target`() {
        var roster = Roster()
        let target = Target(name: "NAS", question: .icmp(host: "192.0.2.1"))
        let consequences = roster.apply(Settings(targets: [target]), at: .zero)
        guard case .watch(let assignments)? = consequences.requests.first else {
            Issue.record("nothing is probed")
            return
        }
        #expect(assignments.first?.sharedTarget === roster.states.first?.sharedTarget)
        #expect(roster.targets == [target])
    }

    @Test func `a reply whose details were removed equals one without`() {
        var reply = Reply(roundTrip: .milliseconds(3), detail: "61 days")
        let copy = reply
        #expect(reply != Reply(roundTrip: .milliseconds(3)))
        reply.detail = nil
        #expect(reply == Reply(roundTrip: .milliseconds(3)))
        #expect(copy.detail == "61 days")
        reply.roundTrip = nil
        #expect(reply == Reply(roundTrip: nil))
    }

    @Test func `a failure keeps the HTTP status`() {
        #expect(Failure(.httpStatus, httpStatus: 503).httpStatus == 503)
        #expect(Failure(.refused).httpStatus == nil)
    }
}

@Suite struct TargetStatesTests {
    @Test func `counts and summaries always equal those of the states`() {
        var random = SplitMix(seed: 11)
        var roster = Roster()
        let targets = (0..<24).map { number in
            Target.make(
                "T\(number)",
                dependsOn: number % 6 == 5 ? [.target("T\(number - 1)")] : [],
                slow: .milliseconds(5)
            )
        }
        _ = roster.apply(Settings(targets: targets), at: .zero)
        for second in 1...2_000 {
            let now = Duration.seconds(second)
            let id = roster.states[Int(random.next() % UInt64(roster.states.count))].id
            switch random.next() % 20 {
            case 0: _ = roster.pause([id], at: now)
            case 1: _ = roster.resume([id], at: now)
            case 2: roster.reset([id], at: now)
            case 3: _ = roster.record([.stalled(gap: .seconds(1), at: now)])
            case 4:
                let subset = targets.filter { $0.name == "T0" || second % 3 == 0 || random.next() % 8 != 0 }
                _ = roster.apply(Settings(targets: subset), at: now)
            default:
                let outcomes: [Outcome] = [
                    .timeout, .timeout, .failure(Failure(.refused)), .reply(roundTrip: .milliseconds(1)),
                    .reply(roundTrip: .milliseconds(9)), .fault(Fault(.permission, detail: "not allowed")),
                ]
                let outcome = outcomes[Int(random.next() % 6)]
                for _ in 0..<3 {
                    let observation = Observation(target: id, sequence: second, time: now, outcome: outcome)
                    _ = roster.record([.observation(observation)])
                }
            }
            #expect(roster.states.targetSummaries == roster.states.map(\.targetSummary))
            #expect(
                roster.states.healthCounts
                    == roster.states.map(\.targetSummary).reduce(into: HealthCounts()) { $0.add($1) }
            )
        }
        let counts = roster.states.healthCounts
        #expect(counts.total > 12 && counts.down > 0 && counts.paused > 0)
    }

    @Test func `each target is counted once, by its displayed health`() {
        var roster = Roster()
        let targets = [
            Target.make("Switch"), .make("Child", dependsOn: [.target("Switch")]), .make("Off"), .make("New"),
        ]
        _ = roster.apply(Settings(targets: targets), at: .zero)
        _ = roster.pause([roster.states[2].id], at: .zero)
        for sequence in 1...3 {
            let time = Duration.seconds(sequence)
            let lost = Observation(target: roster.states[0].id, sequence: sequence, time: time, outcome: .timeout)
            _ = roster.record([.observation(lost)])
        }
        let counts = roster.states.healthCounts
        #expect(counts.total == 4)
        #expect([counts.down, counts.blocked, counts.paused, counts.unknown] == [1, 1, 1, 1])
        #expect(counts.reachable == 0)
    }

    @Test func `a flapping target is counted by its health and as flapping, until it is paused`() {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("Radio", fall: 1), .make("NAS")]), at: .zero)
        let id = roster.states[0].id
        for second in 1...12 {
            let outcome: Outcome = second.isMultiple(of: 2) ? .timeout : .reply(roundTrip: .milliseconds(1))
            let time = Duration.seconds(second)
            _ = roster.record([.observation(Observation(target: id, sequence: second, time: time, outcome: outcome))])
        }
        #expect(roster.states.healthCounts.flapping == 1)
        #expect(roster.states.healthCounts.down == 1)
        #expect(roster.states.targetSummaries.map(\.isFlapping) == [true, false])
        _ = roster.pause([id], at: .seconds(20))
        #expect(roster.states.healthCounts.flapping == 0)
    }

    @Test func `a round trip alone does not count as a change`() {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("A")]), at: .zero)
        let id = roster.states[0].id
        let answer = { (milliseconds: Int) in
            Finding.observation(
                Observation(
                    target: id,
                    sequence: 1,
                    time: .seconds(1),
                    outcome: .reply(roundTrip: .milliseconds(milliseconds))
                )
            )
        }
        _ = roster.record([answer(1)])
        let before = roster.states.changes
        _ = roster.record([answer(2)])
        #expect(roster.states.changes == before)
        #expect(roster.states.targetSummaries[0].roundTrip == .milliseconds(2))
        _ = roster.pause([id], at: .seconds(2))
        #expect(roster.states.changes == before + 1)
    }
}

import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

/// The lines of `watch --json` beside those of ``ReportingTests``, and their schema.
@Suite struct RecordTests {
    private let wall = WallTime(start: .seconds(1_795_183_339) + .milliseconds(114))
    private let story = Story(.make("NAS", group: "Home", tags: ["db", "prod"]))

    private var id: Target.ID { story.roster.states[0].id }

    private func line(_ outcome: Outcome, address: String? = "192.0.2.5") -> String {
        let observation = Observation(
            target: id,
            sequence: 812,
            time: .seconds(2),
            outcome: outcome,
            address: address
        )
        return ObservationRecord(observation, of: "NAS", wall: wall).json
    }

    /// A line for each outcome, with and without what may be absent.
    private var observations: [String] {
        let phases = [Reply.PhaseTime(.resolve, .microseconds(100)), Reply.PhaseTime(.connect, .microseconds(700))]
        return [
            line(.reply(Reply(roundTrip: .microseconds(812), phases: phases, detail: "A 192.0.2.1"))),
            line(.reply(Reply(roundTrip: nil)), address: nil), line(.timeout),
            line(.failure(Failure(.httpStatus, detail: "HTTP 503", httpStatus: 503))),
            line(.fault(Fault(.permission, detail: "no permission"))),
        ]
    }

    private func event(_ kind: RosterEvent.Kind, at second: Int64) -> RosterEvent {
        RosterEvent(kind, of: [id], at: .seconds(second))
    }

    private func lines(of event: RosterEvent) -> [String] {
        EventRecord.records(of: event, in: story.roster, wall: wall).map(\.json)
    }

    private static let path = TracedPath(
        end: .silent(hop: 2, address: "10.1.0.1", length: 3),
        hops: [nil, "10.1.0.1"],
        before: ["10.0.0.1", "10.1.0.1", "192.0.2.5"]
    )

    /// A line for each event that has one, with and without what may be absent.
    private var events: [String] {
        let causes: [Cause] = [.losses(3, Failure(.refused)), .losses(3, nil), .replies(1)]
        let transitions = causes.map { cause in
            Transition(from: .up, to: .down, time: .seconds(2), lasted: .seconds(60), cause: cause)
        }
        let states: [SessionState] = [
            .ready, .waiting(Failure(.noRoute)), .failed(.timeout), .failed(.failure(Failure(.reset))),
            .failed(.fault(Fault(.noMemory, detail: "no buffers"))),
        ]
        let others: [RosterEvent] = [
            event(.fault(Fault(.permission, detail: "no", cures: ["sudo a", "sudo b"])), at: 9),
            event(.fault(Fault(.tooManyFiles, detail: "no")), at: 9), event(.faultCleared, at: 9),
            event(.addressChanged(from: "192.0.2.5", to: "192.0.2.6"), at: 9), event(.blocked(by: .link), at: 2),
            event(.path(.changed(PathChange(hop: 2, flow: 0, before: "10.1.0.1", after: "10.1.0.2"))), at: 9),
            event(.shift(.level(.sample)), at: 9), event(.shift(.level(.sampleReturn)), at: 9),
            event(.shift(.loss(.sample)), at: 9),
            event(.shift(.common(CommonShift(.sample, isRise: true, isReturn: false))), at: 9),
            event(.path(.ended(Self.path)), at: 9), event(.cause(.named(.sample)), at: 9), event(.unblocked, at: 3),
            event(.flapping(true, share: 0.42), at: 4),
            RosterEvent(.stalled(.seconds(61)), at: .seconds(65)),
            event(.maintenance(name: "Backups", until: .seconds(90)), at: 5), event(.maintenanceEnded, at: 90),
            RosterEvent(.scheduleMissed(share: 0.6), at: .seconds(6)), RosterEvent(.scheduleKept, at: .seconds(7)),
        ]
        let events =
            (transitions + [transitions[1].with(Self.path)]).map { event(.transition($0), at: 2) }
            + states.map { event(.session($0), at: 3) }
        return (events + others).flatMap(lines)
    }

    private func run(_ action: HookAction) -> HookRun {
        let target = story.roster.states[0].target
        let context = HookContext(
            event: .up,
            trigger: .user,
            at: .seconds(2),
            name: target.name,
            question: target.question,
            health: .up,
            since: .zero
        )
        return HookRun(id: 1, target: id, rule: HookRule(on: [.up], run: action), context: context)
    }

    private static let statuses: [HookResult.Status] = [
        .exited(0), .exited(3), .signalled(9), .timedOut, .cancelled, .notStarted("no such file"),
        .answered(status: 200),
        .unanswered(Failure(.refused)),
    ]

    private static let drops: [HookDrop] = [
        .coolingDown(left: .seconds(2)), .expired(within: .seconds(2)),
        .tooShort(outage: .seconds(1), minDown: .seconds(2)), .cellular, .acknowledged, .obsolete, .alreadyQueued,
        .quitting,
        .alreadySucceeded, .disarmed, .targetGone,
    ]

    /// A line for each end of a hook, with and without what may be absent.
    private var hooks: [String] {
        let target = story.roster.states[0].target
        let run = run(.shell("mount /mnt/nas"))
        let request = self.run(.request(Webhook(url: "https://example.net/hook?token=secret")))
        let results = Self.statuses.map { status in
            HookReport.finished(
                status == .answered(status: 200) ? request : run,
                HookResult(status: status, duration: .milliseconds(1_200), output: "mind\u{1B}[2J\n", droppedBytes: 7)
            )
        }
        let silent = HookReport.finished(run, HookResult(status: .exited(0), duration: .milliseconds(3)))
        let reports = results + [silent, .retrying(run, after: .seconds(2))] + Self.drops.map { .dropped(run, $0) }
        return reports.compactMap { HookRecord($0, of: target, at: .seconds(9), wall: wall)?.json }
            + HookRecord.records(ofSkip: event(.hookSkipped(run.rule, .cellular), at: 9), in: story.roster, wall: wall)
            .map(\.json)
    }

    @Test func `each outcome of a probe is one object`() {
        #expect(
            observations == [
                #"{"address":"192.0.2.5","detail":"A 192.0.2.1","outcome":"reply","#
                    + #""phases":{"connect":0.0007,"resolve":0.0001},"round_trip_seconds":0.000812,"sequence":812,"#
                    + #""target":"NAS","time":"2026-11-20T14:02:21.114Z","type":"observation"}"#,
                #"{"outcome":"reply","sequence":812,"target":"NAS","time":"2026-11-20T14:02:21.114Z","#
                    + #""type":"observation"}"#,
                #"{"address":"192.0.2.5","outcome":"timeout","sequence":812,"target":"NAS","#
                    + #""time":"2026-11-20T14:02:21.114Z","type":"observation"}"#,
                #"{"address":"192.0.2.5","detail":"HTTP 503","outcome":"failure","reason":"http_status","#
                    + #""sequence":812,"target":"NAS","time":"2026-11-20T14:02:21.114Z","type":"observation"}"#,
                #"{"address":"192.0.2.5","detail":"no permission","outcome":"fault","problem":"permission","#
                    + #""sequence":812,"target":"NAS","time":"2026-11-20T14:02:21.114Z","type":"observation"}"#,
            ]
        )
    }

    @Test func `a fault has its fixes, and a failed session its cause`() {
        #expect(events.contains { $0.contains(#""cures":["sudo a","sudo b"],"detail":"no""#) })
        #expect(events.contains { $0.contains(#""reason":"reset","session":"failed""#) })
        #expect(
            events.contains {
                $0.contains(
                    #"{"address":"192.0.2.6","group":"Home","previous_address":"192.0.2.5","tags":["db","prod"],"target":"NAS""#
                )
            }
        )
    }

    @Test func `a missed schedule has its share`() {
        let lines = events.filter { $0.contains(#""type":"schedule""#) }
        #expect(
            lines == [
                #"{"kept":false,"missed_share":0.6,"time":"2026-11-20T14:02:25.114Z","type":"schedule"}"#,
                #"{"kept":true,"time":"2026-11-20T14:02:26.114Z","type":"schedule"}"#,
            ]
        )
    }

    @Test func `a hook record has its result and its output`() throws {
        let lines = hooks
        #expect(
            lines[1]
                == #"{"attempt":1,"command":"mount /mnt/nas","event":"up","exit_code":3,"group":"Home","#
                + #""output":"mind\u001b[2J\n","output_dropped_bytes":7,"seconds":1.2,"status":"exited","#
                + #""tags":["db","prod"],"target":"NAS","time":"2026-11-20T14:02:28.114Z","type":"hook","url":"tcp://nas.local:445"}"#
        )
        #expect(lines.contains { $0.contains(#""retry_in_seconds":2,"status":"retrying""#) })
        #expect(lines.contains { $0.contains(#""reason":"cooling_down","status":"dropped""#) })
        #expect(lines.contains { $0.contains(#""request":"POST https://example.net/hook?…""#) })
        #expect(lines.allSatisfy { !$0.contains("secret") && !$0.contains("\u{1B}") })
    }

    @Test func `every line matches the schema, and every type and key of the schema occurs`() throws {
        let schema = try Schema("events")
        let lines = observations + events + hooks
        for line in lines { #expect(try schema.problems(of: line) == [], "\(line)") }

        let types = Set(RecordType.allCases.map(\.rawValue))
        #expect(schema.alternatives == types)
        for key in schema.keys("$defs", "traced_path") {
            #expect(lines.contains { $0.contains("\"\(key)\":") }, "no path has \(key)")
        }
        for key in schema.keys("$defs", "cause_facts") {
            #expect(lines.contains { $0.contains("\"\(key)\":") }, "no cause has \(key)")
        }
        for type in types {
            let ours = lines.filter { $0.contains("\"type\":\"\(type)\"") }
            #expect(!ours.isEmpty, "no line of \(type)")
            for key in schema.keys("$defs", type) {
                #expect(ours.contains { $0.contains("\"\(key)\":") }, "no line of \(type) has \(key)")
            }
        }
    }

    @Test func `the schema has every choice of a line`() throws {
        let schema = try Schema("events")
        let others = ["timeout", "slow", "lossy", "concern"] + Fault.Problem.allCases.map(\.rawValue)
        let reasons = Set(Reason.allCases.map(\.rawValue) + others)
        #expect(schema.choices("$defs", "reason") == reasons)
        #expect(schema.choices("$defs", "problem") == Set(Fault.Problem.allCases.map(\.rawValue)))
        #expect(schema.choices("$defs", "health") == Set(Health.allCases.map(\.rawValue)))
        #expect(schema.choices("$defs", "hook_event") == Set(HookEvent.allCases.map(\.rawValue)))
        #expect(schema.keys("$defs", "observation", "properties", "phases") == Set(Phase.allCases.map(\.rawValue)))
        let statuses = schema.choices("$defs", "hook", "properties", "status")
        #expect(statuses == Set(HookRecord.Status.allCases.map(\.rawValue)))
    }

    @Test func `the schema rejects a line with an unknown type, key or time`() throws {
        let schema = try Schema("events")
        let line = try #require(events.first)
        #expect(try schema.problems(of: line.replacing("\"transition\"", with: "\"transit\"")) != [])
        #expect(try schema.problems(of: line.replacing("\"from\"", with: "\"form\"")) != [])
        #expect(try schema.problems(of: line.replacing("114Z", with: "114+01:00")) != [])
    }
}

/// `check --json`, and `/targets`.
@Suite struct TargetsRecordTests {
    private func json(_ story: Story) -> String {
        TargetsRecord(story.roster.states).json
    }

    @Test func `each target has its health and its reason`() throws {
        var story = Story(
            .make("Router", url: "icmp://192.0.2.1", group: "Home"),
            .make("NAS", fall: 1),
            .make("Shop", url: "https://shop.example.com/", fall: 1),
            .make("Mine", url: "icmp://192.0.2.9"),
            .make("New")
        )
        let phases = [Reply.PhaseTime(.connect, .microseconds(1_234)), Reply.PhaseTime(.tls, .milliseconds(2))]
        story.hear(.reply(Reply(roundTrip: .microseconds(812), phases: phases, detail: "61 days")), from: "Router")
        story.hear("rx", from: "NAS")
        story.hear("t", from: "Shop")
        story.hear("f", from: "Mine")
        #expect(
            json(story)
                == #"{"degraded":0,"down":2,"targets":["#
                + #"{"address":"192.0.2.5","detail":"61 days","group":"Home","health":"up","#
                + #""phases":{"connect":0.001234,"tls":0.002},"received":1,"round_trip_seconds":0.000812,"sent":1,"#
                + #""target":"Router","url":"icmp://192.0.2.1"},"#
                + #"{"address":"192.0.2.5","detail":"refused","health":"down","reason":"refused","#
                + #""received":1,"sent":2,"target":"NAS","url":"tcp://nas.local:445"},"#
                + #"{"address":"192.0.2.5","detail":"timeout","health":"down","reason":"timeout","#
                + #""received":0,"sent":1,"target":"Shop","url":"https://shop.example.com/"},"#
                + #"{"address":"192.0.2.5","detail":"no permission","health":"unknown","problem":"permission","#
                + #""received":0,"sent":0,"target":"Mine","url":"icmp://192.0.2.9"},"#
                + #"{"health":"unknown","received":0,"sent":0,"target":"New","url":"tcp://nas.local:445"}"#
                + #"],"unknown":2,"up":1}"#
        )
        #expect(try Schema("targets").problems(of: json(story)) == [])
    }

    @Test func `degraded targets are counted, and the newest probe has its time`() throws {
        var story = Story(.make("Slow", group: "Home", slow: .milliseconds(500)), .make("New"))
        story.hear("sss", from: "Slow")
        let text = TargetsRecord(story.roster.states, wall: WallTime(start: .seconds(1_795_183_339))).json
        #expect(text.hasPrefix(#"{"degraded":1,"down":0,"targets":["#) && text.hasSuffix(#""unknown":1,"up":1}"#))
        let time = WallTime(start: .seconds(1_795_183_339)).timestamp(at: story.now)
        #expect(text.contains(#""group":"Home""#) && text.contains(#""target":"Slow","time":"\#(time)""#), "\(text)")
        #expect(try Schema("targets").problems(of: text) == [])
    }

    @Test func `slow, warning, blocked and paused are in the record`() throws {
        var child = Target.make("Child")
        child.dependsOn = [.target("Parent")]
        var story = Story(
            .make("Slow", slow: .milliseconds(500)),
            .make("Parent", fall: 1),
            child,
            .make("Off", tags: ["db", "prod"])
        )
        story.hear("sss", from: "Slow")
        story.hear("x", from: "Parent")
        let off = try #require(story["Off"]).id
        story.take(story.roster.pause([off], at: story.now))
        let text = json(story)
        #expect(text.contains(#""detail":"900ms over 500ms","health":"degraded","reason":"slow""#), "\(text)")
        #expect(text.contains(#"{"blocked_by":"Parent","health":"unknown""#), "\(text)")
        #expect(text.contains(#""paused":true"#), "\(text)")
        #expect(text.contains(#""tags":["db","prod"],"target":"Off""#), "\(text)")
        #expect(try Schema("targets").problems(of: text) == [])

        let concern = Reply(roundTrip: .milliseconds(900), detail: "5 days", concern: "expires in 5 days")
        story.hear(.reply(concern), from: "Slow")
        #expect(json(story).contains(#""detail":"expires in 5 days","health":"degraded","reason":"concern""#))
        story.hear("x", from: "Slow")
        #expect(json(story).contains(#""detail":"expires in 5 days","health":"degraded","reason":"concern""#))
    }

    @Test func `text from a peer has no control characters`() throws {
        var story = Story(.make("NAS\u{1B}[2J\u{202E}"))
        story.hear(.failure(Failure(.answerMismatch, detail: "\u{9B}31m\n")), from: "NAS\u{1B}[2J\u{202E}")
        let text = json(story)
        #expect(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" }
        )
        #expect(try Schema("targets").problems(of: text) == [])
    }

    @Test func `the schema has every reason, problem, health and phase`() throws {
        let schema = try Schema("targets")
        let path = { (key: String) in schema.choices("$defs", "target", "properties", key) }
        #expect(path("reason") == Set(Reason.allCases.map(\.rawValue) + ["timeout", "slow", "lossy", "concern"]))
        #expect(path("problem") == Set(Fault.Problem.allCases.map(\.rawValue)))
        #expect(path("health") == Set(Health.allCases.map(\.rawValue)))
    }

    @Test func `the schema rejects unknown keys and values`() throws {
        let line =
            #"{"degraded":0,"down":"1","targets":[{"health":"fine","target":"A","url":"b","sent":-1,"phases":{"x":1}}],"up":0.5}"#
        let problems = try Schema("targets").problems(of: line).sorted()
        #expect(problems.count == 7, "\(problems)")
    }
}

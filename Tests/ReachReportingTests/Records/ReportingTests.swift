import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

@Suite struct ReportingTests {
    private let wall = WallTime(start: .seconds(1_795_183_339) + .milliseconds(114))

    @Test func `lines of a message stay lines, and cannot control the terminal`() {
        #expect("a\u{1B}[31m\n\nb\u{7}".printableLines == "a\u{FFFD}[31m\n\nb\u{FFFD}")
    }

    @Test func `a transition is one line with its time, target and cause`() {
        let transition = Transition(
            from: .up,
            to: .down,
            time: .zero,
            lasted: .seconds(10_921),
            cause: .losses(3, Failure(.refused))
        )
        #expect(
            EventLine(transition, of: "NAS", wall: wall).text
                == "2026-11-20T14:02:19.114Z  NAS  down after 3 losses: refused (was up 3h02m)"
        )
    }

    @Test func `a line has no control characters`() {
        let line = EventLine(at: .zero, "N\u{1B}[31mAS", "said \"\u{07}\n\u{9B}x\u{2028}\"", wall: wall).text
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(!line.contains { $0.isNewline })
    }

    @Test func `blocked, flapping and stalled are JSON objects for each target`() throws {
        var child = Target.make("NAS", group: "Home")
        child.dependsOn = [.target("Switch")]
        let story = Story(.make("Switch", url: "icmp://192.0.2.9"), child)
        let (id, parent) = (try #require(story["NAS"]).id, try #require(story["Switch"]).id)
        let transition = Transition(
            from: .up,
            to: .down,
            time: .seconds(2),
            began: .zero,
            lasted: .seconds(60),
            cause: .losses(3, nil)
        )
        let events: [RosterEvent] = [
            RosterEvent(.transition(transition), of: [parent], at: .seconds(2)),
            RosterEvent(.blocked(by: .target("Switch")), of: [id, parent], at: .seconds(2)),
            RosterEvent(.unblocked, of: [id], at: .seconds(3)),
            RosterEvent(.flapping(true, share: 0.42), of: [id], at: .seconds(4)),
            RosterEvent(.stalled(.milliseconds(61_234)), at: .seconds(65)),
        ]
        let lines = events.flatMap { EventRecord.records(of: $0, in: story.roster, wall: wall) }
        for line in lines { #expect(try Schema("events").problems(of: line.json) == []) }
        #expect(
            lines.map(\.json) == [
                #"{"after_seconds":60,"detail":"timeout","from":"up","reason":"timeout","#
                    + #""since":"2026-11-20T14:02:19.114Z","target":"Switch","time":"2026-11-20T14:02:21.114Z","to":"down","type":"transition","url":"icmp://192.0.2.9"}"#,
                #"{"blocked_by":"Switch","group":"Home","target":"NAS","time":"2026-11-20T14:02:21.114Z","#
                    + #""type":"blocked","url":"tcp://nas.local:445"}"#,
                #"{"blocked_by":"Switch","target":"Switch","time":"2026-11-20T14:02:21.114Z","#
                    + #""type":"blocked","url":"icmp://192.0.2.9"}"#,
                #"{"group":"Home","target":"NAS","time":"2026-11-20T14:02:22.114Z","#
                    + #""type":"unblocked","url":"tcp://nas.local:445"}"#,
                #"{"flapping":true,"flapping_share":0.42,"group":"Home","target":"NAS","time":"2026-11-20T14:02:23.114Z","#
                    + #""type":"flapping","url":"tcp://nas.local:445"}"#,
                #"{"seconds":61.234,"time":"2026-11-20T14:03:24.114Z","type":"stalled"}"#,
            ]
        )
    }

    @Test func `control characters are replaced in a line and escaped in JSON, and emoji are kept`() throws {
        let name = "\u{9B}5m\u{202E}👩‍🚀\u{7F}\u{2028}"
        let story = Story(.make(name))
        let id = try #require(story[name]).id
        let record = try #require(
            EventRecord.records(of: RosterEvent(.faultCleared, of: [id], at: .zero), in: story.roster, wall: wall).first
        )
        #expect(record.json.contains(#""target":"\u009b5m\u202e👩‍🚀\u007f\u2028""#), "\(record.json)")
        let line = EventLine(at: .zero, "NAS", name, wall: wall)
        #expect(line.text.hasSuffix("  NAS  \u{FFFD}5m\u{FFFD}👩‍🚀\u{FFFD}\u{FFFD}"), "\(line.text)")
    }

    @Test func `a hook without a transition gets its trigger`() throws {
        var story = Story(.make(hooks: [.make(on: [.address])]))
        story.hear("r")
        let id = try #require(story["NAS"]?.id)
        story.take(
            story.roster.record([.addressChanged(id, from: "192.0.2.5", to: "192.0.2.6", at: .seconds(3))])
        )
        story.take(story.roster.test(id, at: .seconds(4)))
        let records = story.runs.map { HookContextRecord($0.context, wall: wall).json }
        for record in records { #expect(try Schema("hook-input").problems(of: record) == []) }
        #expect(
            records == [
                #"""
                {"address":"192.0.2.6","event":"address","health":"up","loss":0,"previous_address":"192.0.2.5","round_trip_seconds":0.001,"since":"2026-11-20T14:02:20.114Z","target":"NAS","time":"2026-11-20T14:02:22.114Z","type":"address","url":"tcp://nas.local:445"}
                """#,
                #"""
                {"address":"192.0.2.6","event":"test","health":"up","loss":0,"round_trip_seconds":0.001,"since":"2026-11-20T14:02:20.114Z","target":"NAS","time":"2026-11-20T14:02:23.114Z","type":"user","url":"tcp://nas.local:445"}
                """#,
            ]
        )
        let variables = story.runs.map { Dictionary($0.environment(wall: wall).map { ($0.name, $0.value) }) { $1 } }
        #expect(variables.map { $0["REACH_PREVIOUS_ADDRESS"] } == ["192.0.2.5", ""])
        #expect(variables.map { $0["REACH_EVENT"] } == ["address", "test"])
        #expect(variables.allSatisfy { Set($0.keys) == Set(Webhook.fields) })
    }

    @Test func `a hook gets the transition as one JSON object`() throws {
        var story = Story(.make("N\"\u{1B}AS\n", group: "Home", hooks: [.make()]))
        story.hear("r ttx", from: "N\"\u{1B}AS\n")
        story.wait(.milliseconds(1_500))
        story.hear("r", from: "N\"\u{1B}AS\n")
        let run = try #require(story.runs.first)
        #expect(try Schema("hook-input").problems(of: HookContextRecord(run.context, wall: wall).json) == [])
        #expect(
            HookContextRecord(run.context, wall: wall).json == #"""
                {"address":"192.0.2.5","after_seconds":4.5,"down_seconds":4.5,"event":"up","from":"down","group":"Home","health":"up","loss":0.6,"round_trip_seconds":0.001,"since":"2026-11-20T14:02:25.614Z","target":"N\"\u001bAS\n","time":"2026-11-20T14:02:25.614Z","to":"up","type":"transition","url":"tcp://nas.local:445"}
                """#
        )
    }
}

import Monitoring
import Reporting
import TestSupport
import Testing

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
                == #"{"down":2,"targets":["#
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
            #"{"down":"1","targets":[{"health":"fine","target":"A","url":"b","sent":-1,"phases":{"x":1}}],"up":0.5}"#
        let problems = try Schema("targets").problems(of: line).sorted()
        #expect(problems.count == 7, "\(problems)")
    }
}

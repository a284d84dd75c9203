import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

/// The line of `check --format nagios`.
struct PluginResultTests {
    private func result(_ marks: KeyValuePairs<String, String>, slow: Duration? = nil) -> PluginResult {
        var story = Story(marks.map { name, _ in .make(name, fall: 1, slow: slow) })
        for (name, letters) in marks where !letters.isEmpty { story.hear(letters, from: name) }
        return PluginResult(story.roster.states)
    }

    @Test func `one target has its round trip and its loss`() {
        let up = result(["NAS": "rr"])
        #expect(up.status == .ok && up.line == "OK - NAS up, rta 1.0ms | rta=1.000ms;;;0 pl=0%;;;0;100")
        let down = result(["NAS": "x"], slow: .milliseconds(500))
        #expect(down.status == .critical)
        #expect(down.line == "CRITICAL - NAS down (refused) | rta=U;500.000;;0 pl=100%;;;0;100")
        let some = result(["NAS": "xr"])
        #expect(some.line == "OK - NAS up, rta 1.0ms, loss 50% | rta=1.000ms;;;0 pl=50%;;;0;100")
        #expect(result(["NAS": ""]).line == "UNKNOWN - NAS cannot be probed")
    }

    @Test func `the mean and the loss of several probes have the limits of the settings`() {
        var slow = Story([.make("NAS", fall: 4, slow: .milliseconds(50))])
        slow.hear("r")
        slow.hear(.reply(roundTrip: .milliseconds(401)))
        let mean = PluginResult(slow.roster.states)
        #expect(mean.status == .warning)
        #expect(
            mean.line == "WARNING - NAS degraded (201ms over 50ms), rta 201ms | rta=201.000ms;50.000;;0 pl=0%;;;0;100"
        )

        var target = Target.make("NAS", fall: 4)
        target.thresholds.lossy = 0.2
        var lossy = Story([target, .make("B")])
        lossy.hear(.reply(Reply(roundTrip: .milliseconds(1), detail: "HTTP 200")))
        lossy.hear(.failure(Failure(.httpStatus, detail: "HTTP 500", httpStatus: 500)))
        lossy.hear("r", from: "B")
        let loss = PluginResult(lossy.roster.states.prefix(1))
        #expect(loss.status == .warning)
        #expect(
            loss.line
                == "WARNING - NAS degraded (50% loss over 20%), rta 1.0ms, loss 50% | rta=1.000ms;;;0 pl=50%;20;;0;100"
        )
        let both = PluginResult(lossy.roster.states)
        #expect(both.status == .warning)
        #expect(both.line.hasPrefix("WARNING - 1 degraded: NAS (50% loss over 20%); 1 up | up=1;;;0;2 degraded=1;"))
    }

    @Test func `the text of a target that is up is that of a reply`() {
        var story = Story([.make("NAS", fall: 4)])
        story.hear(.reply(Reply(roundTrip: .milliseconds(1), detail: "HTTP 200")))
        story.hear(.failure(Failure(.httpStatus, detail: "HTTP 500", httpStatus: 500)))
        let result = PluginResult(story.roster.states)
        #expect(result.status == .ok)
        #expect(result.line.hasPrefix("OK - NAS up (HTTP 200), rta 1.0ms, loss 50% | "))
    }

    @Test func `several targets have counts and the worst status`() {
        let mixed = result(["A": "r", "B": "x", "C": ""])
        #expect(mixed.status == .critical)
        #expect(
            mixed.line
                == "CRITICAL - 1 down: B (refused); 1 unknown: C; 1 up | up=1;;;0;3 degraded=0;;;0;3 down=1;;;0;3 "
                + "unknown=1;;;0;3 'A rta'=1.000ms;;;0 'A pl'=0%;;;0;100 'B rta'=U;;;0 'B pl'=100%;;;0;100"
        )
        #expect(result(["A": "r", "B": "r"]).line.hasPrefix("OK - 2 up | "))
        #expect(result(["A": "r", "B": ""]).status == .unknown)
        #expect(result([:]).status == .unknown)
    }

    @Test func `many failures are counted`() {
        var story = Story((1...7).map { .make("T\($0)", fall: 1) })
        for number in 1...7 { story.hear("x", from: "T\(number)") }
        let line = PluginResult(story.roster.states).line
        #expect(line.hasPrefix("CRITICAL - 7 down: T1 (refused), T2 (refused), "))
        #expect(line.contains("T5 (refused) and 2 more | "))
    }

    @Test func `a problem with a list counts as an unknown target`() {
        var story = Story([.make("NAS", fall: 1)])
        let problems = ["source \"http://x\": refused"]
        story.hear("r")
        let unknown = PluginResult(story.roster.states, problems: problems)
        #expect(unknown.status == .unknown)
        #expect(unknown.line.hasPrefix("UNKNOWN - NAS up, rta 1.0ms; source \"http://x\": refused | rta="))
        story.hear("x")
        let down = PluginResult(story.roster.states, problems: problems)
        #expect(down.status == .critical)
        #expect(down.line.hasPrefix("CRITICAL - NAS down (refused); source \"http://x\": refused | rta="))
    }

    @Test func `names cannot break the line`() {
        let line = result(["a|b='c'\n\u{1B}": "r", "B": "x"]).line
        #expect(line.contains("'a/b-''c''"), "\(line)")
        #expect(line.filter { $0 == "|" }.count == 1 && !line.contains("\n") && !line.contains("\u{1B}"))
        let same = result(["a|b": "r", "a/b": "r", "a/b 2": "r"]).line
        for label in ["'a/b rta'", "'a/b 2 rta'", "'a/b 2 2 rta'"] { #expect(same.contains("\(label)="), "\(same)") }
        let problem = PluginResult(problem: "no|thing\nsee --help")
        #expect(problem.line == "UNKNOWN - no/thing; see --help" && problem.status.rawValue == 3)
    }
}

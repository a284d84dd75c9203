import Monitoring
import Reporting
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

    @Test func `names cannot break the line`() {
        let line = result(["a|b='c'\n\u{1B}": "r", "B": "x"]).line
        #expect(line.contains("'a/b-''c''"), "\(line)")
        #expect(line.filter { $0 == "|" }.count == 1 && !line.contains("\n") && !line.contains("\u{1B}"))
        let problem = PluginResult(problem: "no|thing\nsee --help")
        #expect(problem.line == "UNKNOWN - no/thing; see --help" && problem.status.rawValue == 3)
    }
}

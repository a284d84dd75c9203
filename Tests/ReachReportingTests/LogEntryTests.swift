import ReachReporting
import TestSupport
import Testing

@Suite struct LogEntryTests {
    private func entry(_ message: String, _ fields: [String: String] = [:]) -> LogEntry {
        LogEntry(
            time: "2026-11-20T14:02:19.114Z",
            level: "notice",
            logger: "targets",
            message: message,
            fields: fields
        )
    }

    private let beginning = "time=2026-11-20T14:02:19.114Z level=notice logger=targets message="

    @Test func `the keys of every entry come first, the others in alphabetical order`() {
        let line = entry("up", ["url": "tcp://nas:445", "target": "NAS"]).line(in: .logfmt)
        #expect(line == "\(beginning)up target=NAS url=tcp://nas:445")
    }

    @Test(arguments: [
        ("plain", "plain"), ("", #""""#), ("settings read", #""settings read""#), ("a=b", #""a=b""#),
        (#"say "hi""#, #""say \"hi\"""#), (#"C:\x"#, #"C:\x"#), (#"C:\x y"#, #""C:\\x y""#), ("a\nb", #""a\nb""#),
        ("\u{1B}[31m", #""\u001b[31m""#), ("\u{202E}", #""\u202e""#), ("\u{85}", #""\u0085""#), ("é…", "é…"),
        ("https://example.com/?…", "https://example.com/?…"),
    ])
    func `a value is quoted where a reader could split it, and control characters are escaped`(
        _ value: String,
        _ text: String
    ) {
        #expect(entry(value).line(in: .logfmt) == beginning + text)
        #expect(entry("up", ["detail": value]).line(in: .logfmt) == "\(beginning)up detail=\(text)")
    }

    @Test func `a key has no character that needs quotes`() {
        #expect(entry("up", ["a b=\"c\"\n": "1"]).line(in: .logfmt) == "\(beginning)up a_b__c__=1")
    }

    @Test func `an entry is one JSON object, and its own keys have precedence`() throws {
        let line = entry("say \"hi\"\n\u{9B}", ["target": "NAS", "level": "trace"]).line(in: .json)
        #expect(
            line
                == #"{"level":"notice","logger":"targets","message":"say \"hi\"\n\u009b","target":"NAS","#
                + #""time":"2026-11-20T14:02:19.114Z"}"#
        )
        let schema = try Schema("log")
        #expect(try schema.problems(of: line) == [])
        #expect(try schema.problems(of: line.replacing("notice", with: "loud")).count == 1)
        #expect(try schema.problems(of: line.replacing("\"message\"", with: "\"text\"")).count == 1)
    }
}

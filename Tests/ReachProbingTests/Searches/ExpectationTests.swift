import ReachMonitoring
import Testing

@testable import ReachProbing

struct ExpectationTests {
    @Test func `an answer may arrive in pieces`() throws {
        var expectation = Expectation("^220 .*ESMTP")
        #expect(try expectation.judge("22".utf8) == nil)
        #expect(try expectation.judge("0 mail ESM".utf8) == nil)
        #expect(try expectation.judge("TP".utf8) == true)
    }

    @Test(
        arguments: [(#"ESMTP\r"#, true), (#"\n"#, true), (#"\r\n$"#, nil), (#"ESMTP\s*$"#, nil)] as [(String, Bool?)]
    )
    func `a line end is matched as two characters`(pattern: String, matches: Bool?) throws {
        var expectation = Expectation(pattern)
        #expect(try expectation.judge("220 mail ESMTP\r\n".utf8) == matches)
        #expect(expectation.matchesAtEnd)
    }

    @Test(arguments: ["^a+$", #"^a+\z"#, #"^a+\Z"#, #"^a+\b"#, "^a+(?!.)", #"^[$]?a+$"#])
    func `a match that depends on the end counts only at the end`(pattern: String) throws {
        var expectation = Expectation(pattern)
        let start = String(repeating: "a", count: 4_000)
        for piece in [start.prefix(1), start.dropFirst()] {
            #expect(try expectation.judge(piece.utf8) == nil)
            #expect(expectation.matchesAtEnd)
        }
        var longer = expectation
        #expect(try longer.judge("a".utf8) == nil)
        #expect(longer.matchesAtEnd, "the answer may be complete")
        #expect(try expectation.judge("!".utf8) == (pattern == #"^a+\b"# ? true : nil))
        #expect(expectation.matchesAtEnd == (pattern == #"^a+\b"#))
    }

    @Test(arguments: [("^a+$", 4_096, true), ("^a+$", 4_095, nil), ("^b+$", 4_096, false)] as [(String, Int, Bool?)])
    func `an answer ends after 4 KiB`(pattern: String, count: Int, matches: Bool?) throws {
        var expectation = Expectation(pattern)
        #expect(try expectation.judge([UInt8](repeating: 97, count: count)) == matches)
        var all = Expectation(pattern)
        #expect(try all.judge([UInt8](repeating: 97, count: count) + [33]) == (count < 4_096 ? false : matches))
    }

    @Test(arguments: ["^SSH", #"\$5"#, "[$]", #"a\[b"#, "(?:SSH|x)", #"(?m)^SSH.*$"#, #"SSH\b"#])
    func `a match within the answer counts at once`(pattern: String) throws {
        var expectation = Expectation(pattern)
        #expect(try expectation.judge("SSH-2.0 $5 a[b\r\nx".utf8) == true)
    }

    @Test func `a match at the end is undecided while a search is running`() throws {
        var expectation = Expectation("^a+$")
        #expect(try expectation.judge("a".utf8) == nil)
        expectation.receive("a".utf8)
        #expect(!expectation.matchesAtEnd)
        #expect(expectation.nextSearch() != nil)
        #expect(!expectation.matchesAtEnd)
        #expect(expectation.finishSearch(.atEnd) == nil)
        #expect(expectation.matchesAtEnd)
    }

    @Test func `only the first 4 KiB are searched`() throws {
        var expectation = Expectation("end")
        #expect(try expectation.judge(String(repeating: "x", count: 4_095).utf8) == nil)
        #expect(try expectation.judge("end".utf8) == false)
    }

    @Test func `a missing answer is a closed connection`() throws {
        #expect(Expectation("x").failure.reason == .closed)
    }

    @Test func `an answer is quoted on one line with at most forty characters`() throws {
        var expectation = Expectation("x")
        expectation.receive("a\r\nb\u{7}\u{1B}[2J".utf8)
        #expect(expectation.failure.detail == #"unexpected answer "a  b[2J""#)
        expectation.receive(String(repeating: "é", count: 100).utf8)
        #expect(expectation.failure.detail == "unexpected answer \"a  b[2J" + String(repeating: "é", count: 33) + "…\"")
    }

    @Test func `invalid UTF-8 does not match`() throws {
        var expectation = Expectation("^SSH")
        #expect(try expectation.judge((0...255).map { UInt8($0) }) == nil)
        #expect(expectation.failure.reason == .answerMismatch)
    }

    @Test func `an invalid pattern is a fault`() {
        let result = PatternSearch(pattern: "(", text: []).run()
        #expect(result == .failure(Fault(.internal, detail: "invalid regular expression \"(\": expected ')'")))
    }

    @Test func `one search runs at a time, and the next one has all bytes received meanwhile`() {
        var expectation = Expectation("x")
        expectation.receive("a".utf8)
        #expect(expectation.nextSearch() == PatternSearch(pattern: "x", text: Array("a".utf8)))
        expectation.receive("b".utf8)
        #expect(expectation.nextSearch() == nil)
        expectation.receive("c".utf8)
        #expect(expectation.finishSearch(.none) == nil)
        #expect(expectation.nextSearch() == PatternSearch(pattern: "x", text: Array("abc".utf8)))
        #expect(expectation.finishSearch(.none) == nil)
        #expect(expectation.nextSearch() == nil, "nothing was received")
    }

    @Test func `searches are throttled to ten per second after sixteen`() {
        var expectation = Expectation("x")
        for count in 1...40 {
            expectation.receive([97])
            #expect(expectation.nextSearch()?.pause == (count <= 16 ? .zero : .milliseconds(100)))
            #expect(expectation.finishSearch(.none) == nil)
        }
    }
}

extension PatternSearch {
    /// Compiles the pattern, and runs the search.
    func run() -> Result<Match, Fault> {
        run(by: CompiledPattern(pattern))
    }
}

extension ReachProbing.Expectation {
    /// Appends bytes and searches them at once. Returns whether the answer matches; nil while that is not decided.
    mutating func judge(_ bytes: some Collection<UInt8>) throws -> Bool? {
        receive(bytes)
        guard let search = nextSearch() else { return nil }
        return finishSearch(try search.run().get())
    }
}

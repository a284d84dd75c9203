import Monitoring
import Testing

@testable import Probing

struct ExpectationTests {
    @Test func `an answer may come in pieces`() throws {
        var expectation = Expectation("^220 .*ESMTP")
        #expect(try expectation.judge("22".utf8) == nil)
        #expect(try expectation.judge("0 mail ESM".utf8) == nil)
        #expect(try expectation.judge("TP".utf8) == true)
    }

    @Test(
        arguments: [(#"ESMTP\r"#, true), (#"\n"#, true), (#"\r\n$"#, nil), (#"ESMTP\s*$"#, nil)] as [(String, Bool?)]
    )
    func `the end of a line is two characters`(pattern: String, matches: Bool?) throws {
        var expectation = Expectation(pattern)
        #expect(try expectation.judge("220 mail ESMTP\r\n".utf8) == matches)
        #expect(expectation.matchesAtEnd)
    }

    @Test(arguments: ["^a+$", #"^a+\z"#, #"^a+\Z"#, #"^a+\b"#, "^a+(?!.)", #"^[$]?a+$"#])
    func `a match that depends on the end counts at the end alone`(pattern: String) throws {
        var expectation = Expectation(pattern)
        let start = String(repeating: "a", count: 4_000)
        for piece in [start.prefix(1), start.dropFirst()] {
            #expect(try expectation.judge(piece.utf8) == nil)
            #expect(expectation.matchesAtEnd)
        }
        var longer = expectation
        #expect(try longer.judge("a".utf8) == nil)
        #expect(longer.matchesAtEnd, "the peer may be through")
        #expect(try expectation.judge("!".utf8) == (pattern == #"^a+\b"# ? true : nil))
        #expect(expectation.matchesAtEnd == (pattern == #"^a+\b"#))
    }

    @Test(arguments: [("^a+$", 4_096, true), ("^a+$", 4_095, nil), ("^b+$", 4_096, false)] as [(String, Int, Bool?)])
    func `the first 4 KiB end an answer`(pattern: String, count: Int, matches: Bool?) throws {
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

    @Test func `while more is searched, nothing is known of the end`() throws {
        var expectation = Expectation("^a+$")
        #expect(try expectation.judge("a".utf8) == nil)
        expectation.hear("a".utf8)
        #expect(!expectation.matchesAtEnd)
        #expect(expectation.nextSearch() != nil)
        #expect(!expectation.matchesAtEnd)
        #expect(expectation.conclude(.atEnd) == nil)
        #expect(expectation.matchesAtEnd)
    }

    @Test func `only the first four kilobytes count`() throws {
        var expectation = Expectation("end")
        #expect(try expectation.judge(String(repeating: "x", count: 4_095).utf8) == nil)
        #expect(try expectation.judge("end".utf8) == false)
    }

    @Test func `no answer at all is a closed connection`() throws {
        #expect(Expectation("x").failure.reason == .closed)
    }

    @Test func `an answer is quoted on one line, forty characters at the most`() throws {
        var expectation = Expectation("x")
        expectation.hear("a\r\nb\u{7}\u{1B}[2J".utf8)
        #expect(expectation.failure.detail == #"unexpected answer "a  b[2J""#)
        expectation.hear(String(repeating: "é", count: 100).utf8)
        #expect(expectation.failure.detail == "unexpected answer \"a  b[2J" + String(repeating: "é", count: 33) + "…\"")
    }

    @Test func `bytes that are no text do no harm`() throws {
        var expectation = Expectation("^SSH")
        #expect(try expectation.judge((0...255).map { UInt8($0) }) == nil)
        #expect(expectation.failure.reason == .answerMismatch)
    }

    @Test func `a pattern that is none is our fault`() {
        let result = Search(pattern: "(", text: []).run()
        #expect(result == .failure(Fault(.internal, detail: "no regular expression: (")))
    }

    @Test func `while a search is under way there is no other, and the next one has all that was heard meanwhile`() {
        var expectation = Expectation("x")
        expectation.hear("a".utf8)
        #expect(expectation.nextSearch() == Search(pattern: "x", text: Array("a".utf8)))
        expectation.hear("b".utf8)
        #expect(expectation.nextSearch() == nil)
        expectation.hear("c".utf8)
        #expect(expectation.conclude(.none) == nil)
        #expect(expectation.nextSearch() == Search(pattern: "x", text: Array("abc".utf8)))
        #expect(expectation.conclude(.none) == nil)
        #expect(expectation.nextSearch() == nil, "nothing is new")
    }

    @Test func `who says one byte at a time is searched at once sixteen times, then ten times a second`() {
        var expectation = Expectation("x")
        for count in 1...40 {
            expectation.hear([97])
            #expect(expectation.nextSearch()?.pause == (count <= 16 ? .zero : .milliseconds(100)))
            #expect(expectation.conclude(.none) == nil)
        }
    }
}

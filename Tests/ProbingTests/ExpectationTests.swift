import Monitoring
import Testing

@testable import Probing

struct ExpectationTests {
    @Test func `an answer may come in pieces`() throws {
        var expectation = try Expectation("^220 .*ESMTP")
        #expect(expectation.hear("22".utf8) == nil)
        #expect(expectation.hear("0 mail ESM".utf8) == nil)
        #expect(expectation.hear("TP".utf8) == true)
    }

    @Test(arguments: [#"ESMTP\r"#, #"\n"#, #"\r\n$"#, #"ESMTP\s*$"#])
    func `the end of a line is two characters`(pattern: String) throws {
        var expectation = try Expectation(pattern)
        #expect(expectation.hear("220 mail ESMTP\r\n".utf8) == true)
    }

    @Test func `only the first four kilobytes count`() throws {
        var expectation = try Expectation("end")
        #expect(expectation.hear(String(repeating: "x", count: 4_095).utf8) == nil)
        #expect(expectation.hear("end".utf8) == false)
    }

    @Test func `no answer at all is a closed connection`() throws {
        #expect(try Expectation("x").failure.reason == .closed)
    }

    @Test func `an answer is quoted on one line, forty characters at the most`() throws {
        var expectation = try Expectation("x")
        _ = expectation.hear("a\r\nb\u{7}\u{1B}[2J".utf8)
        #expect(expectation.failure.detail == #"unexpected answer "a  b[2J""#)
        _ = expectation.hear(String(repeating: "é", count: 100).utf8)
        #expect(expectation.failure.detail == "unexpected answer \"a  b[2J" + String(repeating: "é", count: 33) + "…\"")
    }

    @Test func `bytes that are no text do no harm`() throws {
        var expectation = try Expectation("^SSH")
        #expect(expectation.hear((0...255).map { UInt8($0) }) == nil)
        #expect(expectation.failure.reason == .answerMismatch)
    }

    @Test func `a pattern that is none is our fault`() {
        #expect(throws: Fault.self) { try Expectation("(") }
    }
}

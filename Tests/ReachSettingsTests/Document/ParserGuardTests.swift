import ReachMonitoring
import TestSupport
import Testing

@testable import ReachSettings

/// Texts that would crash the parser.
@Suite struct ParserGuardTests {
    private func problems(of text: String) -> [String] {
        let reader = SettingsReader(file: "f", environment: [:])
        do throws(SettingsFailure) {
            _ = try reader.settings(from: text)
            return []
        } catch {
            return error.lines
        }
    }

    private static let many = 300_000

    private static func times(_ text: String, _ count: Int = many) -> String {
        String(repeating: text, count: count)
    }

    @Test(
        arguments: [
            "x = 1\na\(times(".a")) = 1\n", "x = 1\n[a\(times(#"."a""#))]\n",
            "x = 1\nt = { a\(times(" . 'a'")) = 1 }\n",
            "x = 1\na = \(times("["))\(times("]"))\n", "x = 1\na = \(times("{a="))1\(times("}"))\n",
        ] as [LongText]
    )
    func `text that is nested too deeply never reaches the parser`(long: LongText) {
        #expect(problems(of: long.text) == ["f:2:1: tables nested too deeply – settings have at most six levels"])
    }

    @Test(
        arguments: [
            ("[=]", 2), ("[[[a]]]", 3), ("[[ [a]]]", 4), ("[ .a]", 3), ("[\n]", 2), ("[[\n", 3), ("  [#]", 4),
            ("[ü]", 2),
            (LongText(times("[")), 3),
        ] as [(LongText, Int)]
    )
    func `a header without a name is reported`(header: LongText, column: Int) {
        let lines = problems(of: "x = 1\n\(header.text)\nx = 2\n")
        let start = "f:2:\(column): not TOML: table header: expected a name, as in [name] or [[name]]"
        #expect(lines.count == 1 && lines[0].hasPrefix(start), "\(lines)")
    }

    @Test(arguments: ["}", "1, }", "\u{B}]", "\u{C}]", "\u{85}]", "\u{2028}]", "[1],\u{2029}]"])
    func `an invalid value in an array is reported`(rest: String) {
        let lines = problems(of: "x = 1\ny = [\(rest)\n")
        #expect(lines.count == 1 && lines[0].contains(": not TOML: array: expected a value or closing ']'"), "\(lines)")
    }

    @Test func `an earlier mistake is reported instead`() {
        #expect(problems(of: "x = oops\n[=]\n").first?.hasPrefix("f:1:") == true)
    }

    @Test(arguments: [
        #"x = ""# + times("[{a.", 500) + #"""#, "x = '\(times("[{.", 500))'",
        "x = \"\"\"\n[=]\n\\\"\"\"\"\n[a]\n[[b]]\n[ \"c\" ]\n[[ 'd' ]]\n", "x = '''\n[=]\n\\'''\n",
        "# [=] \(times(".", 500))\n", "x = [\n[1],\n[2]\n]\n", #"x = "\"[" # ["# + "\n",
        "x = ['}', \"\u{2028}\", 'ü€']\ny = { a = [1] }\n", times("y = [[1], [2]] # [\n", 200),
        times("[target]\n", 300), times("a.b = 1.5\n", 300), "\u{FEFF}[a]\n", "",
        "[",
        "[[", "[[ ", #"""#, "'''", #""\"#,
    ])
    func `text that is safe to parse reaches the parser`(text: String) {
        #expect(ParserGuard.rejection(of: text) == nil)
    }

    @Test func `random brackets, dots and quotes never crash the program`() {
        let letters = Array("[[]]{}..=\"'#\\ \n\tab1,-\r")
        var state: UInt32 = 20_261_122
        func number(below limit: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % limit
        }
        for _ in 0..<10_000 {
            let length = 1 + number(below: 24)
            _ = problems(of: String((0..<length).map { _ in letters[number(below: letters.count)] }))
        }
    }
}

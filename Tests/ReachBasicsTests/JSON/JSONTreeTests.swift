import Testing

import ReachBasics

struct JSONTreeTests {
    private func tree(_ text: String) throws -> JSONTree { try JSONTree(Array(text.utf8)) }

    @Test func `values of all types are read`() throws {
        let text = #" { "a": [1, -2.5e+3, 0, true, false, null], "b": {"c": "d"}, "e": [], "f": {} } "#
        let numbers: [JSONTree] = [.number("1"), .number("-2.5e+3"), .number("0")]
        #expect(
            try tree(text)
                == .object([
                    "a": .array(numbers + [.boolean(true), .boolean(false), .null]),
                    "b": .object(["c": .string("d")]), "e": .array([]), "f": .object([:]),
                ])
        )
    }

    @Test func `escapes are decoded, and half a surrogate pair is replaced`() throws {
        #expect(try tree(#""\"\\\/\b\f\n\r\t\u00fc\ud83d\ude00é""#).text == "\"\\/\u{8}\u{C}\n\r\tü😀é")
        #expect(try tree(#""\ud83d x \ude00 \ud83d\u0041""#).text == "\u{FFFD} x \u{FFFD} \u{FFFD}A")
    }

    @Test func `of members with one name, the last one counts`() throws {
        #expect(try tree(#"{"a": "1", "a": "2"}"#)["a"]?.text == "2")
    }

    @Test(arguments: [
        ("", "not JSON: the text is cut off"), ("[1,", "not JSON: the text is cut off"),
        (#"{"a": "b"#, "not JSON: the text is cut off"), ("[1] 2", "not JSON: unexpected '2'"),
        ("[1,]", "not JSON: unexpected ']'"), ("{a: 1}", "not JSON: unexpected 'a'"),
        ("01", "not JSON: unexpected '1'"), ("+1", "not JSON: unexpected '+'"),
        ("1.", "not JSON: the text is cut off"),
        ("nul", "not JSON: the text is cut off"), ("NaN", "not JSON: unexpected 'N'"),
        ("'a'", "not JSON: unexpected '''"),
        ("\"a\tb\"", "not JSON: unexpected byte 9"), (#""\x""#, "not JSON: unexpected 'x'"),
        (#""\u12G4""#, "not JSON: unexpected 'G'"),
        ("\u{FEFF}[]", "not JSON: unexpected byte 239"),
    ])
    func `a text that is not JSON has a reason`(text: String, message: String) {
        let failure = #expect(throws: JSONTree.SyntaxError.self) { try tree(text) }
        #expect(failure?.message == message)
    }

    @Test func `the line of a problem is counted`() {
        let failure = #expect(throws: JSONTree.SyntaxError.self) { try tree("[\n\"a\",\n]") }
        #expect(failure?.line == 3)
    }

    @Test func `deep nesting is a problem, and no trap`() throws {
        let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
        #expect(try tree(deep(64)) != .null)
        let failure = #expect(throws: JSONTree.SyntaxError.self) { try tree(deep(100_000)) }
        #expect(failure?.message == "not JSON: more than 64 levels")
    }

    @Test func `bytes that are not UTF-8 are a problem`() {
        let failure = #expect(throws: JSONTree.SyntaxError.self) { try JSONTree([0x22, 0xFF, 0x22]) }
        #expect(failure?.message == "not UTF-8")
    }
}

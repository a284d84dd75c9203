import ReachMonitoring
import Testing

@testable import ReachProbing

struct JSONScannerTests {
    private func value(_ path: String, in text: String) throws -> JSONScanner.Value? {
        try JSONScanner(Array(text.utf8)).value(at: HTTPOptions.JSONPath(path))
    }

    private func problem(_ bytes: some Sequence<UInt8>) -> String? {
        do throws(JSONScanner.SyntaxError) {
            _ = try JSONScanner(Array(bytes))
            return nil
        } catch {
            return error.message
        }
    }

    private static let document = #"""
        { "status": "ok", "count": 3, "share": -1.5e1, "up": true, "off": false, "none": null,
          "items": [ { "name": "a" }, { "name": "b", "tags": ["x", "y"] }, [] ],
          "a b": "\u00fc\ud83d\ude00\n\/", "empty": {}, "twice": 1, "twice": 2 }
        """#

    @Test(
        arguments: [
            ("$", .object), ("$.status", .scalar(.string("ok"))), ("$.count", .scalar(.number(3))),
            ("$.share", .scalar(.number(-15))),
            ("$.up", .scalar(.boolean(true))), ("$.off", .scalar(.boolean(false))), ("$.none", .null),
            ("$.items", .array),
            ("$.items[0].name", .scalar(.string("a"))), ("$.items[1].tags[-1]", .scalar(.string("y"))),
            ("$.items[-3].name", .scalar(.string("a"))),
            ("$['a b']", .scalar(.string("ü😀\n/"))), ("$.twice", .scalar(.number(2))), ("$.empty", .object),
        ] as [(String, JSONScanner.Value)]
    )
    func `a value is found by its path`(path: String, value: JSONScanner.Value) throws {
        #expect(try self.value(path, in: Self.document) == value)
    }

    @Test(arguments: [
        "$.missing", "$.items[3]", "$.items[-4]", "$.status.length", "$.status[0]", "$.items.name", "$.empty.a",
        "$.none.a", "$[0]", "$.items[2][0]", "$.items[2][-1]",
    ])
    func `another path finds nothing`(path: String) throws {
        #expect(try value(path, in: Self.document) == nil)
    }

    @Test(arguments: ["1", " \"a\" ", "[]", "{}", "\u{FEFF}null", "[1,[2,[3]]]", "-0.5E+3", "0", #""\ud800""#])
    func `a valid text is accepted`(text: String) {
        #expect(problem(text.utf8) == nil)
    }

    @Test(arguments: [
        ("", "it ends too early"), ("{", "it ends too early"), ("\"a", "it ends too early"),
        ("[1,", "it ends too early"),
        ("<html>", "unexpected \"<html>\" at byte 1"), ("{} x", "unexpected \"x\" at byte 4"),
        ("[1,]", "unexpected \"]\" at byte 4"), ("{\"a\" 1}", "unexpected \"1}\" at byte 6"),
        ("{a: 1}", "unexpected \"a: 1}\" at byte 2"), ("01", "unexpected \"1\" at byte 2"),
        ("1.", "it ends too early"), ("+1", "unexpected \"+1\" at byte 1"), ("tru", "it ends too early"),
        ("nulL", "unexpected \"L\" at byte 4"), ("\"\\x\"", "unexpected \"x\"\" at byte 3"),
        ("\"\u{1}\"", "unexpected \"\"\" at byte 2"), ("[1 2]", "unexpected \"2]\" at byte 4"),
        ("\u{1B}[31m", "unexpected \"[31m\" at byte 1"),
    ])
    func `the first mistake is reported with its position`(text: String, message: String) {
        #expect(problem(text.utf8) == message)
    }

    @Test func `nesting is limited`() {
        let depth = JSONScanner.maxDepth
        let nested = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
        #expect(problem(nested(depth).utf8) == nil)
        #expect(problem(nested(depth + 1).utf8) == "nested more than 128 levels")
        #expect(problem(String(repeating: "{\"a\":", count: 100_000).utf8) == "nested more than 128 levels")
    }

    @Test func `invalid UTF-8 is replaced`() throws {
        let scanner = try JSONScanner([0x22, 0xFF, 0x22])
        #expect(try scanner.value(at: HTTPOptions.JSONPath("$")) == .scalar(.string("\u{FFFD}")))
    }
}

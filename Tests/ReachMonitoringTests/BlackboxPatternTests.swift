import Testing

@testable import ReachMonitoring

struct BlackboxPatternTests {
    /// Texts that Go's pattern finds, and texts in which it finds nothing.
    private static let cases: [(pattern: String, found: [String], not: [String])] = [
        ("a.b", ["a\rb", "axb"], ["a\nb"]),
        ("(?s)a.b", ["a\nb"], ["ab"]),
        ("^\\d+$", ["12"], ["12\n", "٣"]),
        ("\\pL\\PL", ["a1", "é-"], ["ab"]),
        ("[[:digit:]]x[[a]", ["1x[", "2xa"], ["ax[", "1xb"]),
        ("[]a]", ["]", "a"], ["b"]),
        ("[^]a]", ["b"], ["]", "a"]),
        ("[a-z&&b]", ["&", "q"], ["-", "1"]),
        ("[+--]", ["-", ","], ["a"]),
        ("\\Qa.b[\\E+", ["a.b[", "xa.b[["], ["axb["]),
        ("(?P<name>x)y", ["xy"], ["x"]),
        ("(?i)HELLO", ["hello"], ["help"]),
        ("status\\.x\\[", ["status.x["], ["status-x["]),
    ]

    @Test func `patterns of Go find in Swift what they find in Go`() throws {
        for (pattern, found, not) in Self.cases {
            let regex = try Regex(BlackboxPattern(go: pattern).expression).matchingSemantics(.unicodeScalar)
            for text in found {
                #expect(try regex.firstMatch(in: text) != nil, "\(pattern) in \(text.debugDescription)")
            }
            for text in not { #expect(try regex.firstMatch(in: text) == nil, "\(pattern) in \(text.debugDescription)") }
        }
    }

    @Test func `patterns of the settings stay as they are`() {
        let pattern = BlackboxPattern("a.b[[x]]")
        #expect(pattern.expression == "a.b[[x]]" && pattern.text == "a.b[[x]]")
        #expect(BlackboxPattern(go: "a.b").text == "a.b")
    }
}

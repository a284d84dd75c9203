import ReachBasics
import Testing

struct EscapingTests {
    @Test(
        arguments: [
            ("", ""), ("a b", "a b"), ("\"\\", #"\"\\"#), ("\n\r\t", #"\n\r\t"#), ("\u{1B}[2J", #"\u001b[2J"#),
            ("\u{9B}\u{2028}", #"\u009b\u2028"#), ("ä🙂", "ä🙂"),
        ]
    )
    func `a JSON string has no control characters`(text: String, escaped: String) {
        #expect(text.jsonEscaped == escaped)
        #expect(text.jsonString == "\"\(escaped)\"")
    }

    @Test(arguments: [("", ""), ("aZ09-._~", "aZ09-._~"), ("a b/ü\n", "a%20b%2F%C3%BC%0A"), ("%", "%25")])
    func `all but unreserved characters are percent-encoded, and decoded`(text: String, encoded: String) {
        #expect(text.percentEncoded == encoded)
        #expect(encoded.percentDecoded == text)
        #expect("a/ü".percentEncoded(except: "/") == "a/%C3%BC")
    }

    @Test(arguments: ["%", "%4", "%zz", "%FF"]) func `malformed escapes and invalid UTF-8 are rejected`(text: String) {
        #expect(text.percentDecoded == nil)
    }
}

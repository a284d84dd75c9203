import ReachBasics
import Testing

struct TextTests {
    @Test(
        arguments: [
            ("", ""), (" ", ""), (" a ", "a"), ("\t a b\r\n", "a b"), ("\u{A0}ä\u{3000}", "ä"), ("a", "a"),
        ]
    )
    func `white space around a text is removed`(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed)
        #expect(text[...].trimmed == trimmed)
    }

    @Test func `only white space is blank`() {
        #expect(["", " ", "\t\u{A0}\r\n"].allSatisfy { $0.isBlank })
        #expect(!["a", " a ", "\0"].contains { $0.isBlank })
    }

    /// RFC 9110 §5.5: visible characters, blanks, tabs and bytes beyond ASCII.
    @Test func `a field value has no controls of ASCII but tabs`() {
        #expect(["", "a b", "a\tb", "ä"].allSatisfy { $0.isFieldValue })
        #expect(!["a\r", "a\nb", "\0", "\u{1F}", "\u{7F}"].contains { $0.isFieldValue })
    }

    @Test func `letters and digits are those of ASCII`() {
        let bytes = UInt8.min...UInt8.max
        #expect(bytes.filter(\.isASCIIDigit) == Array("0123456789".utf8))
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        #expect(bytes.filter(\.isASCIILetter) == letters)
        #expect(bytes.filter(\.isASCIILetterOrDigit) == Array("0123456789".utf8) + letters)
    }

    /// C0, delete and C1 controls, and the separators of lines and paragraphs.
    @Test func `control characters are those that move the cursor or begin a sequence`() {
        let controls = (UInt32.min...0x2FFFF).compactMap(Unicode.Scalar.init).filter(\.isControl).map(\.value)
        #expect(controls == Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029])
    }

    /// UAX #9 §2: the marks, embeddings, overrides and isolates.
    @Test func `what a terminal executes is a control or changes the direction of text`() {
        let scalars = (UInt32.min...0x2FFFF).compactMap(Unicode.Scalar.init).filter {
            $0.isControlling && !$0.isControl
        }
        #expect(
            scalars.map(\.value) == [0x61C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
        )
    }

    @Test func `nothing that a terminal executes is printable`() {
        let scalars = (UInt32.min...0x10FFFF).compactMap(Unicode.Scalar.init)
        #expect(!scalars.contains { $0.isPrintable && $0.isControlling })
        #expect(
            ["a", " ", "é", "́", "漢", "\u{E000}", "🙂"].allSatisfy { Unicode.Scalar($0).map(\.isPrintable) ?? false }
        )
        #expect(
            !["\u{200B}", "\u{FEFF}", "\u{AD}", "\u{E0001}", "\u{0378}"].contains {
                Unicode.Scalar($0)?.isPrintable ?? true
            }
        )
    }

    @Test(
        arguments: [(7, 3, 2, 1), (6, 3, 2, 0), (-1, 3, -1, 2), (-3, 3, -1, 0), (-7, 3, -3, 2), (0, 5, 0, 0)]
            as [(Int64, Int64, Int64, Int64)]
    )
    func `division rounds down`(number: Int64, divisor: Int64, quotient: Int64, remainder: Int64) {
        #expect(number.floorDivided(by: divisor) == quotient)
        #expect(number.floorRemainder(by: divisor) == remainder)
    }
}

struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `base64 is encoded and decoded`(text: String, encoded: String) {
        #expect(Array(text.utf8).base64 == encoded)
        #expect([UInt8](base64: encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg=", "Z===", "====", "Zg=x", "Zm9\n", "Zä=="])
    func `text that is not base64 is rejected`(text: String) {
        #expect([UInt8](base64: text) == nil)
    }
}

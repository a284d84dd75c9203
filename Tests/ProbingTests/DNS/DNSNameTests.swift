import Monitoring
import Testing

@testable import Probing

struct DNSNameTests {
    @Test(
        arguments: [
            ("example.com", [7, 101, 120, 97, 109, 112, 108, 101, 3, 99, 111, 109, 0]),
            ("a.", [1, 97, 0]),
            (".", [0]),
            (#"a\.b.c"#, [3, 97, 46, 98, 1, 99, 0]),
            (#"\000\255\032"#, [3, 0, 255, 32, 0]),
            (#"\\"#, [1, 92, 0]),
            // Neither three digits nor the end: the digit itself.
            (#"\12"#, [2, 49, 50, 0]),
            ("ü", [2, 0xC3, 0xBC, 0]),
        ] as [(String, [UInt8])]
    )
    func `a name is its labels behind their lengths`(text: String, wire: [UInt8]) throws {
        let name = try #require(DNSName(text))
        #expect(name.wire == wire)
        #expect(DNSName(name.description) == name, "\(name)")
        #expect(try Question("dns://system/\(text)").host == nil, "the settings take it")
    }

    @Test(arguments: ["", "..", ".a", "a..b", "a..", #"a\"#, #"\256"#, String(repeating: "x", count: 64)])
    func `what is no name is none`(text: String) {
        #expect(DNSName(text) == nil)
        #expect(throws: URLProblem.self, "the settings refuse it") { try Question("dns://system/\(text)") }
    }

    @Test func `a name has 255 bytes at the most`() throws {
        let label = String(repeating: "x", count: 63)
        let longest = "\(label).\(label).\(label).\(label.dropLast(2))"
        #expect(try #require(DNSName(longest)).wire.count == 255)
        #expect(DNSName(longest + "x") == nil)
        #expect(throws: URLProblem.self) {
            try Question("dns://system/\(longest)x")
        }
        _ = try Question("dns://system/\(longest)")
        #expect(DNSName(String(repeating: "a.", count: 127))?.wire.count == 255)
        #expect(DNSName(String(repeating: "a.", count: 128)) == nil)
    }

    @Test func `the case of letters and the dot at the end do not matter`() {
        #expect(DNSName("WWW.Example.com.") == DNSName("www.eXAMPLE.COM"))
        #expect(DNSName("WWW.Example.com")?.hashValue == DNSName("www.example.com")?.hashValue)
        #expect(DNSName("[.example") != DNSName("{.example"))
        #expect(DNSName("example") != DNSName("example.com"))
    }

    @Test func `a name is written in printable characters`() {
        #expect(DNSName(wire: [4, 27, 32, 46, 92, 2, 0xC3, 0xBC, 0]).description == #"\027\032\.\\.\195\188"#)
    }

    @Test(
        arguments: [
            ("1.2.3.4", .ptr, "4.3.2.1.in-addr.arpa"),
            (
                "2001:db8::567:89ab", .ptr,
                "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"
            ),
            ("4.3.2.1.in-addr.arpa", .ptr, "4.3.2.1.in-addr.arpa"),
            ("1.2.3.4", .a, "1.2.3.4"),
            ("10", .ptr, "10"),
        ] as [(String, DNSQuestion.RecordType, String)]
    )
    func `the pointer of an address is under its reverse name`(
        text: String,
        type: DNSQuestion.RecordType,
        name: String
    ) {
        let question = DNSQuestion(server: .system, name: text, type: type)
        #expect(DNSName(askedBy: question)?.description == name)
    }

    @Test(arguments: ["0.0.0.0", "192.0.2.1", "255.254.253.252", "::", "2001:db8::1", "::ffff:1.2.3.4"])
    func `an address is its bytes`(text: String) throws {
        let address = try #require(IPAddress(literal: text))
        #expect(address.bytes.count == (text.contains(":") ? 16 : 4))
        #expect(IPAddress(bytes: address.bytes) == address)
        #expect(IPAddress(bytes: address.bytes.dropLast()) == nil)
    }
}

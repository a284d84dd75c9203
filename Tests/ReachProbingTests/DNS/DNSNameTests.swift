import ReachMonitoring
import Testing

@testable import ReachProbing

struct DNSNameTests {
    @Test(
        arguments: [
            ("example.com", [7, 101, 120, 97, 109, 112, 108, 101, 3, 99, 111, 109, 0]),
            ("a.", [1, 97, 0]),
            (".", [0]),
            (#"a\.b.c"#, [3, 97, 46, 98, 1, 99, 0]),
            (#"\000\255\032"#, [3, 0, 255, 32, 0]),
            (#"\\"#, [1, 92, 0]),
            // Not three digits: the digit itself.
            (#"\12"#, [2, 49, 50, 0]),
            ("ü", [2, 0xC3, 0xBC, 0]),
        ] as [(String, [UInt8])]
    )
    func `a name is parsed to wire format`(text: String, wire: [UInt8]) throws {
        let name = try #require(DNSName(text))
        #expect(name.wire == wire)
        #expect(DNSName(name.description) == name, "\(name)")
        #expect(try Question("dns://system/\(text)").host == nil, "the settings accept it")
    }

    @Test(arguments: ["", "..", ".a", "a..b", "a..", #"a\"#, #"\256"#, String(repeating: "x", count: 64)])
    func `an invalid name is rejected`(text: String) {
        #expect(DNSName(text) == nil)
        #expect(throws: URLProblem.self, "the settings reject it") { try Question("dns://system/\(text)") }
    }

    @Test func `a name has at most 255 bytes`() throws {
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

    @Test func `names are compared without case and trailing dot`() {
        #expect(DNSName("WWW.Example.com.") == DNSName("www.eXAMPLE.COM"))
        #expect(DNSName("WWW.Example.com")?.hashValue == DNSName("www.example.com")?.hashValue)
        #expect(DNSName("[.example") != DNSName("{.example"))
        #expect(DNSName("example") != DNSName("example.com"))
    }

    @Test func `a name is printed in printable ASCII`() {
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
    func `PTR of an address queries its reverse name`(
        text: String,
        type: DNSQuestion.RecordType,
        name: String
    ) {
        let question = DNSQuestion(server: .system, name: text, type: type)
        #expect(DNSName(queriedBy: question)?.description == name)
    }

    @Test(arguments: ["0.0.0.0", "192.0.2.1", "255.254.253.252", "::", "2001:db8::1", "64:ff9b::1.2.3.4"])
    func `an address is converted to bytes and back`(text: String) throws {
        let address = try #require(IPAddress(literal: text))
        #expect(address.bytes.count == (text.contains(":") ? 16 : 4))
        #expect(IPAddress(bytes: address.bytes) == address)
        #expect(IPAddress(bytes: address.bytes.dropLast()) == nil)
    }
}

import ArgumentParser
import Testing

@testable import reach

@Suite struct ListenAddressTests {
    @Test(
        arguments: [
            ("9720", "127.0.0.1:9720"), ("0", "127.0.0.1:0"), ("65535", "127.0.0.1:65535"),
            ("0.0.0.0:80", "0.0.0.0:80"), ("localhost:80", "127.0.0.1:80"), ("[::1]:9720", "[::1]:9720"),
            ("[::]:9720", "[::]:9720"), ("127.5.6.7:1", "127.5.6.7:1"), ("[0:0:0:0:0:0:0:1]:9720", "[::1]:9720"),
            ("[::0001]:1", "[::1]:1"), ("[::FFFF:127.0.0.1]:1", "[::ffff:127.0.0.1]:1"),
            ("[::ffff:7f00:1]:1", "[::ffff:127.0.0.1]:1"), ("[::ffff:192.0.2.1]:1", "[::ffff:192.0.2.1]:1"),
            ("[::127.0.0.1]:1", "[::127.0.0.1]:1"), ("[2001:DB8::1]:1", "[2001:db8::1]:1"),
        ]
    )
    func `a port is valid with or without an address`(_ argument: String, _ text: String) throws {
        let address = try ListenAddress(argument)
        #expect(address.text == text)
        let loopback = ["127.0.0.1", "127.5.6.7", "::1", "::ffff:127.0.0.1"]
        #expect(address.isLoopback == loopback.contains(address.host))
    }

    @Test(
        arguments: [
            ("", #"invalid port """#), ("x", #"invalid port "x""#), ("-1", #"invalid port "-1""#),
            ("١", "invalid port"),
            ("127.0.0.1", #"invalid port "127.0.0.1""#), ("127.0.0.1:", #"invalid port """#),
            ("[::1]", #"invalid port """#),
            ("65536", "port out of range"), ("9999999999999999999", "port out of range"),
            (":9720", "0.0.0.0:9720 listens on all interfaces"), ("::1:9720", "needs brackets"),
            ("example.com:80", #""example.com" is not a numeric address"#), ("1.2.3:80", "is not a numeric address"),
            ("[127.0.0.1]x:80", "invalid port"), ("[:1]:80", "is not a numeric address"),
        ]
    )
    func `an invalid address has a problem and a fix`(_ argument: String, _ problem: String) throws {
        let error = #expect(throws: ValidationError.self) { try ListenAddress(argument) }
        let message = try #require(error).message
        #expect(message.contains(problem), "\(message)")
        #expect(!message.contains("\n"))
    }
}

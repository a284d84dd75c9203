import ArgumentParser
import Testing

@testable import reach

@Suite struct ListenAddressTests {
    @Test(
        arguments: [
            ("9720", "127.0.0.1:9720"), ("0", "127.0.0.1:0"), ("65535", "127.0.0.1:65535"),
            ("0.0.0.0:80", "0.0.0.0:80"), ("localhost:80", "127.0.0.1:80"), ("[::1]:9720", "[::1]:9720"),
            ("[::]:9720", "[::]:9720"), ("127.5.6.7:1", "127.5.6.7:1"),
        ]
    )
    func `a port or an address with a port is where to listen`(_ words: String, _ text: String) throws {
        let address = try ListenAddress(words)
        #expect(address.text == text)
        #expect(address.isLoopback == (address.host.hasPrefix("127.") || address.host == "::1"))
    }

    @Test(
        arguments: [
            ("", #"invalid port """#), ("x", #"invalid port "x""#), ("-1", #"invalid port "-1""#),
            ("١", "invalid port"),
            ("127.0.0.1", #"invalid port "127.0.0.1""#), ("127.0.0.1:", #"invalid port """#),
            ("[::1]", #"invalid port """#),
            ("65536", "ports end at 65535"), ("9999999999999999999", "ports end at 65535"),
            (":9720", "0.0.0.0:9720 hears every network"), ("::1:9720", "in brackets"),
            ("example.com:80", #""example.com" is not a numeric address"#), ("1.2.3:80", "is not a numeric address"),
            ("[127.0.0.1]x:80", "invalid port"), ("[:1]:80", "is not a numeric address"),
        ]
    )
    func `what is none says what to write instead`(_ words: String, _ why: String) throws {
        let problem = #expect(throws: ValidationError.self) { try ListenAddress(words) }
        let message = try #require(problem).message
        #expect(message.contains(why) && message.hasPrefix("--listen \(words): "), "\(message)")
        #expect(!message.contains("\n"))
    }
}

import Testing

@testable import Probing

struct ResolverFileTests {
    @Test(
        arguments: [
            ("nameserver 192.0.2.1\n", ["192.0.2.1"]),
            ("nameserver\t192.0.2.1", ["192.0.2.1"]),
            ("search example.com\nnameserver 192.0.2.2\noptions timeout:1 attempts:9\n", ["192.0.2.2"]),
            ("nameserver 192.0.2.3   # the router\r\nnameserver 2001:db8::53\r\n", ["192.0.2.3", "2001:db8::53"]),
            ("nameserver fe80::1%lo\n", ["fe80::1%lo"]),
            ("# nameserver 192.0.2.9\n;nameserver 192.0.2.9\nnameserver 192.0.2.4\n", ["192.0.2.4"]),
            // The keyword starts the line and is a whole word.
            (" nameserver 192.0.2.9\nnameservers 192.0.2.9\nnameserver 192.0.2.5", ["192.0.2.5"]),
            ("nameserver one.example\nnameserver\nnameserver 999.0.2.1\nnameserver 192.0.2.6", ["192.0.2.6"]),
            (
                "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver 192.0.2.4\n",
                ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
            ),
            // Without a resolver, localhost is used.
            ("", ["127.0.0.1"]),
            ("options edns0\n", ["127.0.0.1"]),
        ] as [(String, [String])]
    )
    func `resolvers are parsed in order`(text: String, resolvers: [String]) {
        #expect(ResolverFile(text).resolvers.map { "\($0)" } == resolvers)
    }

    @Test func `a changed file is read again, and localhost replaces a missing one`() throws {
        let file = try ScratchFile("nameserver 192.0.2.1\n")
        let resolvers = SystemResolvers(path: file.path)
        func now(_ seconds: Int) -> [String] { resolvers.servers(at: .seconds(seconds)).map { "\($0.address)" } }
        #expect(now(0) == ["192.0.2.1"])
        try file.write("nameserver 192.0.2.2\nnameserver 192.0.2.3\n")
        #expect(now(4) == ["192.0.2.1"])
        #expect(now(5) == ["192.0.2.2", "192.0.2.3"])
        file.remove()
        #expect(now(10) == ["127.0.0.1"])
    }
}

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A resolver that answers only for one of two DNS zones.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.canMakeNetworks && Machine.hasPython, "network namespaces or python3 are missing")
    )
    struct SilentZoneTests {
        @Test(arguments: [300, 1_000])
        func `names that resolve come up at once beside names without an answer`(dead: Int) async throws {
            let scratch = try Scratch()
            let network = try Namespace()
            try network.setResolver("127.0.0.1")
            let start = { (words: [String]) in
                let streams = Child.Streams.files(
                    output: "/dev/null",
                    errors: scratch.file("server.err")
                )
                return try Child(network.words(words), in: scratch.path, streams: streams)
            }
            let server = try start(["/usr/bin/python3", "-c", Self.server])
            let dead = (1...dead).map { "n\($0).dead.test" }
            let good = (1...20).map { "g\($0).good.test" } + ["localhost"]
            // The names without an answer come first.
            let targets = (dead + good).map { "[[target]]\nname = \"\($0)\"\nurl = \"tcp://\($0):8080\"\n" }
            let defaults = "[defaults]\ninterval = \"1s\"\nfamily = \"4\"\n"
            let path = try scratch.write(defaults + targets.joined(), to: "settings.toml")
            try await eventually("servers") {
                (try? Tool.run(network.words("/usr/bin/getent", "ahosts", "g1.good.test"), in: scratch.path))?.status
                    == 0
            }
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            let began = wallTime()
            let ups = { scratch.lines(of: "out").count { $0.hasSuffix("  up") } }
            try await eventually("21 up", within: .seconds(8), context: { scratch.text(of: "out") }) { ups() == 21 }
            let time = wallTime() - began
            print("21 names that resolve, beside \(dead.count) that do not, up after \(Int(time * 1_000)) ms")
            // The first probes are spread over one interval.
            #expect(time < 2.5)
            #expect(
                !scratch.lines(of: "out").contains { $0.contains("good.test  down") || $0.contains("localhost  down") }
            )
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(server) {}
        }

        /// A script that answers for names in good.test and accepts connections.
        private static let server = """
            import socket, struct, threading
            def web():
                server = socket.create_server(("127.0.0.1", 8080), backlog=200)
                while True:
                    server.accept()[0].close()
            threading.Thread(target=web, daemon=True).start()
            dns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            dns.bind(("127.0.0.1", 53))
            while True:
                query, peer = dns.recvfrom(512)
                if b"\\x04good\\x04test\\x00" not in query:
                    continue
                end = query.index(b"\\x00", 12) + 5
                isFour = query[end - 4:end - 2] == b"\\x00\\x01"
                head = query[:2] + struct.pack(">HHHHH", 0x8180, 1, int(isFour), 0, 0)
                record = struct.pack(">HHHIH4s", 0xC00C, 1, 1, 60, 4, bytes([127, 0, 0, 1])) if isFour else b""
                dns.sendto(head + query[12:end] + record, peer)
            """
    }
}

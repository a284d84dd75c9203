import Foundation
import Testing

extension EndToEnd {
    /// The effects of this machine's addresses and ports on probes.
    @Suite(.serialized, .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"))
    struct AddressFaultTests {
        private let scratch: Scratch
        private let network: Namespace

        init() throws {
            scratch = try Scratch()
            network = try Namespace()
        }

        /// Runs `watch` for a while and returns its lines.
        private func watch(_ settings: String, for time: Duration) async throws -> [String] {
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            try await Task.sleep(for: time)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            return scratch.lines(of: "out") + scratch.lines(of: "err")
        }

        @Test func `a closed port in the ephemeral range is never up`() async throws {
            // Of two ports, the kernel chooses the even one as the source port of a connection.
            try network.set("net.ipv4.ip_local_port_range", to: "40000 40001")
            let urls = [
                "tcp://127.0.0.1:40000", "session://127.0.0.1:40000", "udp://127.0.0.1:40000",
                "dns://127.0.0.1:40000/a.test", "tls://127.0.0.1:40000", "http://127.0.0.1:40000/",
                "https://127.0.0.1:40000/",
            ]
            for url in urls {
                let target = "[[target]]\nname = \"It\"\nurl = \"\(url)\"\ninterval = \"500ms\"\nfall = 1\n"
                let lines = try await watch(target, for: .seconds(3))
                #expect(lines.contains { $0.contains("It  down") }, "\(url): \(lines)")
                #expect(!lines.contains { $0.hasSuffix("It  up") || $0.contains("It  up ") }, "\(url): \(lines)")
                let downs = lines.filter { $0.contains("It  down") }
                #expect(downs.allSatisfy { $0.contains("refused") }, "\(url): \(lines)")
            }
        }

        @Test func `with IPv6 disabled there is no route`() async throws {
            try network.set("net.ipv6.conf.all.disable_ipv6", to: "1")
            let urls = [
                "icmp://[2001:db8::1]", "tcp://[2001:db8::1]:9", "session://[2001:db8::1]:9", "udp://[2001:db8::1]:9",
                "dns://[2001:db8::1]/a.test", "http://[2001:db8::1]/", "tls://[2001:db8::1]",
            ]
            for url in urls {
                let tool = try Tool.run(
                    network.words(Program.path, "check", "--json", url),
                    in: scratch.path
                )
                #expect(tool.output.contains("\"no_route\""), "\(url): \(tool.output)\(tool.errors)")
            }
        }

        @Test(.enabled(if: Machine.hasPython, "python3 is not installed"))
        func `three targets from one address need no more than forty ports`() async throws {
            try network.set("net.ipv4.ip_local_port_range", to: "40000 40039")
            let servers = (30_000...30_002).map { $0 }
            let listeners = try servers.map { port in
                try Child(
                    network.words("/usr/bin/python3", "-c", Self.server, "\(port)"),
                    in: scratch.path,
                    streams: .files(output: "/dev/null", errors: "/dev/null")
                )
            }
            let targets = servers.map { port in
                "[[target]]\nname = \"P\(port)\"\nurl = \"tcp://127.0.0.1:\(port)\"\nsource = \"127.0.0.5\"\ninterval = \"100ms\"\n"
            }
            let lines = try await watch(targets.joined(), for: .seconds(4))
            #expect(lines.count { $0.hasSuffix("  up") } == 3, "\(lines)")
            #expect(!lines.contains { $0.contains("cannot be probed") || $0.contains("down") }, "\(lines)")
            withExtendedLifetime(listeners) {}
        }

        /// Accepts connections, and closes each after its peer has closed.
        private static let server = """
            import socket, sys
            server = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=100)
            while True:
                connection, _ = server.accept()
                connection.recv(1)
                connection.close()
            """
    }
}

import Foundation
import Testing

extension EndToEnd {
    /// A name whose preferred address drops every packet, and whose other address answers.
    @Suite(.serialized, .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"))
    struct SeveralAddressesTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
            try near.connect(to: far)
            try far.ip("address", "add", "198.51.100.7/32", "dev", "lo")
            try near.ip("route", "add", "198.51.100.0/24", "via", "192.0.2.2")
            // No host has this address, but it has a permanent neighbour entry. It is nearer, and so preferred (RFC
            // 6724).
            try near.ip(
                "neighbour",
                "add",
                "192.0.2.9",
                "lladdr",
                "02:00:00:00:00:01",
                "dev",
                "v0",
                "nud",
                "permanent"
            )
            let folder = "/etc/netns/\(near.name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let hosts = "127.0.0.1 localhost\n192.0.2.9 both.test\n198.51.100.7 both.test\n"
            try Data(hosts.utf8).write(to: URL(filePath: "\(folder)/hosts"))
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `echo requests switch to the address that answers, also with fall = 1`()
            async throws
        {
            let settings = """
                [defaults]
                interval = "400ms"
                timeout = "400ms"
                fall = 1
                [[target]]
                name = "Both"
                url = "icmp://both.test"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start(near.words(Program.path, "watch", "--json", "--config", path))
            let first = try await eventually("verdict", context: { scratch.text(of: "out") + scratch.text(of: "err") })
            {
                scratch.lines(of: "out").first
            }
            #expect(first.contains("\"to\":\"up\""), "\(first)")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a connection uses the address that answers, and reports its refusal`()
            async throws
        {
            let tool = try Tool.run(
                near.words(Program.path, "check", "--json", "tcp://both.test:9"),
                in: scratch.path
            )
            #expect(tool.output.contains("\"refused\""), "\(tool.output)\(tool.errors)")
            #expect(tool.output.contains("198.51.100.7"), "\(tool.output)")
        }

        private static let each = """
            [[target]]
            name = "Both"
            url = "tcp://both.test:9"
            addresses = "each"
            interval = "200ms"
            timeout = "200ms"
            [[target.hooks]]
            on = "down"
            at_start = true
            run = "echo $REACH_TARGET at $REACH_ADDRESS: $REACH_REASON >> hooks"
            """

        @Test func `with each, check judges every address of a name`() throws {
            let path = try scratch.write(Self.each, to: "settings.toml")
            let tool = try Tool.run(near.words(Program.path, "check", "--json", "--config", path), in: scratch.path)
            let lines = tool.output.split(separator: "\n")
            #expect(tool.output.contains("Both 192.0.2.9"), "\(tool.output)\(tool.errors)")
            #expect(tool.output.contains("Both 198.51.100.7"), "\(tool.output)")
            #expect(tool.output.contains("\"refused\""), "\(lines)")
            #expect(tool.status == 1)
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `with each, wait no longer waits for an address that the name has left`() async throws {
            let settings = "[[target]]\nname = \"Both\"\nurl = \"icmp://both.test\"\naddresses = \"each\"\n"
            let path = try scratch.write(settings, to: "settings.toml")
            let words = ["wait", "--within", "20s", "--config", path, "@Both", "--", "echo", "there"]
            let child = try scratch.start(near.words(Program.path) + words)
            try await Task.sleep(for: .seconds(1))
            #expect(child.status == nil, "\(scratch.text(of: "err"))")
            // Written in place: the namespace has the file itself mounted, not its path.
            let hosts = try #require(FileHandle(forWritingAtPath: "/etc/netns/\(near.name)/hosts"))
            try hosts.write(contentsOf: Data("198.51.100.7 both.test\n".utf8))
            try hosts.truncate(atOffset: 23)
            try hosts.close()
            try await eventually("end of the wait", within: .seconds(15)) { child.status != nil }
            #expect(child.status == 0, "\(scratch.text(of: "err"))")
            #expect(scratch.text(of: "out") == "there\n")
        }

        @Test func `with each, every address has a row, metrics and hooks of its own`() async throws {
            let path = try scratch.write(Self.each, to: "settings.toml")
            let child = try scratch.start(
                near.words(Program.path, "watch", "--config", path, "--listen", "127.0.0.1:9")
            )
            let rows = ["192.0.2.9", "198.51.100.7"]
            let output = { scratch.text(of: "out") + scratch.text(of: "err") }
            _ = try await eventually("both rows are down", context: output) {
                rows.allSatisfy { scratch.text(of: "out").contains("Both \($0)  down") } ? true : nil
            }
            _ = try await eventually("both hooks ran", context: { scratch.text(of: "hooks") }) {
                scratch.lines(of: "hooks").sorted() == ["Both at 192.0.2.9: timeout", "Both at 198.51.100.7: refused"]
                    ? true : nil
            }
            let metrics = try Tool.run(near.words("curl", "-s", "http://127.0.0.1:9/metrics"), in: scratch.path).output
            for row in rows { #expect(metrics.contains("reach_up{target=\"Both \(row)\""), "\(metrics)") }
            #expect(!metrics.contains("target=\"Both\""))
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

extension EndToEnd {
    /// Names with addresses of both families, in networks with one or both families.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
        .enabled(if: Machine.canPing, "no ICMP socket may be opened here"),
        .enabled(if: Machine.hasNameServer, "dnsmasq is not installed")
    ) struct AddressFamilyTests {
        /// The families of a network besides loopback.
        enum Reach: CaseIterable {
            case both
            case v4
            case v6
        }

        private static let settings = """
            [defaults]
            interval = "300ms"
            [[target]]
            name = "Any"
            url = "icmp://both.test"
            [[target]]
            name = "Four"
            url = "icmp://both.test"
            family = "4"
            [[target]]
            name = "Six"
            url = "icmp://both.test"
            family = "6"
            [[target]]
            name = "Both"
            url = "icmp://both.test"
            family = "both"
            [[target]]
            name = "Half"
            url = "icmp://four.test"
            family = "both"
            [[target]]
            name = "Lost"
            url = "icmp://six.test"
            family = "4"
            """

        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
        }

        /// Creates the network and its name server, and writes the settings.
        private func start(_ reach: Reach) async throws -> (server: NameServer, settings: String) {
            try near.connect(to: far)
            try far.ip("address", "add", "2001:db8:1::2/64", "dev", "v0", "nodad")
            if reach == .v6 { try near.ip("address", "del", "192.0.2.1/24", "dev", "v0") }
            if reach != .v4 { try near.ip("address", "add", "2001:db8:1::1/64", "dev", "v0", "nodad") }
            let (four, six) = ("192.0.2.2", "2001:db8:1::2")
            let server = try await NameServer(
                in: near,
                records: ["both.test,\(four),\(six)", "four.test,\(four)", "six.test,\(six)"],
                scratch: scratch
            )
            return (server, try scratch.write(Self.settings, to: "settings.toml"))
        }

        @Test(arguments: Reach.allCases)
        func `each family is judged separately, and the unavailable one reports its reason`(in reach: Reach)
            async throws
        {
            let (server, path) = try await start(reach)
            let child = try scratch.start(near.words(Program.path, "watch", "--config", path))
            let unreachable = "down after 3 losses: network unreachable"
            let four = reach == .v6 ? unreachable : "up"
            let six = reach == .v4 ? unreachable : "up"
            let verdicts = [
                "Any": "up", "Four": four, "Six": six, "Both IPv4": four, "Both IPv6": six, "Half IPv4": four,
                "Half IPv6": "down after 3 losses: four.test has no IPv6 address",
                "Lost": "down after 3 losses: six.test has no IPv4 address",
            ]
            for (name, verdict) in verdicts {
                let line = "  \(name)  \(verdict)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                    scratch.lines(of: "out").contains { $0.hasSuffix(line) }
                }
            }
            #expect(scratch.lines(of: "out").count == verdicts.count, "\(scratch.text(of: "out"))")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(server) {}
        }

        @Test(.enabled(if: Machine.hasTmux, "tmux is not installed"))
        func `a target with one family up shows both rows`() async throws {
            let (server, path) = try await start(.v4)
            let screen = try Screen(near.words(Program.path, "--config", path).joined(separator: " "), in: scratch)
            try await screen.wait(forRowWith: "○ Both IPv6", "down", "network unreachable")
            try await screen.wait(forRowWith: "● Both IPv4", "up")
            try await screen.wait(forRowWith: "○ Half IPv6", "down", "four.test has no IPv6 address")
            try await screen.wait(forRowWith: "● Half IPv4", "up")
            try await screen.wait(for: "● 4 up")
            withExtendedLifetime(server) {}
        }
    }
}

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

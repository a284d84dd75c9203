import Foundation
import Testing

extension EndToEnd {
    /// What probes report that this machine itself refuses, and those whose replies come late or from elsewhere.
    @Suite(.serialized, .enabled(if: Machine.canDrop, "network namespaces with nftables cannot be made here"))
    struct LocalFilterTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
            try near.connect(to: far)
            try near.ip("address", "add", "2001:db8:1::1/64", "dev", "v0", "nodad")
            try far.ip("address", "add", "2001:db8:1::2/64", "dev", "v0", "nodad")
        }

        /// Adds a chain for outgoing packets with one rule.
        private func filter(_ network: Namespace, hook: String = "output", _ rule: String) throws {
            try Tool.must(network.words("nft", "flush ruleset"))
            let chain = "add chain inet t c { type filter hook \(hook) priority 0; }"
            try Tool.must(network.words("nft", "add table inet t; \(chain); add rule inet t c \(rule)"))
        }

        /// Probes each target once, and returns the health, problem, reason and detail of each.
        private func check(_ urls: [String], options: String = "") throws -> [String] {
            let targets = urls.map { "[[target]]\nname = \"\($0)\"\nurl = \"\($0)\"\n\(options)\n" }
            let defaults = "[defaults]\ntimeout = \"1.6s\"\ninterval = \"2s\"\n"
            let path = try scratch.write(defaults + targets.joined(), to: "settings.toml")
            let tool = try Tool.run(
                near.words(Program.path, "check", "--json", "--count", "1", "--config", path),
                in: scratch.path
            )
            let report = try JSONSerialization.jsonObject(with: Data(tool.output.utf8)) as? [String: Any]
            let objects = report?["targets"] as? [[String: Any]] ?? []
            #expect(objects.count == urls.count, "\(tool.output)\(tool.errors)")
            return objects.map { object in
                ["health", "problem", "reason", "detail"].map { object[$0] as? String ?? "-" }.joined(separator: " ")
            }
        }

        private static let datagrams = [
            "icmp://192.0.2.2", "icmp://2001:db8:1::2", "udp://192.0.2.2:9", "udp://[2001:db8:1::2]:9",
            "dns://192.0.2.2/a.test", "dns://[2001:db8:1::2]/a.test",
        ]
        private static let connections = ["tcp://192.0.2.2:9", "tcp://[2001:db8:1::2]:9"]
        private static let exchanges = [
            "http://192.0.2.2/", "tls://[2001:db8:1::2]", "redis://192.0.2.2", "session://192.0.2.2:9",
        ]
        private static let refused = "unknown local_filter - the packet filter of this machine refused it"

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `a packet filter of this machine is a fault of every method`() throws {
            try filter(near, "oifname v0 drop")
            let dropped = Self.datagrams + Self.connections + Self.exchanges
            for (url, text) in zip(dropped, try check(dropped)) { #expect(text == Self.refused, "\(url)") }
            for rule in ["reject", "reject with icmpx admin-prohibited"] {
                try filter(near, "oifname v0 \(rule)")
                let rejected = Self.datagrams + Self.connections
                for (url, text) in zip(rejected, try check(rejected)) {
                    #expect(text == Self.refused, "\(rule) \(url)")
                }
            }
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `a packet filter of the peer is the reason of the target`() throws {
            // The resolution of IPv6 addresses goes on.
            let resolution = "icmpv6 type != echo-request accept; add rule inet t c"
            try filter(far, hook: "input", "\(resolution) reject with icmpx admin-prohibited")
            let urls = ["icmp://192.0.2.2", "icmp://2001:db8:1::2", "udp://192.0.2.2:9", "tcp://[2001:db8:1::2]:9"]
            for (url, text) in zip(urls, try check(urls)) {
                #expect(text.contains(" - prohibited prohibited"), "\(url)")
            }
            try filter(far, hook: "input", "\(resolution) drop")
            let silent = Self.connections + ["http://192.0.2.2/", "session://192.0.2.2:9"]
            for (url, text) in zip(silent, try check(silent)) { #expect(text.contains(" - timeout timeout"), "\(url)") }
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `routes of this machine that refuse probes are faults`() throws {
            let words = [
                ("prohibit", "a prohibit route of this machine refused it"),
                ("blackhole", "a blackhole route of this machine dropped it"),
            ]
            for (index, (type, detail)) in words.enumerated() {
                try near.ip("route", "add", type, "198.51.100.\(index)")
                try near.ip("-6", "route", "add", type, "2001:db8:9::\(index)")
                let urls = [
                    "icmp://198.51.100.\(index)", "tcp://198.51.100.\(index):9", "udp://198.51.100.\(index):9",
                    "http://198.51.100.\(index)/", "icmp://2001:db8:9::\(index)", "tcp://[2001:db8:9::\(index)]:9",
                    "http://[2001:db8:9::\(index)]/",
                ]
                for (url, text) in zip(urls, try check(urls)) {
                    #expect(text == "unknown local_filter - \(detail)", "\(url)")
                }
            }
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `a broadcast address is named`() throws {
            let urls = ["icmp://192.0.2.255", "udp://192.0.2.255:9", "dns://192.0.2.255/a.test", "tcp://192.0.2.255:9"]
            let expected = "unknown internal - broadcast address: use the address of a host"
            for (url, text) in zip(urls, try check(urls)) { #expect(text == expected, "\(url)") }
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `an IPv4-mapped address is probed by IPv4`() throws {
            let texts = try check(["icmp://::ffff:192.0.2.2"], options: "source = \"::ffff:192.0.2.1\"")
            #expect(texts.map { $0.hasPrefix("up - - ") } == [true], "\(texts)")
        }

        @Test(
            .enabled(if: Machine.canPing, "no ICMP socket may be opened here"),
            .enabled(if: Machine.hasPython, "python3 is not installed")
        )
        func `a reply from another address is named`() throws {
            try filter(far, "meta nfproto ipv4 ip saddr set 192.0.2.9")
            let server = try Child(
                far.words("/usr/bin/python3", "-c", Self.server),
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: "/dev/null")
            )
            let urls = ["icmp://192.0.2.2", "dns://192.0.2.2/a.test"]
            for (url, text) in zip(urls, try check(urls)) {
                #expect(text.contains(" - answer_mismatch answers from 192.0.2.9"), "\(url)")
            }
            withExtendedLifetime(server) {}
        }

        /// Answers each DNS query without records.
        private static let server = """
            import socket
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind(("192.0.2.2", 53))
            while True:
                query, peer = server.recvfrom(512)
                server.sendto(query[:2] + bytes([query[2] | 0x80]) + query[3:], peer)
            """
    }

    /// Echo replies that come after the timeout.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"),
        .enabled(if: Machine.canPing, "no ICMP socket may be opened here")
    ) struct LateEchoTests {
        @Test func `a timeout shorter than the round trip is named`() async throws {
            let scratch = try Scratch()
            let network = try Namespace()
            let host = try DistantHost(for: network) { _ in .milliseconds(700) }
            let settings = """
                [[target]]
                name = "Far"
                url = "icmp://192.0.2.2"
                interval = "500ms"
                timeout = "200ms"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            try await eventually("the round trip", context: { scratch.text(of: "out") }) {
                let line = #/Far  down after 3 losses: timeout, answers after 7\d\dms: raise timeout/#
                return scratch.text(of: "out").contains(line)
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(host) {}
        }
    }
}

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A host behind a router that sends ICMP errors.
    @Suite(
        .serialized,
        .quiet,

        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
        .enabled(if: Machine.hasSetpriv, "setpriv is not installed")
    ) struct RouterTests {
        /// The socket that receives the router's errors: a raw socket, or the error queue of an unprivileged datagram
        /// socket.
        enum SocketKind: CaseIterable {
            case raw
            case datagram
        }

        /// A target and its expected first line.
        private struct Case {
            let url: String
            var options = ""
            let says: String
        }

        private let scratch: Scratch
        private let near: Namespace
        private let router: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            router = try Namespace()
            far = try Namespace()
            // The near side has .1 and ::1, the router .2 and ::2, in 192.0.2.0/24 and 2001:db8:1::/64. Between the
            // router (.1, ::1) and the far side (.2, ::2) are 198.51.100.0/24 and 2001:db8:2::/64.
            try near.connect(to: router)
            try near.ip("address", "add", "2001:db8:1::1/64", "dev", "v0", "nodad")
            try router.ip("address", "add", "2001:db8:1::2/64", "dev", "v0", "nodad")
            try router.ip("link", "add", "v1", "type", "veth", "peer", "name", "v0", "netns", far.name)
            try router.ip("address", "add", "198.51.100.1/24", "dev", "v1")
            try router.ip("address", "add", "2001:db8:2::1/64", "dev", "v1", "nodad")
            try far.ip("address", "add", "198.51.100.2/24", "dev", "v0")
            try far.ip("address", "add", "2001:db8:2::2/64", "dev", "v0", "nodad")
            try router.ip("link", "set", "v1", "up")
            try far.ip("link", "set", "v0", "up")
            try near.ip("route", "add", "default", "via", "192.0.2.2")
            try near.ip("-6", "route", "add", "default", "via", "2001:db8:1::2")
            try far.ip("route", "add", "default", "via", "198.51.100.1")
            try far.ip("-6", "route", "add", "default", "via", "2001:db8:2::1")
            try router.set("net.ipv4.ip_forward", to: "1")
            try router.set("net.ipv6.conf.all.forwarding", to: "1")
            try router.set("net.ipv4.icmp_ratelimit", to: "0")
            try router.set("net.ipv6.icmp.ratelimit", to: "0")
            // Address resolution of a missing neighbour fails after 300 ms instead of 3 s.
            try near.set("net.ipv4.neigh.v0.retrans_time_ms", to: "100")
            try near.set("net.ipv6.neigh.v0.retrans_time_ms", to: "100")
        }

        /// Waits until both families work: a new interface needs a second or two.
        private func settle() async throws {
            // Answers to traces would use up the router's limit of errors.
            let hosts = ["198.51.100.2", "2001:db8:2::2"].map { "[[target]]\nurl = \"icmp://\($0)\"\n" }
            let settings = "[defaults]\npath = false\n" + hosts.joined()
            let path = try scratch.write(settings, to: "settle.toml", mode: 0o644)
            let child = try Child(
                near.words(Program.path, "watch", "--config", path),
                in: scratch.path,
                streams: .files(output: scratch.file("settled"), errors: scratch.file("err"))
            )
            try await eventually("working routes", context: { scratch.text(of: "settled") }) {
                ["198.51.100.2", "2001:db8:2::2"].allSatisfy { scratch.text(of: "settled").contains("  \($0)  up") }
            }
            child.send(SIGTERM)
            _ = try await child.end()
        }

        /// Watches the targets until each has its verdict, then for a while longer. One loss takes a target down.
        private func check(_ cases: [Case], by kind: SocketKind, for time: Duration = .zero) async throws {
            try near.set("net.ipv4.ping_group_range", to: kind == .raw ? "1 0" : "0 2147483647")
            try await settle()
            let targets = cases.enumerated().map { number, test in
                "[[target]]\nname = \"T\(number)\"\nurl = \"\(test.url)\"\n\(test.options)\n"
            }
            let defaults = "[defaults]\nfall = 1\ntimeout = \"1s\"\npath = false\n"
            let path = try scratch.write(defaults + targets.joined(), to: "settings.toml", mode: 0o644)
            let words =
                kind == .raw
                ? near.words(Program.path, "watch", "--config", path)
                : try UnprivilegedUser(in: scratch).words(in: near, "watch", "--config", path)
            let child = try scratch.start(words)
            for (number, test) in cases.enumerated() {
                let line = "  T\(number)  \(test.says)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                    scratch.lines(of: "out").contains { $0.hasSuffix(line) }
                }
            }
            try await Task.sleep(for: time)
            #expect(scratch.lines(of: "out").count == cases.count, "\(scratch.text(of: "out"))")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(arguments: SocketKind.allCases)
        func `a host two hops away is not reached with a TTL of one, and the router reports it`(by kind: SocketKind)
            async throws
        {
            let words = "down after 1 loss: TTL exceeded (reported by"
            let cases = [
                Case(url: "icmp://198.51.100.2", says: "up"),
                Case(url: "icmp://2001:db8:2::2", says: "up"),
                Case(url: "icmp://198.51.100.2", options: "icmp = { ttl = 1 }", says: "\(words) 192.0.2.2)"),
                Case(url: "icmp://2001:db8:2::2", options: "icmp = { ttl = 1 }", says: "\(words) 2001:db8:1::2)"),
            ]
            try await check(cases, by: kind)
        }

        @Test(arguments: SocketKind.allCases)
        func `prohibited and unreachable destinations get the router's reason`(by kind: SocketKind) async throws {
            try router.ip("route", "add", "prohibit", "203.0.113.1")
            try router.ip("route", "add", "unreachable", "203.0.113.2")
            try router.ip("-6", "route", "add", "prohibit", "2001:db8:3::1")
            let (down, four, six) = ("down after 1 loss:", "(reported by 192.0.2.2)", "(reported by 2001:db8:1::2)")
            let cases = [
                Case(url: "icmp://203.0.113.1", says: "\(down) prohibited \(four)"),
                Case(url: "icmp://203.0.113.2", says: "\(down) host unreachable \(four)"),
                Case(url: "icmp://203.0.113.3", says: "\(down) network unreachable \(four)"),
                Case(url: "icmp://2001:db8:3::1", says: "\(down) prohibited \(six)"),
                Case(url: "icmp://2001:db8:9::1", says: "\(down) network unreachable \(six)"),
            ]
            try await check(cases, by: kind)
        }

        @Test(arguments: SocketKind.allCases)
        func `this machine reports an absent neighbour as unreachable`(by kind: SocketKind)
            async throws
        {
            let down = "down after 1 loss: host unreachable (reported by"
            let cases = [
                Case(url: "icmp://192.0.2.77", says: "\(down) 192.0.2.1)"),
                Case(url: "icmp://2001:db8:1::77", says: "\(down) 2001:db8:1::1)"),
                Case(url: "icmp://198.51.100.77", says: "\(down) 192.0.2.2)"),
            ]
            try router.set("net.ipv4.neigh.v1.retrans_time_ms", to: "100")
            try await check(cases, by: kind)
        }

        @Test(arguments: SocketKind.allCases)
        func `an ICMP error is never charged to another target`(by kind: SocketKind) async throws {
            try router.ip("route", "add", "203.0.113.0/24", "via", "198.51.100.2")
            let often = "interval = \"100ms\""
            let bad = (1...30).map { number in
                Case(
                    url: "icmp://203.0.113.\(number)",
                    options: "\(often)\nicmp = { ttl = 1 }",
                    says: "down after 1 loss: TTL exceeded (reported by 192.0.2.2)"
                )
            }
            let good = ["icmp://198.51.100.2", "icmp://192.0.2.2"].map { Case(url: $0, options: often, says: "up") }
            try await check(bad + good, by: kind, for: .seconds(2))
        }
    }
}

extension EndToEnd {
    /// Hosts of the local network that announce themselves to the running program.
    @Suite(.serialized, .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"))
    struct NeighbourTests {
        @Test func `a host whose ARP request arrives is probed at once`() async throws {
            let (near, far) = (try Namespace(), try Namespace())
            // Route changes while IPv6 comes up would also cause probes.
            try near.set("net.ipv6.conf.all.disable_ipv6", to: "1")
            try near.connect(to: far)
            try far.ip("address", "del", "192.0.2.2/24", "dev", "v0")
            // The lost probe still waits for the host's link-layer address when the host sends its ARP request. By
            // default, the kernel would verify the address after five seconds and report that.
            try near.set("net.ipv4.neigh.v0.delay_first_probe_time", to: "60")
            // With an interval of an hour, only the host's own packet causes a probe.
            let settings = """
                [defaults]
                path = false
                interval = "1h"
                down_interval = "1h"
                timeout = "500ms"
                fall = 1
                [[target]]
                name = "Host"
                url = "icmp://192.0.2.2"
                """
            let scratch = try Scratch()
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start(near.words([Program.path, "watch", "--config", path]))
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("the host is down", context: context) {
                scratch.lines(of: "out").contains { $0.contains("Host  down after 1 loss") }
            }
            // The host resolves this machine by ARP before it can send.
            try far.ip("address", "add", "192.0.2.2/24", "dev", "v0")
            let start = ContinuousClock.now
            try Tool.must(far.words("ping", "-c", "1", "-W", "2", "192.0.2.1"))
            try await eventually("the host is up", context: context) {
                scratch.lines(of: "out").contains { $0.contains("Host  up after") }
            }
            print(
                "a host that sends ARP is up \(ContinuousClock.now - start) after its first packet, ping included"
            )
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

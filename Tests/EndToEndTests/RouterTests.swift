import Foundation
import Testing

extension EndToEnd {
    /// A host behind a router, which says why it does not pass on what it is sent.
    @Suite(
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
        .enabled(if: Machine.canPing, "no ICMP socket may be opened here")
    ) struct RouterTests {
        private let scratch: Scratch
        private let near: Namespace
        private let router: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            router = try Namespace()
            far = try Namespace()
            // The near side is 192.0.2.1 and 2001:db8:1::1, the router there is .2 and ::2; so it is in the networks
            // 198.51.100.0/24 and 2001:db8:2::/64 between the router and the far side.
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
            // No group may open datagram sockets, which hear no router: raw ones remain.
            try near.set("net.ipv4.ping_group_range", to: "1 0")
        }

        /// Watches a target until it has a verdict. A router that has no route complains of one sender no more than once
        /// a second.
        private func verdict(_ url: String, _ options: String = "") async throws -> String {
            let settings = """
                [[target]]
                name = "Far"
                url = "\(url)"
                interval = "1300ms"
                retry_interval = "1300ms"
                timeout = "1s"
                \(options)
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try Child(
                near.words(Program.path, "watch", "--config", path),
                in: scratch.path,
                streams: .files(output: scratch.file("out"), errors: scratch.file("err"))
            )
            let line = try await eventually("a verdict", context: { scratch.text(of: "err") }) {
                scratch.lines(of: "out").first
            }
            child.send(SIGTERM)
            _ = try await child.end()
            return String(line.drop { $0 != "F" })
        }

        @Test func `a host that two hops reach is not reached by one, and the router says so`() async throws {
            #expect(try await verdict("icmp://198.51.100.2") == "Far  up")
            #expect(try await verdict("icmp://2001:db8:2::2") == "Far  up")
            let words = "Far  down after 3 losses: too many routers on the way, says"
            #expect(try await verdict("icmp://198.51.100.2", "icmp = { ttl = 1 }") == "\(words) 192.0.2.2")
            #expect(try await verdict("icmp://2001:db8:2::2", "icmp = { ttl = 1 }") == "\(words) 2001:db8:1::2")
        }

        @Test func `what the router prohibits, or knows no way to, has that for a reason`() async throws {
            try router.ip("route", "add", "prohibit", "203.0.113.1")
            try router.ip("route", "add", "unreachable", "203.0.113.2")
            try router.ip("-6", "route", "add", "prohibit", "2001:db8:3::1")
            let down = "Far  down after 3 losses:"
            #expect(try await verdict("icmp://203.0.113.1") == "\(down) prohibited by a filter, says 192.0.2.2")
            #expect(try await verdict("icmp://203.0.113.2") == "\(down) host unreachable, says 192.0.2.2")
            #expect(try await verdict("icmp://203.0.113.3") == "\(down) network unreachable, says 192.0.2.2")
            #expect(try await verdict("icmp://2001:db8:3::1") == "\(down) prohibited by a filter, says 2001:db8:1::2")
        }
    }
}

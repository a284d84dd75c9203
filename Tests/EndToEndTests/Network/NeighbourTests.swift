import Foundation
import Testing

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

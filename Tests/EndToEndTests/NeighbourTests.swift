import Foundation
import Testing

extension EndToEnd {
    /// Hosts of the local network that announce themselves, on the running program.
    @Suite(.enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"))
    struct NeighbourTests {
        @Test func `a host that is heard is probed at once`() async throws {
            let (near, far) = (try Namespace(), try Namespace())
            // Routes that change while IPv6 comes up would be another reason to probe.
            try near.set("net.ipv6.conf.all.disable_ipv6", to: "1")
            try near.connect(to: far)
            try far.ip("address", "del", "192.0.2.2/24", "dev", "v0")
            // The lost probe waits for the host's address when the host asks. Without this setting, the kernel would check
            // the address after five seconds, and report that.
            try near.set("net.ipv4.neigh.v0.delay_first_probe_time", to: "60")
            // With an hour between two probes, only the host itself is a reason to probe.
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
            // It asks for this machine by ARP before it can send anything.
            try far.ip("address", "add", "192.0.2.2/24", "dev", "v0")
            let start = ContinuousClock.now
            try Tool.must(far.words("ping", "-c", "1", "-W", "2", "192.0.2.1"))
            try await eventually("the host is up", context: context) {
                scratch.lines(of: "out").contains { $0.contains("Host  up after") }
            }
            print("a host that asks for us is up \(ContinuousClock.now - start) after its first packet, ping included")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

import Foundation
import Testing

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

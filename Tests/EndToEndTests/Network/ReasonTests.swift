import Foundation
import Monitoring
import Testing

extension EndToEnd {
    /// Every reason, produced by a real peer or network.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasPeers, "nginx, redis-server, dnsmasq, sshd or openssl is not installed"),
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here")
    ) struct ReasonTests {
        /// The fields of a transition in a hook's standard input.
        private struct HookInput: Decodable {
            let reason: String
            let detail: String
        }

        private let scratch: Scratch
        private let network: Namespace
        private let router: Namespace

        init() throws {
            scratch = try Scratch()
            network = try Namespace()
            router = try Namespace()
            try network.connect(to: router)
            try network.setResolver("127.0.0.1")
            try network.ip("route", "add", "203.0.113.0/24", "via", "192.0.2.2")
            try router.ip("route", "add", "prohibit", "203.0.113.1")
            try router.ip("route", "add", "unreachable", "203.0.113.2")
            try router.ip("route", "add", "203.0.113.8", "via", "192.0.2.1")
            try router.set("net.ipv4.ip_forward", to: "1")
            try router.set("net.ipv4.icmp_ratelimit", to: "0")
            // A permanent neighbour entry for a host that does not exist.
            try network.ip(
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
            try network.ip("link", "add", "spare", "type", "veth", "peer", "name", "other")
        }

        @Test func `every reason is reported by watch, to hooks and on the screen`()
            async throws
        {
            let peers = try await Peers(in: scratch, of: network)
            var cases = Reason.allCases.filter { $0 != .quorum }.map { ($0.rawValue, $0.trouble(at: peers.ports)) }
            cases.append(("timeout", FailureCase(url: "tcp://192.0.2.9:80", detail: "timeout")))
            let targets = cases.map { name, trouble in
                """
                [[target]]
                name = "\(name)"
                url = "\(trouble.url)"
                \(trouble.options)
                [[target.hooks]]
                on = "down"
                at_start = true
                run = "cat > \(name).json"
                """
            }
            let healthy = """
                [defaults]
                # A router sends one sender at most one error a second.
                interval = "3s"
                down_interval = "3s"
                timeout = "1s"
                fall = 1
                [[target]]
                name = "ssh"
                url = "tcp://127.0.0.1:\(peers.ports.ssh)"
                tcp = { expect = "^SSH-2" }

                """
            let path = try scratch.write(healthy + targets.joined(separator: "\n"), to: "settings.toml")
            let details = try await watch(path, expecting: cases)
            guard Machine.hasTmux else { return }
            let command = network.words(Program.path, "--config", path).joined(separator: " ")
            let screen = try Screen(command, in: scratch, columns: 200, rows: 50)
            try await screen.wait(forRowWith: "● ssh ", " up ")
            for (name, _) in cases {
                // A detail too long for the column is replaced by the reason's name.
                let detail = try #require(details[name])
                let words = detail.columns <= Self.detailColumns ? detail : name.replacing("_", with: " ")
                try await eventually("row of \(name)", context: { screen.text }) {
                    try screen.rows.contains { $0.contains("○ \(name) ") && $0.contains(" down  \(words)  ") }
                }
            }
        }

        /// The columns of the detail in a row of 200 columns.
        private static let detailColumns = 38

        /// Checks that `watch` reports all cases, and returns their complete details by name.
        private func watch(_ path: String, expecting cases: [(String, FailureCase)]) async throws -> [String: String] {
            var details: [String: String] = [:]
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            for (name, trouble) in cases {
                let line = "  \(name)  down after 1 loss: \(trouble.detail)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                    scratch.lines(of: "out").contains { $0.contains(line) }
                }
                let input = try await eventually("input of the hook of \(name)") {
                    try? JSONDecoder().decode(HookInput.self, from: Data(scratch.text(of: "\(name).json").utf8))
                }
                #expect(input.reason == name)
                #expect(input.detail.hasPrefix(trouble.detail))
                details[name] = input.detail
            }
            #expect(scratch.lines(of: "out").contains { $0.hasSuffix("  ssh  up") })
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            return details
        }
    }
}

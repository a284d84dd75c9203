import Foundation
import Monitoring
import Testing

extension EndToEnd {
    /// Every reason there is, each from a peer or a network that gives it.
    @Suite(
        .enabled(if: Machine.hasPeers, "nginx, redis-server, dnsmasq, sshd or openssl is not installed"),
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here")
    ) struct CauseTests {
        /// What a hook reads of a transition on its standard input.
        private struct Record: Decodable {
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
            // A neighbour that is known, and not there.
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

        @Test func `every reason has a peer that gives it, and is told by watch, to hooks and on the screen`()
            async throws
        {
            let peers = try await Peers(in: scratch, of: network)
            var troubles = Reason.allCases.map { ($0.rawValue, $0.trouble(at: peers.ports)) }
            troubles.append(("timeout", Trouble(url: "tcp://192.0.2.9:80", detail: "no answer")))
            let targets = troubles.map { name, trouble in
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
                # A router complains of one sender no more than once a second.
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
            let details = try await watch(path, telling: troubles)
            guard Machine.hasTmux else { return }
            let command = network.words(Program.path, "--config", path).joined(separator: " ")
            let screen = try Screen(command, in: scratch, columns: 200, rows: 50)
            try await screen.wait(forRowWith: "● ssh ", " up ")
            for (name, _) in troubles {
                // What is too long for the column is said by the reason's name.
                let detail = try #require(details[name])
                let words = detail.columns <= Self.room ? detail : name.replacing("_", with: " ")
                try await eventually("row of \(name)", context: { screen.text }) {
                    try screen.rows.contains { $0.contains("○ \(name) ") && $0.contains(" down  \(words)  ") }
                }
            }
        }

        /// How many columns of a row that is 200 wide are for the cause.
        private static let room = 38

        /// Has `watch` tell of them all; the result is each one's whole detail.
        private func watch(_ path: String, telling troubles: [(String, Trouble)]) async throws -> [String: String] {
            var details: [String: String] = [:]
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            for (name, trouble) in troubles {
                let line = "  \(name)  down after 1 loss: \(trouble.detail)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                    scratch.lines(of: "out").contains { $0.contains(line) }
                }
                let record = try await eventually("what the hook of \(name) reads") {
                    try? JSONDecoder().decode(Record.self, from: Data(scratch.text(of: "\(name).json").utf8))
                }
                #expect(record.reason == name)
                #expect(record.detail.hasPrefix(trouble.detail))
                details[name] = record.detail
            }
            #expect(scratch.lines(of: "out").contains { $0.hasSuffix("  ssh  up") })
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            return details
        }
    }
}

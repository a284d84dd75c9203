import Foundation
import ReachMonitoring
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
                path = false
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

/// A target that fails with a known reason: its settings and the reported detail.
struct FailureCase {
    let url: String
    /// Further lines of the target's table in the settings.
    var options = ""
    /// The detail or its prefix.
    let detail: String
}

extension Reason {
    /// A target that fails with this reason in the network of the peers. The exhaustive `switch` makes the compiler
    /// require a case for each new reason.
    func trouble(at port: Peers.Ports) -> FailureCase {
        let trusted = "tls = { ca = \"ca.pem\" }"
        let site = "http://127.0.0.1:\(port.http)"
        switch self {
        case .refused:
            return FailureCase(url: "tcp://127.0.0.1:\(port.none)", detail: "refused")
        case .reset:
            return FailureCase(url: "http://127.0.0.1:\(port.rude)/", detail: "reset")
        case .closed:
            return FailureCase(url: "\(site)/silent", detail: "closed without an answer")
        case .hostUnreachable:
            return FailureCase(url: "icmp://203.0.113.2", detail: "host unreachable (reported by 192.0.2.2)")
        case .networkUnreachable:
            return FailureCase(url: "tcp://198.51.100.1:80", detail: "network unreachable")
        case .prohibited:
            return FailureCase(url: "icmp://203.0.113.1", detail: "prohibited (reported by 192.0.2.2)")
        case .ttlExceeded:
            let detail = "TTL exceeded (reported by 192.0.2.2)"
            return FailureCase(url: "icmp://203.0.113.8", options: "icmp = { ttl = 1 }", detail: detail)
        case .nameNotFound:
            return FailureCase(url: "tcp://no.test:80", detail: "no.test not found")
        case .resolverFailed:
            return FailureCase(url: "tcp://name.example:80", detail: "resolver: ")
        case .tlsFailed:
            return FailureCase(url: "tls://localhost:\(port.strict)", detail: "TLS alert: unrecognized name")
        case .certificateExpired:
            return FailureCase(url: "tls://127.0.0.1:\(port.expired)", options: trusted, detail: "expired 24 hours ago")
        case .certificateUntrusted:
            return FailureCase(url: "tls://127.0.0.1:\(port.good)", detail: "signed by an unknown authority")
        case .certificateName:
            let detail = "certificate is for other.example"
            return FailureCase(url: "tls://127.0.0.1:\(port.name)", options: trusted, detail: detail)
        case .httpStatus:
            return FailureCase(url: "\(site)/bad", detail: "HTTP 503 Service Unavailable")
        case .httpBody:
            let detail = #"no match in the body: "all is well""#
            return FailureCase(url: "\(site)/", options: "http = { body = \"unwell\" }", detail: detail)
        case .answerMismatch:
            let options = "tcp = { expect = \"^SSH-1\" }"
            return FailureCase(
                url: "tcp://127.0.0.1:\(port.ssh)",
                options: options,
                detail: "unexpected answer \"SSH-2.0-"
            )
        case .protocolError:
            return FailureCase(url: "http://127.0.0.1:\(port.ssh)/", detail: "the answer is not HTTP")
        case .serverError:
            return FailureCase(url: "redis://127.0.0.1:\(port.redis)/99", detail: "ERR DB index is out of range")
        case .loginFailed:
            return FailureCase(
                url: "redis://127.0.0.1:\(port.redis)",
                options: "redis = { password = \"none\" }",
                detail: "AUTH <password> called without any"
            )
        case .noRoute:
            return FailureCase(url: "route://198.51.100.1", detail: "network unreachable")
        case .linkDown:
            return FailureCase(url: "link:spare", detail: "spare is down")
        case .exitStatus:
            let options = "exec = { run = \"echo out of paper; exit 1\" }"
            return FailureCase(url: "exec:", options: options, detail: "out of paper")
        case .quorum:
            preconditionFailure("no probe fails for this reason")
        }
    }
}

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Probes of nginx through tinyproxy.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.hasPeers, "nginx, redis-server, dnsmasq, sshd or openssl is not installed"),
        .enabled(if: Machine.hasProxy, "tinyproxy is not installed")
    )
    struct ProxyProbeTests {
        @Test func `targets behind a real proxy are up, and its own failures are named`() async throws {
            let scratch = try Scratch()
            let peers = try await Peers(in: scratch)
            let port = Int.random(in: 30_000..<32_000)
            try scratch.write(
                "Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nBasicAuth me secret-1\n",
                to: "proxy.conf"
            )
            let proxy = try Child(
                ["tinyproxy", "-d", "-c", scratch.file("proxy.conf")],
                in: scratch.path,
                streams: .files(output: scratch.file("proxy.out"), errors: scratch.file("proxy.err"))
            )
            try await eventually("the proxy") {
                try Tool.must(["ss", "--no-header", "--tcp", "--listening", "--numeric"]).output.contains(":\(port) ")
            }
            let (http, https) = (peers.ports.http, peers.ports.good)
            let right = "http://me:${WORD}@127.0.0.1:\(port)"
            let cases: [(name: String, url: String, proxy: String, says: String)] = [
                ("plain", "http://127.0.0.1:\(http)/", right, "up"),
                ("tunnel", "https://localhost:\(https)/", right, "up"),
                (
                    "plain-407", "http://127.0.0.1:\(http)/", "http://127.0.0.1:\(port)",
                    "down after 1 loss: proxy: HTTP 407"
                ),
                (
                    "tunnel-407", "https://localhost:\(https)/", "http://me:no@127.0.0.1:\(port)",
                    "down after 1 loss: proxy: HTTP 40"
                ),
                ("behind", "https://localhost:\(peers.ports.none)/", right, "down after 1 loss: proxy: HTTP 5"),
                (
                    "gone", "https://localhost:\(https)/", "http://127.0.0.1:\(peers.ports.none)",
                    "down after 1 loss: proxy: refused"
                ), ("certificate", "https://localhost:\(peers.ports.expired)/", right, "down after 1 loss: expired"),
            ]
            let targets = cases.map { test in
                """
                [[target]]
                name = "\(test.name)"
                url = "\(test.url)"
                http.proxy = "\(test.proxy)"
                """
            }
            let defaults = "[defaults]\ninterval = \"500ms\"\nfall = 1\ntls.ca = \"ca.pem\"\n"
            let path = try scratch.write(defaults + targets.joined(separator: "\n"), to: "settings.toml")
            let watch = try scratch.start(
                [Program.path, "watch", "--config", path],
                environment: ["WORD": "secret-1"]
            )
            for test in cases {
                let line = "  \(test.name)  \(test.says)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "proxy.out") }) {
                    scratch.lines(of: "out").contains { $0.contains(line) }
                }
            }
            watch.send(SIGTERM)
            #expect(!scratch.text(of: "out").contains("secret"))
            withExtendedLifetime((proxy, peers)) {}
        }
    }
}

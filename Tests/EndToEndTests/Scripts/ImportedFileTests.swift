import Foundation
import Testing

extension EndToEnd {
    /// `reach init --from`, beside the programs whose files it reads and whose servers it probes.
    @Suite(.serialized) struct ImportedFileTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// The settings made of a file, written to `dashboard.toml`.
        private func importFile(_ text: String, _ name: String, format: String) throws -> String {
            try scratch.write(text, to: name)
            let words = [Program.path, "init", "--from", scratch.file(name), "--from-format", format, "-"]
            let settings = try Tool.must(words, in: scratch.path).output
            try scratch.write(settings, to: "dashboard.toml")
            return settings
        }

        @Test(.enabled(if: Machine.hasPrometheus, "prometheus is not installed"))
        func `the URLs of imported targets are those that Prometheus scrapes`() async throws {
            let groups = """
                [ { targets: ['a.example:9100'], labels: { __address__: 'other:1', __scheme__: https } },
                { targets: ['b.example:1'], labels: { __metrics_path__: /probe, __param_z: 'x y', __param_collect: cpu } },
                { targets: ['c.example:1'], labels: { __param_a: b, job: own } } ]
                """
            let settings = try importFile(groups, "targets.yml", format: "prometheus")
            let urls = settings.matches(of: /url = "(.*)"/).map { String($0.1) }
            let prometheus = try Prometheus(groups: groups.replacing("\n", with: " "), in: scratch)
            let scraped = try await prometheus.scrapeURLs().map { $0.replacing("+", with: "%20") }
            #expect(urls.sorted() == scraped.sorted())
        }

        @Test(.enabled(if: Machine.hasPeers, "nginx, redis-server, dnsmasq, sshd or openssl is not installed"))
        func `an SSH server is up, also with lines before its version`() async throws {
            let peers = try await Peers(in: scratch)
            let lines = "Welcome to the server\r\nof the house\r\nSSH-2.0-OpenSSH_9.2\r\n"
            let banner = try HostilePeer(.hold(Array(lines.utf8)))
            // The version is not at the beginning of a line.
            let other = try HostilePeer(.once(Array("not SSH-2.0\r\n".utf8)))
            let hosts = ["real": peers.ports.ssh, "banner": Int(banner.port), "other": Int(other.port)]
            let text = hosts.map { "Host \($0.key)\n  HostName 127.0.0.1\n  Port \($0.value)\n" }.joined()
            #expect(try importFile(text, "config", format: "ssh").contains("(?m)^SSH-"))
            let tool = try Tool.run([Program.path, "check", "--json"], in: scratch.path)
            #expect(tool.output.contains(#""down":1"#) && tool.output.contains(#""up":2"#), "\(tool.output)")
        }

        @Test(.enabled(if: Machine.hasCurl, "curl is not installed"))
        func `an international name is requested like curl does`() async throws {
            // A proxy resolves no name here.
            let proxy = try RequestRecorder(answering: 200)
            let url = "http://www.Bücher.test/"
            try Tool.must(["curl", "-sS", "--proxy", "http://127.0.0.1:\(proxy.port)", url], in: scratch.path)
            try scratch.write(
                """
                [[target]]
                url = "\(url)"
                http = { proxy = "http://127.0.0.1:\(proxy.port)" }
                """,
                to: "dashboard.toml"
            )
            let check = try Tool.run([Program.path, "check"], in: scratch.path)
            #expect(
                check.status == 0 && check.output.contains("www.Bücher.test  http://www.xn--bcher-kva.test/"),
                "\(check)"
            )
            let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
            let fetch = try Tool.run([Program.path, "fetch", url], in: scratch.path, environment: environment)
            #expect(fetch.status == 0 && fetch.output == "said", "\(fetch)")
            let requests = proxy.requests
            #expect(requests.count == 3)
            #expect(Set(requests.map(\.line)) == ["GET http://www.xn--bcher-kva.test/ HTTP/1.1"])
            #expect(Set(requests.map { $0.fields["host"] ?? $0.fields["Host"] ?? "" }) == ["www.xn--bcher-kva.test"])
        }
    }
}

import Foundation
import Testing

extension EndToEnd {
    /// `reach fetch` with a real web server, a real proxy and a terminal.
    @Suite(.serialized) struct FetchPeerTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func start(_ words: [String], environment: [String: String] = [:]) throws -> Child {
            try scratch.start([Program.path, "fetch"] + words, environment: environment)
        }

        /// Starts nginx with the folder's files, and with TLS and a self-signed certificate on the next port.
        private func nginx(on port: UInt16, rate: String) throws -> Child {
            try Tool.must(
                [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-keyout", scratch.file("key.pem"), "-out", scratch.file("certificate.pem"),
                ]
            )
            let settings = """
                daemon off; worker_processes 1; user root; pid \(scratch.file("nginx.pid"));
                error_log \(scratch.file("nginx.log"));
                events { worker_connections 64; }
                http {
                  access_log off; root \(scratch.path); limit_rate \(rate);
                  server { listen 127.0.0.1:\(port); }
                  server {
                    listen 127.0.0.1:\(port + 1) ssl;
                    ssl_certificate \(scratch.file("certificate.pem")); ssl_certificate_key \(scratch.file("key.pem"));
                  }
                }
                """
            try scratch.write(settings, to: "nginx.conf")
            return try Child(
                ["nginx", "-c", scratch.file("nginx.conf")],
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: scratch.file("nginx.err"))
            )
        }

        private func wait(for port: UInt16) async throws {
            try await eventually("listener on \(port)", context: { scratch.text(of: "nginx.err") }) {
                try Tool.must(["ss", "--no-header", "--tcp", "--listening", "--numeric"]).output.contains(":\(port) ")
            }
        }

        @Test(.enabled(if: Machine.hasPeers, "nginx, openssl or ss are not installed"))
        func `a download survives a restart of nginx`() async throws {
            let port = UInt16.random(in: 12_000..<20_000)
            try Tool.must(["sh", "-c", "head -c 8000000 /dev/urandom > \(scratch.file("source"))"])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scratch.file("source"))
            let first = try nginx(on: port, rate: "2m")
            let child = try start(["http://127.0.0.1:\(port)/source", "-o", "file", "--within", "40s"])
            try await eventually("partial file", context: { scratch.text(of: "err") }) {
                let all = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
                guard let part = all.first(where: { $0.hasPrefix(".reach-") }) else { return false }
                let size = try? FileManager.default.attributesOfItem(atPath: scratch.file(part))[.size] as? Int
                return size ?? 0 > 1_000_000
            }
            kill(-first.id, SIGKILL)
            try await eventually("report of the failure") {
                scratch.text(of: "err").contains(" of 8.0 MB; again in ")
            }
            try await eventually("exit of nginx") { first.status != nil }
            let second = try nginx(on: port, rate: "100m")
            #expect(try await child.end(within: .seconds(40)) == 0, "\(scratch.text(of: "err"))")
            #expect(try Tool.run(["cmp", "source", "file"], in: scratch.path).status == 0)
            withExtendedLifetime(second) {}
        }

        @Test(
            .enabled(if: Machine.hasPeers, "nginx, openssl or ss are not installed"),
            .enabled(if: Machine.hasProxy, "tinyproxy is not installed")
        )
        func `the environment's proxy is used, with and without TLS`() async throws {
            let port = UInt16.random(in: 12_000..<20_000)
            try scratch.write("fine\n", to: "source", mode: 0o644)
            let web = try nginx(on: port, rate: "100m")
            try scratch.write("Port \(port + 2)\nListen 127.0.0.1\nLogLevel Connect\n", to: "proxy.conf")
            let proxy = try Child(
                ["tinyproxy", "-d", "-c", scratch.file("proxy.conf")],
                in: scratch.path,
                streams: .files(output: scratch.file("proxy.log"), errors: scratch.file("proxy.err"))
            )
            for port in [port, port + 2] { try await wait(for: port) }
            let address = "http://127.0.0.1:\(port + 2)"
            // The proxy resolves the name.
            let plain = try start(["http://localhost:\(port)/source"], environment: ["http_proxy": address])
            #expect(try await plain.end() == 0, "\(scratch.text(of: "err"))")
            #expect(scratch.text(of: "out") == "fine\n")
            #expect(scratch.text(of: "proxy.log").contains("GET http://localhost:\(port)/source"))

            let secure = try start(["https://localhost:\(port + 1)/source"], environment: ["HTTPS_PROXY": address])
            #expect(try await secure.end() == 1)
            // The request reached the server: the rejected certificate is the server's.
            #expect(scratch.text(of: "err") == "reach: not fetched: certificate not trusted, or expired\n")
            #expect(scratch.text(of: "proxy.log").contains("CONNECT localhost:\(port + 1)"))

            let direct = try start(
                ["http://localhost:\(port)/source"],
                environment: ["http_proxy": "http://127.0.0.1:1", "no_proxy": "localhost"]
            )
            #expect(try await direct.end() == 0, "\(scratch.text(of: "err"))")
            withExtendedLifetime((web, proxy)) {}
        }

        @Test(.enabled(if: Machine.hasPeers, "openssl or ss are not installed"))
        func `an own authority, a client certificate and no verification, as in check`() async throws {
            let script = """
                openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj "/CN=Test CA" 2> /dev/null
                for name in server client; do
                  openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj /CN=$name 2> /dev/null
                  printf 'subjectAltName=DNS:localhost\n' > $name.ext
                  openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
                    -extfile $name.ext -out $name.pem 2> /dev/null
                done
                mkdir authorities; cp ca.pem authorities; cat client.pem client.key > both.pem
                """
            try Tool.must(["sh", "-c", script], in: scratch.path)
            let port = UInt16.random(in: 12_000..<20_000)
            let server = try Child(
                [
                    "openssl", "s_server", "-accept", "\(port)", "-cert", "server.pem", "-key", "server.key",
                    "-CAfile", "ca.pem", "-Verify", "1", "-verify_return_error", "-www",
                ],
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: scratch.file("server.err"))
            )
            try await wait(for: port)
            let url = "https://localhost:\(port)/"
            let client = ["--cert", "client.pem", "--key", "client.key"]
            for (words, environment) in [
                (["--ca", "ca.pem"] + client, [:]), (["--ca", "ca.pem", "--cert", "both.pem"], [:]),
                (["--insecure"] + client, [:]), (client, ["SSL_CERT_FILE": "ca.pem"]),
                (client, ["SSL_CERT_DIR": "authorities"]),
            ] as [([String], [String: String])] {
                let child = try start([url, "-o", "page", "--retries", "0"] + words, environment: environment)
                #expect(try await child.end() == 0, "\(words): \(scratch.text(of: "err"))")
                // check has no client certificates on the command line: the handshake is enough.
                let probe = try scratch.start(
                    [Program.path, "check", "-q", "tls://localhost:\(port)"]
                        + words.filter { ["--ca", "ca.pem", "--insecure"].contains($0) },
                    environment: environment
                )
                #expect(try await probe.end() == 0, "\(words)")
            }
            let unknown = try start([url, "--retries", "0"] + client)
            #expect(try await unknown.end() == 1)
            let reason = try #require(scratch.text(of: "err").split(separator: ": ", maxSplits: 2).last)
            let probe = try Tool.run([Program.path, "check", "tls://localhost:\(port)"], in: scratch.path)
            #expect(
                probe.lines[1].hasSuffix("  \(reason.trimmingCharacters(in: .newlines))"),
                "\(reason)\(probe.lines)"
            )
            let missing = try start([url, "--cert", "none.pem"])
            #expect(try await missing.end() == 2)
            #expect(scratch.text(of: "err") == "reach: cannot read none.pem: No such file or directory\n")
            withExtendedLifetime(server) {}
        }

        @Test func `a terminal shows a progress bar, which is erased at the end`() async throws {
            let server = try ScriptedServer(
                ScriptedServer.answer("503 Busy", "Retry-After: 1"),
                .slow(pieces: 100, pause: 0.01)
            )
            let pty = try Pty([Program.path, "fetch", server.url, "-o", "file"], in: scratch, columns: 100)
            #expect(try await pty.end(within: .seconds(20)) == 0, "\(pty.text)")
            try await pty.wait(for: "━")
            let text = pty.text
            #expect(text.contains("reach: try 1: HTTP 503; again in 1.0s\r\n"))
            #expect(text.contains("\rHTTP 503; again in 0."))
            #expect(text.contains(" of 10 MB  "))
            // The bar is erased before each line, and at the end.
            #expect(text.hasSuffix("\r\u{1B}[K"))
            #expect(!text.split(separator: "\n").dropLast().contains { $0.contains("━") })
        }

        @Test(arguments: [["-q"], []])
        func `without a terminal there is no bar, and with -q no output`(_ words: [String]) async throws {
            let server = try ScriptedServer(
                ScriptedServer.answer("503 Busy", "Retry-After: 1"),
                .slow(pieces: 100, pause: 0.01)
            )
            let child = try start([server.url, "-o", "file"] + words)
            #expect(try await child.end(within: .seconds(20)) == 0)
            #expect(scratch.lines(of: "err") == (words.isEmpty ? ["reach: try 1: HTTP 503; again in 1.0s"] : []))
        }
    }
}

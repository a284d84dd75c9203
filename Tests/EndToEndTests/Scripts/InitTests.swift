import Foundation
import Testing

extension EndToEnd {
    /// `reach init`: an example settings file.
    @Suite(.serialized) struct InitTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func initialize(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "init"] + words, in: scratch.path)
        }

        @Test func `the file is complete, private and valid`() throws {
            let tool = try initialize()
            #expect(tool.status == 0 && tool.output == "")
            #expect(tool.errors == "reach: wrote dashboard.toml – edit it, then run: reach\n")
            #expect(scratch.text(of: "dashboard.toml") == (try initialize("-").output))
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("dashboard.toml"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Tool.run([Program.path, "validate"], in: scratch.path).lines.first?.hasPrefix("ok: ") == true)
        }

        @Test func `existing files are never overwritten`() throws {
            try scratch.write("mine", to: "dashboard.toml")
            let tool = try initialize()
            #expect(tool.status == 1)
            #expect(
                tool.errors == "reach: dashboard.toml: already exists, not overwritten – choose another name, "
                    + "or move the file away\n"
            )
            #expect(scratch.text(of: "dashboard.toml") == "mine")
            // A dangling symbolic link exists too.
            symlink("elsewhere", scratch.file("link.toml"))
            #expect(try initialize("link.toml").status == 1)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("elsewhere")))
        }

        @Test func `an invalid path is reported in one line`() throws {
            #expect(
                try initialize("a/b.toml").errors == "reach: a/b.toml: folder not found – mkdir -p a\n"
            )
            try scratch.write("", to: "file")
            #expect(try initialize("file/b.toml").errors == "reach: file/b.toml: a part of the path is not a folder\n")
            #expect(try initialize("").errorLines.first?.contains("empty file name") == true)
        }

        @Test(.enabled(if: Machine.hasSetpriv, "needs setpriv"))
        func `a missing permission is reported`() throws {
            let user = try UnprivilegedUser(in: scratch)
            let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", user.program, "init"]
            let tool = try Tool.run(words, in: scratch.path)
            #expect(tool.status == 1)
            #expect(tool.errors == "reach: dashboard.toml: no permission to write in this folder\n")
        }

        @Test(
            arguments: ["/etc/hosts", "/etc/ssh/ssh_config"].filter { FileManager.default.isReadableFile(atPath: $0) }
        )
        func `a file of this machine is imported or has no targets`(file: String) throws {
            let tool = try initialize("--from", file, "imported.toml")
            guard tool.status == 0 else { return #expect(tool.errors.contains("\(file): no targets in an ssh")) }
            #expect(tool.errorLines.last?.hasPrefix("reach: wrote imported.toml – ") == true)
            let validated = try Tool.run([Program.path, "validate", "imported.toml"], in: scratch.path)
            #expect(validated.lines.first?.hasPrefix("ok: ") == true, "\(validated.output)")
        }

        @Test func `what does not fit is listed, and the rest is valid`() throws {
            try scratch.write("192.0.2.1\n192.0.2.0/24\nnas.example\n", to: "list")
            let tool = try initialize("--from", "list")
            #expect(tool.status == 0)
            #expect(
                tool.errorLines == [
                    "reach: list:2: 192.0.2.0/24: a network, not a host – urls = [\"icmp://192.0.2.0/24\"] in the settings",
                    "reach: wrote dashboard.toml – 2 targets, 1 part does not fit; run: reach",
                ]
            )
            #expect(try Tool.run([Program.path, "validate"], in: scratch.path).lines == ["ok: 2 targets, 0 hooks"])
            #expect(try initialize("--from", "list", "-").output == scratch.text(of: "dashboard.toml"))
        }

        @Test(.enabled(if: Machine.hasSecureShell, "ssh is not installed"))
        func `the hosts of ssh have the names and ports that ssh uses`() throws {
            let configuration = """
                Host bastion
                  HostName bastion.example.com
                  Port 2222
                Host web* !web9
                  Port 2200
                Host web1 web9
                  HostName %h.internal.example.com
                Host=db
                  HostName = "192.0.2.7"
                Host *
                  Port 23
                """
            try scratch.write(configuration, to: "ssh.conf")
            #expect(try initialize("--from", "ssh.conf").status == 0)
            let settings = scratch.text(of: "dashboard.toml")
            for host in ["bastion", "web1", "web9", "db"] {
                let lines = try Tool.must(["ssh", "-G", "-F", scratch.file("ssh.conf"), host]).output.split(
                    separator: "\n"
                )
                let value = { (key: String) in lines.first { $0.hasPrefix("\(key) ") }?.dropFirst(key.count + 1) ?? "" }
                let url = "tcp://\(value("hostname")):\(value("port"))"
                #expect(settings.contains("name = \"\(host)\"\nurl = \"\(url)\"\n"), "\(settings)")
            }
        }

        @Test func `an import that fails is reported, and writes nothing`() throws {
            try scratch.write("- targets: [", to: "targets.yml")
            let tool = try initialize("--from", "targets.yml")
            #expect(tool.status == 1)
            #expect(tool.errors.hasPrefix("reach: targets.yml:2:1: invalid YAML: "))
            #expect(!FileManager.default.fileExists(atPath: scratch.file("dashboard.toml")))
            #expect(try initialize("--from", "gone").errors == "reach: gone: no such file\n")
            #expect(try initialize("--from-format", "fping").status == 2)
        }
    }
}

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

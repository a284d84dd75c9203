import Foundation
import Testing

extension EndToEnd {
    /// The commands, settings and links in README.md and docs/.
    @Suite(.serialized) struct PageTests {
        /// The commands that these tests do not run, and why. Their options are still checked.
        private static let excluded = [
            "swift run -c release reach": "builds the program",
            "swift test": "runs this test",
            "swift run --package-path Examples reachable example.com": "builds the examples; ExampleTests runs them",
            "swift package generate-documentation --target ReachKit": "builds documentation; Scripts/api does it",
            "make && sudo make install": "builds the program and needs root; InstallTests installs it",
            "make deb && sudo apt install ./reach_*.deb": "builds the package and needs root",
            "sudo systemctl enable --now reach": "needs root and systemd",
            "sudo systemctl reload reach": "needs root and systemd",
            "journalctl -u reach": "needs systemd",
            "sudo sysctl -w net.ipv4.ping_group_range=\"0 2147483647\"": "needs root and changes the machine",
            "sudo setcap cap_net_raw+ep /usr/local/bin/reach": "needs root and an installed program",
            "curl -s http://127.0.0.1:9720/metrics": "needs the service; ListenTests reads its pages",
            "curl -s 'http://127.0.0.1:9115/probe?target=https://example.com&module=http_2xx'":
                "needs the internet; BlackboxTests reads such pages",
            "curl -s 'http://127.0.0.1:9115/probe?target=https://example.com&module=http_2xx&debug=true'":
                "needs the internet; BlackboxTests reads such pages",
            "reach watch --listen 9115 --blackbox /etc/prometheus/blackbox.yml":
                "needs the file of another program; BlackboxTests reads one",
            "reach fetch https://nas.local/backup.tar --ca ca.pem --cert me.pem --key me.key -o backup.tar":
                "needs certificates; FetchPeerTests makes some",
            "reach": "needs a terminal",
            "reach path 192.0.2.1": "takes ten seconds; PathTests runs it",
            "reach path --asn ip2asn-combined.tsv 192.0.2.1": "needs a file of another project",
            "reach 192.0.2.1 nas.local:445": "needs a terminal",
            "reach fleet http://prometheus:9090": "needs a terminal; FleetTests runs it",
            "reach fleet http://fra.example.com:9090 http://nyc.example.com:9090": "needs a terminal",
            "reach fleet --token-file /run/secrets/token https://prometheus.example.com": "needs a terminal",
            "reach fleet --alertmanager http://alertmanager:9093 http://prometheus:9090":
                "needs a terminal",
            "reach fleet --svg fleet.svg --after 10s http://prometheus:9090": "takes ten seconds",
            "reach fleet --probes 'probe_success{job=\"web\"}' --group-label region http://prometheus:9090":
                "needs a terminal",
            "reach fleet --probes 'min by (instance, site) (up)' --vantage-label site http://prometheus:9090":
                "needs a terminal",
            "reach watch --listen 192.0.2.1:9720": "needs an interface with this address",
        ]

        /// Commands with exit statuses other than 0.
        private static let statuses: [String: Set<Int32>] = [
            "reach doctor": [0, 1], "reach doctor --name nas.local": [0, 1],
            // Without a history, these fail.
            "reach history": [0, 2], "reach history --forget NSA": [2], "reach report": [0, 2],
            "reach report --format html > report.html": [0, 2],
            "reach report --since 24h --format markdown": [0, 2],
            "reach report --since 30d --title \"Our network\" --format html > report.html": [0, 2],
            "reach shifts": [0, 2],
            "reach incident NAS --at 12:25 -o nas.jsonl": [0, 2], "reach open nas.jsonl": [2],
            "reach incident Shop --at \"yesterday 23:40\" -o shop.jsonl": [0, 2], "reach open shop.jsonl": [2],
            "reach diff before.jsonl after.jsonl": [2],
            "reach shifts Shop --since 30d --at-least \"50 %\" --and 20ms": [0, 2],
        ]

        @Test(arguments: try commands().filter { excluded[$0] == nil })
        func `a command of a page runs`(_ command: String) throws {
            let (open, closed) = (try Listener(address: 0), try Listener())
            closed.stop()
            let server = try ScriptedServer(ScriptedServer.answer("200 OK", body: "fetched\n"))
            let replacements: KeyValuePairs = [
                "https://api.example.com": "http://127.0.0.1:\(server.port)",
                "https://example.com": "http://127.0.0.1:\(server.port)",
                "db:5432": "127.0.0.1:\(open.port)", "192.0.2.1": "127.0.0.1:\(open.port)",
                "db1:5432": "127.0.0.1:\(open.port)", "db2:5432": "127.0.0.2:\(open.port)",
                "db3:5432": "127.0.0.3:\(open.port)", "192.0.2.9": "127.0.0.1:\(closed.port)", "9720": "0",
            ]
            var line = replacements.reduce(command) { $0.replacing($1.key, with: $1.value) }
            var expected = Self.statuses[command] ?? [0]
            if command.hasPrefix("reach watch"), !command.contains("|") {
                // `reach watch` runs until a signal. timeout(1) exits with 124, or with the command's status if it ends
                // first.
                line = "timeout 2 \(line)"
                expected = [124]
            }

            let scratch = try scratch(named: open.port, isNew: command.hasPrefix("reach init"))
            let path = "\(scratch.file("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
            let tool = try Tool.run(
                ["sh", "-c", line],
                in: scratch.path,
                environment: ["PATH": path],
                within: .seconds(30)
            )
            #expect(expected.contains(tool.status), "\(line)\n\(tool.output)\(tool.errors)")
        }

        @Test func `every excluded command is in a page`() throws {
            let commands = try Set(Self.commands())
            #expect(Set(Self.excluded.keys).subtracting(commands) == [])
            #expect(Set(Self.statuses.keys).subtracting(commands) == [])
        }

        @Test func `subcommands and options in the pages exist`() throws {
            var helps: [String: String] = [:]
            func help(of subcommand: String) throws -> String {
                if let help = helps[subcommand] { return help }
                let help = try Tool.must([Program.path, subcommand, "--help"]).output
                helps[subcommand] = help
                return help
            }
            let inText = try Self.pages().flatMap { page in
                page.matches(of: #/`(reach [^`\n]+)`/#).map { String($0.1) }
            }
            for command in try Self.commands() + inText {
                for part in command.split(separator: #/\|\|?|&&|;/#) {
                    var words = part.split(separator: " ").prefix { $0 != "--" }
                    guard words.popFirst() == "reach" else { continue }
                    let word = words.first.map(String.init) ?? ""
                    var subcommand = "dashboard"
                    if !word.isEmpty, word.allSatisfy(\.isLetter) {
                        subcommand = word
                        // Any other word is a target: its help is that of the default subcommand.
                        let isKnown = try word == "dashboard" || help(of: word) != help(of: "dashboard")
                        #expect(isKnown, "\(command): no such subcommand")
                    }
                    for option in words where option.hasPrefix("-") && option != "-" {
                        let name = option.hasPrefix("--") ? option : option.prefix(2)
                        let isKnown = try help(of: subcommand).split(separator: #/[\s,]+/#).contains(name)
                        #expect(isKnown, "\(command): no option \(option)")
                    }
                }
            }
        }

        @Test(arguments: try blocks(of: "toml"))
        func `settings of a page are valid`(_ settings: String) throws {
            let scratch = try Scratch()
            try scratch.write(settings, to: "dashboard.toml")
            let tool = try Tool.run([Program.path, "validate"], in: scratch.path)
            #expect(tool.status == 0, "\(settings)\n\(tool.output)\(tool.errors)")
        }

        @Test func `links between the pages are valid`() throws {
            for file in try Self.files() {
                let page = try String(contentsOf: file, encoding: .utf8)
                for link in page.matches(of: #/\]\(([^)#:]*)(?:#([^)]*))?\)/#) {
                    let folder = file.deletingLastPathComponent()
                    let target = link.1.isEmpty ? file : folder.appending(path: String(link.1)).standardized
                    #expect(FileManager.default.fileExists(atPath: target.path), "\(file.lastPathComponent): \(link.0)")
                    guard let anchor = link.2, target.pathExtension == "md" else { continue }
                    let headings = try String(contentsOf: target, encoding: .utf8).split(separator: "\n")
                        .filter { $0.hasPrefix("#") }
                    #expect(headings.contains { Self.anchor(of: $0) == anchor }, "\(file.lastPathComponent): \(link.0)")
                }
            }
        }

        // MARK: Fixtures of the commands

        /// Creates a folder with settings and stubs of the programs that the commands run.
        private func scratch(named port: UInt16, isNew: Bool) throws -> Scratch {
            let scratch = try Scratch()
            let settings = """
                [[target]]
                name = "NAS"
                group = "Home"
                url = "tcp://127.0.0.1:\(port)"
                when_reachable = "true"
                """
            if !isNew { try scratch.write(settings, to: "dashboard.toml") }
            try scratch.write(settings, to: "other.toml")
            try scratch.write("{}", to: "job.json")
            try FileManager.default.createDirectory(atPath: scratch.file("bin"), withIntermediateDirectories: false)
            try scratch.write("#!/bin/sh\nexec \(Program.path) \"$@\"\n", to: "bin/reach", mode: 0o700)
            try scratch.write("#!/bin/sh\nexec head -n 1\n", to: "bin/jq", mode: 0o700)
            for stub in ["serve", "bin/mail", "bin/poweroff", "bin/rsync"] {
                try scratch.write("#!/bin/sh\n", to: stub, mode: 0o700)
            }
            return scratch
        }

        // MARK: Contents of the pages

        private static func files() throws -> [URL] {
            let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
            let docs = root.appending(path: "docs")
            let names = try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
            return [root.appending(path: "README.md")] + names.sorted().map { docs.appending(path: $0) }
        }

        private static func pages() throws -> [String] {
            try files().map { try String(contentsOf: $0, encoding: .utf8) }
        }

        /// The fenced blocks of a language in all pages.
        private static func blocks(of language: String) throws -> [String] {
            try pages().flatMap { page in
                page.split(separator: "\n```", omittingEmptySubsequences: false)
                    .filter { $0.hasPrefix("\(language)\n") }
                    .map { String($0.dropFirst(language.count + 1)) }
            }
        }

        /// The distinct commands in all pages, without comments.
        private static func commands() throws -> [String] {
            let lines = try blocks(of: "sh").flatMap { $0.split(separator: "\n") }
            let commands = lines.map { $0.replacing(#/\s+# .*/#, with: "") }.map { String($0) }
            return Set(commands).sorted()
        }

        /// GitHub's anchor of a heading.
        private static func anchor(of heading: Substring) -> String {
            heading.drop { "# ".contains($0) }.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacing(" ", with: "-")
        }
    }
}

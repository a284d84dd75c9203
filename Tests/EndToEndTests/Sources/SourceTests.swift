import Foundation
import Testing

extension EndToEnd {
    /// Targets of lists from elsewhere.
    @Suite(.serialized) struct SourceTests {
        private let scratch: Scratch
        private let (one, two): (Listener, Listener)

        init() throws {
            scratch = try Scratch()
            (one, two) = (try Listener(), try Listener())
        }

        /// A list of targets in JSON.
        private func list(_ listeners: Listener...) -> String {
            let addresses = listeners.map { "\"127.0.0.1:\($0.port)\"" }.joined(separator: ", ")
            return "[{\"targets\": [\(addresses)], \"labels\": {\"job\": \"doors\"}}]"
        }

        private func check(_ settings: String, _ words: String...) throws -> Tool {
            try scratch.write(settings, to: "dashboard.toml")
            return try Tool.run([Program.path, "check"] + words, in: scratch.path)
        }

        /// The names of the targets in the output of `check --json`.
        private func names(_ tool: Tool) throws -> [String] {
            let object = try JSONSerialization.jsonObject(with: Data(tool.output.utf8)) as? [String: Any]
            let targets = object?["targets"] as? [[String: Any]] ?? []
            return targets.compactMap { $0["target"] as? String }
        }

        @Test func `watch follows a list in a file, and keeps its targets over a broken one`() async throws {
            try scratch.write(list(one), to: "list.json")
            let settings =
                "[[source]]\nfile = \"\(scratch.file("list.json"))\"\nrefresh = \"1s\"\ninterval = \"300ms\"\n"
            let watch = try await ListeningWatch(settings)
            let up = { (listener: Listener) in
                "reach_up{target=\"127.0.0.1:\(listener.port)\",group=\"doors\",method=\"tcp\"} 1"
            }
            try await watch.wait(forLine: up(one))
            try scratch.write(list(one, two), to: "list.json")
            try await watch.wait(forLine: up(two))
            let source = "source=\"\(scratch.file("list.json"))\",type=\"file\""
            try await watch.wait(forLine: "reach_source_last_refresh_successful{\(source)} 1")
            try await watch.wait(forLine: "reach_source_targets{\(source)} 2")
            try scratch.write(String(list(two).dropLast(4)), to: "list.json")
            try await watch.wait(forLine: "reach_source_last_refresh_successful{\(source)} 0")
            // Both targets stay, and are still probed.
            let (before, page) = (one.count, try watch.get("/metrics"))
            #expect(page.lines.contains(up(one)) && page.lines.contains(up(two)))
            try await eventually("probes") { one.count > before }
            let errors = watch.scratch.text(of: "err")
            #expect(errors.contains("list.json: 1 added\n"), "\(errors)")
            #expect(errors.contains("not JSON: the text is cut off; its 2 targets stay\n"), "\(errors)")
        }

        @Test func `check reads a list by HTTP with the token of a file, and fails without the list`() throws {
            let good = ScriptedServer.answer("200 OK", "Content-Type: application/json", body: list(one, two))
            let server = try ScriptedServer(good, ScriptedServer.answer("503 Service Unavailable"))
            try scratch.write("s3cret\n", to: "token")
            let settings = """
                [[source]]
                http = "\(server.url)/targets?key=${KEY:-hidden}"
                bearer = "${file:token}"
                name = "Door ${label:__port__}"
                """
            let checked = try check(settings, "--json")
            #expect(
                try names(checked) == ["Door \(one.port)", "Door \(two.port)"] && checked.status == 0,
                "\(checked.errors)"
            )
            #expect(server.requests.first?.contains("Authorization: Bearer s3cret\r\n") == true)
            let failed = try check(settings)
            #expect(failed.status == 2 && failed.output == "")
            #expect(failed.errorLines == ["reach: source \(server.url)/targets: HTTP 503"])
            let plugin = try check(settings, "--format", "nagios")
            #expect(plugin.status == 3 && plugin.output.contains("HTTP 503"), "\(plugin.output)")
        }

        @Test func `a command that hangs is ended with its children, and its last error is the problem`() throws {
            let settings = """
                [[source]]
                command = "echo $$ > pid; sleep 60 & echo no list >&2; sleep 60"
                refresh_timeout = "300ms"
                """
            let tool = try check(settings)
            #expect(tool.status == 2 && tool.errors.contains("timeout after 300ms: no list"), "\(tool.errors)")
            let group = try #require(scratch.lines(of: "pid").first.flatMap { Int32($0) })
            let running = try Tool.must(["ps", "-eo", "pgid=,stat="]).lines.map { $0.split(separator: " ") }
            // The parent of an ended process may not have read its status yet.
            #expect(!running.contains { $0.first == "\(group)" && $0.last?.hasPrefix("Z") == false })
            let good = try check("[[source]]\ncommand = '''echo '\(list(one))'; echo warning >&2'''\n", "--json")
            #expect(try names(good) == ["127.0.0.1:\(one.port)"])
        }

        @Test(.enabled(if: Machine.hasPrometheus, "prometheus is not installed"))
        func `the active targets of Prometheus are probed, and those of blackbox_exporter as what they are`()
            async throws
        {
            let config = """
                scrape_configs:
                - job_name: node
                  static_configs: [{ targets: ["127.0.0.1:\(one.port)"], labels: { env: prod } }]
                - job_name: blackbox
                  metrics_path: /probe
                  params: { module: [tcp_connect] }
                  static_configs: [{ targets: ["127.0.0.1:\(two.port)"] }]
                  relabel_configs:
                  - { source_labels: [__address__], target_label: __param_target }
                  - { source_labels: [__param_target], target_label: instance }
                  - { target_label: __address__, replacement: "127.0.0.1:9" }
                """
            try scratch.write(config, to: "prometheus.yml")
            let (port, descriptor) = try Listener.open()
            close(descriptor)
            let server = try Child(
                [
                    "prometheus", "--config.file=\(scratch.file("prometheus.yml"))",
                    "--storage.tsdb.path=\(scratch.file("tsdb"))", "--web.listen-address=127.0.0.1:\(port)",
                ],
                in: scratch.path,
                streams: .files(output: scratch.file("prometheus.out"), errors: scratch.file("prometheus.err"))
            )
            let settings = """
                [[source]]
                prometheus = "http://127.0.0.1:\(port)"
                tags = ["env:${label:env}"]
                """
            let tool = try await eventually(
                "targets",
                within: .seconds(20),
                context: { scratch.text(of: "prometheus.err") }
            ) {
                let tool = try check(settings, "--json")
                return try tool.status == 2 || names(tool).isEmpty ? nil : tool
            }
            #expect(try Set(names(tool)) == ["127.0.0.1:\(one.port)", "127.0.0.1:\(two.port)"], "\(tool.output)")
            #expect(tool.output.contains("\"group\":\"node\"") && tool.output.contains("\"group\":\"blackbox\""))
            #expect(tool.output.contains("env:prod") && tool.status == 0)
            server.send(SIGKILL)
        }

        @Test(.enabled(if: Machine.hasNameServer, "dnsmasq is not installed"))
        func `the SRV records of a name are probed, by the first name server that answers`() async throws {
            let (port, descriptor) = try Listener.open()
            close(descriptor)
            let server = try Child(
                [
                    "dnsmasq", "--keep-in-foreground", "--port=\(port)", "--listen-address=127.0.0.1",
                    "--bind-interfaces",
                    "--no-resolv", "--no-hosts", "--local=/test/", "--conf-file=/dev/null",
                    "--pid-file=\(scratch.file("dns.pid"))", "--srv-host=_door._tcp.test,localhost,\(one.port)",
                    "--srv-host=_door._tcp.test,localhost,\(two.port)",
                ],
                in: scratch.path,
                streams: .files(output: scratch.file("dns.out"), errors: scratch.file("dns.err"))
            )
            _ = try await scratch.number(in: "dns.pid")
            let settings = """
                [[source]]
                dns = "_door._tcp.test"
                servers = ["127.0.0.1:9", "127.0.0.1:\(port)"]
                group = "${label:__meta_dns_name}"
                """
            let tool = try check(settings, "--json")
            #expect(try Set(names(tool)) == ["localhost:\(one.port)", "localhost:\(two.port)"], "\(tool.errors)")
            #expect(tool.output.contains("\"group\":\"_door._tcp.test\"") && tool.status == 0, "\(tool.output)")
            server.send(SIGKILL)
        }

        @Test func `validate reads the files of sources, and says what it does not fetch`() throws {
            try scratch.write(list(one), to: "list.json")
            let settings = "[[source]]\nfile = \"list.json\"\n[[source]]\nhttp = \"http://127.0.0.1:9/\"\n"
            let path = try scratch.write(settings, to: "dashboard.toml")
            let valid = try Tool.run([Program.path, "validate", path], in: scratch.path)
            #expect(valid.output == "ok: 1 target, 0 hooks; not fetched: http://127.0.0.1:9/\n" && valid.status == 0)
            try scratch.write("[", to: "list.json")
            let broken = try Tool.run([Program.path, "validate", path], in: scratch.path)
            #expect(broken.status == 1)
            #expect(
                broken.lines.last
                    == "\(path): source \"list.json\": \(scratch.file("list.json")): line 1: not JSON: the text is cut off"
            )
            try scratch.write("[{\"targets\": [\"exec:\"]}]", to: "list.json")
            let odd = try Tool.run([Program.path, "validate", "--json", path], in: scratch.path)
            #expect(
                odd.status == 0 && odd.output.contains("1 of 1 targets left out") && odd.output.contains("not_fetched")
            )
        }

        @Test(.enabled(if: Machine.hasTmux, "tmux is not installed"))
        func `the dashboard shows the targets of a source, and its problem`() async throws {
            try scratch.write(list(one), to: "list.json")
            let settings = "[[source]]\nfile = \"list.json\"\nrefresh = \"1s\"\ninterval = \"300ms\"\n"
            let path = try scratch.write(settings, to: "dashboard.toml")
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 1 up")
            try scratch.write(list(one, two), to: "list.json")
            try await screen.wait(for: "source list.json: 1 added")
            try await screen.wait(for: "● 2 up")
            try scratch.write("<html>", to: "list.json")
            try await screen.wait(for: "not JSON: unexpected '<'; its 2 targets stay")
            try await screen.wait(for: "● 2 up")
            try scratch.write(list(two), to: "list.json")
            try await screen.wait(for: "source list.json: 1 removed")
            try await screen.wait(for: "● 1 up")
        }
    }
}

extension EndToEnd {
    /// Several processes that share the targets of one list.
    @Suite(.serialized) struct ShardTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func start(_ number: Int, of count: Int) throws -> Child {
            try Child(
                [
                    Program.path, "watch", "--json", "--no-history", "--shard", "\(number)/\(count)", "--config",
                    scratch.file("settings.toml"),
                ],
                in: scratch.path,
                streams: .files(output: scratch.file("out\(number)"), errors: scratch.file("err\(number)"))
            )
        }

        /// The targets that a process has reported as up, in the order of their names.
        private func reported(_ number: Int) throws -> [String] {
            try scratch.lines(of: "out\(number)").compactMap { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["to"] as? String == "up" ? object?["target"] as? String : nil
            }.sorted()
        }

        @Test func `five processes probe each target exactly once, and report a shared dependency once`() async throws {
            let listeners = try (0..<20).map { _ in try Listener() }
            let router = try Listener()
            // One probe for each target: a second one would be that of another process.
            let targets = listeners.enumerated().map { index, listener in
                "[[target]]\nname = \"T\(index)\"\nurl = \"tcp://127.0.0.1:\(listener.port)\"\ndepends_on = [\"Router\"]\n"
            }
            let defaults = "[defaults]\ninterval = \"1h\"\n"
            let parent = "[[target]]\nname = \"Router\"\nurl = \"tcp://127.0.0.1:\(router.port)\"\n"
            try scratch.write(defaults + parent + targets.joined(), to: "settings.toml")
            let children = try (1...5).map { try start($0, of: 5) }
            let names = (["Router"] + listeners.indices.map { "T\($0)" }).sorted()
            let context = { (1...5).map { scratch.text(of: "out\($0)") + scratch.text(of: "err\($0)") }.joined() }
            try await eventually("all targets", within: .seconds(20), context: context) {
                try (1...5).flatMap(reported).count >= names.count
            }
            let shares = try (1...5).map(reported)
            #expect(shares.flatMap(\.self).sorted() == names, "\(shares)")
            #expect(listeners.map(\.count) == Array(repeating: 1, count: 20))
            // Each process with a target that depends on the router probes it, and its own shard reports it.
            let dependent = shares.count { !$0.isEmpty }
            #expect(router.count == dependent, "\(shares)")
            for child in children { child.send(SIGKILL) }
        }

        @Test func `check probes the share only, and an invalid shard is refused`() throws {
            let listeners = try (0..<6).map { _ in try Listener() }
            let list = listeners.map { "127.0.0.1:\($0.port)" }
            let shares = try (1...3).map { number in
                let tool = try Tool.run([Program.path, "check", "--shard", "\(number)/3"] + list, in: scratch.path)
                #expect(tool.status == 0, "\(tool.errors)")
                return tool.lines.dropFirst().dropLast().compactMap { $0.split(separator: " ").first.map(String.init) }
            }
            #expect(shares.flatMap(\.self).sorted() == list.sorted(), "\(shares)")
            #expect(listeners.allSatisfy { $0.count == 1 })
            let bad = try Tool.run([Program.path, "watch", "--shard", "4/3", "127.0.0.1:9"], in: scratch.path)
            #expect(bad.status == 2 && bad.errors.contains("no shard 4 of 3 – from 1/3 to 3/3"), "\(bad.errors)")
        }
    }
}

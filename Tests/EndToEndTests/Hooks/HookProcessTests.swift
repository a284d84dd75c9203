import Foundation
import Testing

extension EndToEnd {
    /// Hook processes under ignored signals, suspension, capabilities and descriptor limits.
    @Suite(.serialized) struct HookProcessTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }

        private func errors(with text: String) -> [String] {
            scratch.lines(of: "err").filter { $0.contains(text) }
        }

        @Test(.enabled(if: Machine.canIgnoreSignals, "env has no --ignore-signal"))
        func `with SIGCHLD ignored by the parent, a hook succeeds once and exec targets are up`() async throws {
            let settings = try fixture.settings(
                """
                [[target.hooks]]
                on = "up"
                at_start = true
                retries = 3
                run = ["sh", "-c", "echo >> runs; exec grep SigIgn /proc/self/status"]
                [[target]]
                name = "Command"
                url = "exec:"
                exec = { run = ["true"] }
                interval = "200ms"
                """
            )
            let words = ["env", "--ignore-signal=CHLD,HUP", Program.path, "watch", "--config", settings]
            let child = try scratch.start(words)
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("verdict of the exec target", context: context) {
                scratch.lines(of: "out").contains { $0.contains("Command") && $0.contains("up") }
            }
            try await eventually("end of the hook", context: context) { !errors(with: "exited 0").isEmpty }
            try await Task.sleep(for: .seconds(2))
            #expect(scratch.lines(of: "runs").count == 1)
            #expect(!scratch.text(of: "err").contains("cannot be probed"), "\(context())")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a hook that ends while the program is suspended succeeds and runs once`() async throws {
            let hook = """
                [[target.hooks]]
                on = "up"
                at_start = true
                once = true
                retries = 2
                timeout = "1500ms"
                run = "echo >> runs; sleep 1"
                """
            let child = try fixture.watch(hook)
            try await eventually("start of the hook") { scratch.lines(of: "runs").count == 1 }
            child.send(SIGSTOP)
            try await Task.sleep(for: .seconds(4))
            child.send(SIGCONT)
            try await eventually("end of the hook", context: { scratch.text(of: "err") }) {
                !errors(with: "exited 0").isEmpty
            }
            try await Task.sleep(for: .seconds(1))
            #expect(scratch.lines(of: "runs").count == 1)
            #expect(errors(with: "timed out").isEmpty)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `suspended time does not count towards a hook's timeout`() async throws {
            let hook = """
                [[target.hooks]]
                on = "up"
                at_start = true
                timeout = "2s"
                run = "echo $$ > leader; i=0; while [ $i -lt 12 ]; do sleep 0.1; i=$((i+1)); done"
                """
            let child = try fixture.watch(hook)
            let leader = try await scratch.number(in: "leader")
            // Like the cgroup freezer: no process of the group runs, but clocks advance.
            kill(-leader, SIGSTOP)
            child.send(SIGSTOP)
            try await Task.sleep(for: .seconds(4))
            child.send(SIGCONT)
            kill(-leader, SIGCONT)
            try await eventually("end of the hook", context: { scratch.text(of: "err") }) {
                !errors(with: "exited 0").isEmpty
            }
            #expect(errors(with: "timed out").isEmpty)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(
            .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
            .enabled(if: Machine.hasSetpriv, "setpriv is not installed")
        )
        func `hooks and exec commands inherit no capabilities, and the program keeps its own`() async throws {
            let network = try Namespace()
            try network.set("net.ipv4.ping_group_range", to: "1 0")
            let user = try UnprivilegedUser(in: scratch)
            try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: scratch.path)
            // As in the packaged systemd unit, CAP_NET_RAW is inheritable and ambient.
            let settings = try scratch.write(
                """
                [[target]]
                url = "icmp://127.0.0.1"
                [[target]]
                name = "Command"
                url = "exec:"
                exec = { run = ["sh", "-c", "grep ^Cap /proc/self/status > exec"] }
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "grep ^Cap /proc/self/status > hook"
                """,
                to: "settings.toml",
                mode: 0o644
            )
            let privileges = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            let words =
                privileges + [
                    "--inh-caps=-all,+net_raw", "--ambient-caps=-all,+net_raw", "--bounding-set=-all,+net_raw",
                ]
            try await check(network.words(words + [user.program, "watch", "--config", settings]))
        }

        @Test(
            .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
            .enabled(if: Machine.canPing, "no ICMP socket can be opened here"),
            .enabled(if: Machine.canLimit, "prlimit is not installed")
        )
        func `a hook without descriptors fails, and the next one runs`() async throws {
            let network = try Namespace()
            try network.ip("link", "set", "lo", "up")
            try network.ip("address", "add", "192.0.2.77/32", "dev", "lo")
            let settings = try scratch.write(
                """
                [[target]]
                name = "Address"
                url = "icmp://192.0.2.77"
                interval = "200ms"
                timeout = "200ms"
                [[target.hooks]]
                on = ["down", "up"]
                run = "echo $REACH_EVENT >> runs"
                """,
                to: "settings.toml"
            )
            let child = try scratch.start(network.words(Program.path, "watch", "--config", settings))
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("verdict", context: context) { scratch.lines(of: "out").count == 1 }
            func limit(_ count: Int) throws {
                try Tool.must(["prlimit", "--pid=\(child.id)", "--nofile=\(count):4096"])
            }
            try limit(4)
            try network.ip("address", "del", "192.0.2.77/32", "dev", "lo")
            try await eventually("failed start", context: context) { !errors(with: "did not start").isEmpty }
            try limit(4_096)
            try network.ip("address", "add", "192.0.2.77/32", "dev", "lo")
            try await eventually("hook", context: context) { scratch.lines(of: "runs") == ["up"] }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(
            .enabled(if: Machine.hasTmux, "tmux is not installed"),
            .enabled(if: Machine.canLimit, "prlimit is not installed")
        )
        func `armed commands run again after a shortage of descriptors`() async throws {
            let screen = try Screen(Screen.program("127.0.0.1:\(fixture.listener.port)"), in: scratch)
            try await screen.wait(for: "● 1 up")
            let id = try await scratch.number(in: "pid")
            func run(_ command: String, descriptors: Int) async throws {
                try Tool.must(["prlimit", "--pid=\(id)", "--nofile=\(descriptors):4096"])
                try screen.press("x")
                try screen.enter(command)
            }
            // With each limit, a different step of the start is the first to fail.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").compactMap { Int($0) }
            let highest = try #require(open.max())
            for more in 1...10 {
                let file = "try\(more)"
                try await run("echo > \(file)", descriptors: highest + more)
                try await eventually("end of the command", context: { screen.text }) {
                    let rows = try screen.rows.filter { $0.contains(file) }
                    return !scratch.lines(of: file).isEmpty || rows.contains { $0.contains("did not start") }
                }
            }
            try await run("echo > last", descriptors: 4_096)
            try await eventually("command", context: { screen.text }) { !scratch.lines(of: "last").isEmpty }
            try screen.press("q")
        }

        private func check(_ words: [String]) async throws {
            let child = try scratch.start(words)
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("verdict by ICMP", context: context) {
                scratch.lines(of: "out").contains { $0.contains("127.0.0.1") && $0.contains("up") }
            }
            for name in ["exec", "hook"] {
                let lines = try await eventually("capabilities in \(name)", context: context) {
                    let lines = scratch.lines(of: name)
                    return lines.count == 5 ? lines : nil
                }
                for kind in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
                    #expect(lines.contains("\(kind):\t0000000000000000"), "\(name): \(lines)")
                }
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

extension EndToEnd {
    /// Names and data of peers are passed to commands as data only, and are drawn without control characters.
    @Suite(.serialized) struct HookInjectionTests {
        /// Shell syntax that would run a command or end a string.
        private static let shellSyntax = #"$(touch pwned) `touch pwned` '; touch pwned; " & | > pwned \ %s"#
        /// Control sequences and a line break. Settings reject such a name; a peer may send it.
        private static let controlCodes = "\u{1B}]0;owned\u{7}\u{9B}31m\n$(touch pwned)"

        @Test func `a hostile name and a hostile banner are passed unchanged and never run`() async throws {
            let scratch = try Scratch()
            let listener = try Listener(greeting: Self.shellSyntax + Self.controlCodes + "\r\n")
            // Escaped for TOML.
            let name = Self.shellSyntax.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let settings = """
                [defaults]
                interval = "200ms"
                [[target]]
                name = "\(name)"
                group = "\(name)"
                url = "tcp://127.0.0.1:\(listener.port)"
                tcp = { expect = "^SSH-2" }
                [[target.hooks]]
                on = "down"
                at_start = true
                run = '''cat > input.json; printf %s "$REACH_TARGET" > name; printf %s "$REACH_GROUP" > group
                    echo "$REACH_TARGET"; exit 3'''
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty(
                [Program.path, "--config", path, "-vvv", "--log", scratch.file("log")],
                in: scratch,
                columns: 200,
                rows: 50
            )
            try await pty.wait(for: "failed, status 3")
            pty.type("e")
            try await Task.sleep(for: .milliseconds(300))
            // Once to leave the events, once to quit.
            pty.type("qq")
            #expect(try await pty.end() == 0)

            #expect(scratch.text(of: "name") == Self.shellSyntax)
            #expect(scratch.text(of: "group") == Self.shellSyntax)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
            let input = scratch.text(of: "input.json")
            #expect(input.split(separator: "\n").count == 1 && !input.contains("\u{1B}"))
            let object = try #require(try JSONSerialization.jsonObject(with: Data(input.utf8)) as? [String: Any])
            #expect(object["target"] as? String == Self.shellSyntax)
            let detail = try #require(object["detail"] as? String)
            #expect(detail.contains("$(touch pwned)"), "\(detail)")
            for code in ["\u{1B}]", "\u{7}"] {
                #expect(!pty.drawn.contains(code), "\(code.debugDescription) reached the terminal")
                #expect(!scratch.text(of: "log").contains(code), "\(code.debugDescription) reached the log")
            }
        }

        @Test(.enabled(if: Machine.hasPeers, "openssl is not installed"))
        func `a hostile status line and certificate name are passed and quoted the same way`()
            async throws
        {
            let scratch = try Scratch()
            let web = try Listener(greeting: "HTTP/1.1 503 $(touch pwned) 'x'\u{1B}[31m\r\n\r\n", waitsForRequest: true)
            let port = Int.random(in: 12_000..<30_000)
            // OpenSSL has its own meanings for some of the characters.
            let names = "subjectAltName=DNS:\\$(touch pwned) \\`touch pwned\\` \u{1B}]0\\;owned\u{7}"
            let make = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -subj /CN=own -addext"
            try Tool.must(["sh", "-c", make + #" "$1""#, "sh", names], in: scratch.path)
            let server = try Child(
                [
                    "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "own.pem", "-key", "key.pem",
                    "-quiet",
                ],
                in: scratch.path,
                streams: .files(output: scratch.file("server"), errors: scratch.file("server.err"))
            )
            let settings = """
                [defaults]
                interval = "300ms"
                fall = 1
                [[target]]
                name = "Web"
                url = "http://127.0.0.1:\(web.port)/"
                [[target]]
                name = "Own"
                url = "tls://127.0.0.1:\(port)"
                tls = { ca = "\(scratch.file("own.pem"))", server_name = "nas.example" }
                [[hook]]
                on = "down"
                at_start = true
                run = "cat > $REACH_TARGET.json; env > $REACH_TARGET.env"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 200, rows: 50)
            // Only the number of a status comes from the server.
            let expected = [
                ("Web", "HTTP 503 Service Unavailable", "http_status"),
                ("Own", "certificate is for $(touch pwned) `touch pwned`", "certificate_name"),
            ]
            for (name, words, reason) in expected {
                let input = try await eventually(
                    "input of \(name)",
                    context: { pty.text + scratch.text(of: "server.err") }
                ) {
                    let text = scratch.text(of: "\(name).json")
                    return text.hasSuffix("\n") ? text : nil
                }
                let object = try #require(try JSONSerialization.jsonObject(with: Data(input.utf8)) as? [String: Any])
                let detail = try #require(object["detail"] as? String)
                #expect(detail.hasPrefix(words), "\(detail)")
                #expect(!detail.contains("\u{1B}"))
                #expect(object["reason"] as? String == reason)
                #expect(!scratch.text(of: "\(name).env").contains("\u{1B}"))
            }
            pty.type("e")
            try await Task.sleep(for: .milliseconds(300))
            // Once to leave the events, once to quit.
            pty.type("qq")
            #expect(try await pty.end() == 0)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
            #expect(!pty.drawn.contains("\u{1B}]") && !pty.drawn.contains("'x'\u{1B}"))
            server.send(SIGKILL)
        }
    }
}

import Foundation
import Testing

extension EndToEnd {
    /// The main scenario: a target goes down, comes up again, and its command runs.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasTmux, "tmux is not installed"),
        .enabled(if: Machine.canPing, "ICMP is not permitted")
    ) struct OutageTests {
        @Test func `an outage is shown as it happens, and its end runs the command once`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let hook = """
                date +%s.%N >> \(scratch.file("times"))
                env | grep '^REACH_' | sort > \(scratch.file("environment"))
                cat > \(scratch.file("input.json"))
                """
            try scratch.write(hook, to: "hook.sh")
            let settings = """
                [defaults]
                interval = "500ms"
                timeout = "400ms"
                [group.Home]
                [[target]]
                name = "Loopback"
                url = "icmp://127.0.0.1"
                [[target]]
                name = "Door"
                group = "Home"
                url = "tcp://127.0.0.1:\(listener.port)"
                when_reachable = "sh \(scratch.file("hook.sh"))"
                """
            let path = try scratch.write(settings, to: "settings.toml")

            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 2 up")
            try await screen.wait(forRowWith: "● Loopback", " up ")
            try await screen.wait(forRowWith: "● Door", " up ")

            listener.stop()
            try await screen.wait(forRowWith: "● Door", "up 1/3")
            try await screen.wait(forRowWith: "● Door", "up 2/3")
            try await screen.wait(forRowWith: "○ Door", "down")
            try await screen.wait(forRowWith: "Door", "down after 3 losses: refused")
            try await screen.wait(for: "● 1 up  ○ 1 down")
            #expect(scratch.text(of: "times").isEmpty, "the hook ran while the target was down")

            let outageEnded = wallTime()
            try await listener.start()
            try await screen.wait(forRowWith: "● Door", "up ")
            try await screen.wait(for: "● 2 up")
            try await screen.wait(forRowWith: "Door", "up after", "sh ok")
            // Time for an unwanted second run.
            try await Task.sleep(for: .milliseconds(1_500))
            let times = scratch.lines(of: "times").compactMap { Double($0) }
            #expect(times.count == 1, "the hook did not run exactly once")

            let accepted = try #require(listener.times.first { $0 > outageEnded })
            let ran = try #require(times.first)
            let delay = ran - accepted
            print("from the accepted connection to the hook's first line: \((delay * 1_000).rounded()) ms")
            // The listener notes the time of a connection a little later.
            #expect(ran > outageEnded && delay < 1)

            try expectEnvironment(in: scratch, port: listener.port)
            try expectInput(in: scratch, port: listener.port)
        }

        private func expectEnvironment(in scratch: Scratch, port: UInt16) throws {
            let pairs = scratch.lines(of: "environment").map { $0.split(separator: "=", maxSplits: 1) }
            let values = Dictionary(
                pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") },
                uniquingKeysWith: { $1 }
            )
            let exact = [
                "REACH_EVENT": "up", "REACH_TARGET": "Door", "REACH_URL": "tcp://127.0.0.1:\(port)",
                "REACH_HOST": "127.0.0.1", "REACH_PORT": "\(port)", "REACH_ADDRESS": "127.0.0.1",
                "REACH_GROUP": "Home", "REACH_TAGS": "", "REACH_HEALTH": "up", "REACH_PREVIOUS_HEALTH": "down",
                "REACH_REASON": "",
                "REACH_PREVIOUS_ADDRESS": "", "REACH_FLAPPING": "", "REACH_ACKNOWLEDGED": "", "REACH_ATTEMPT": "1",
                "REACH_VANTAGE_UP": "", "REACH_VANTAGE_DEGRADED": "", "REACH_VANTAGE_DOWN": "",
                "REACH_VANTAGE_SILENT": "", "REACH_PATH_END": "", "REACH_PATH_HOPS": "", "REACH_PATH_BEFORE": "",
                "REACH_SHIFT": "", "REACH_LEVEL_BEFORE_MS": "", "REACH_LEVEL_MS": "",
                "REACH_CAUSE": "", "REACH_CAUSE_COUNT": "",
            ]
            for (name, value) in exact { #expect(values[name] == value, "\(name)") }
            let isTime = values["REACH_SINCE"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
            #expect(isTime, "REACH_SINCE is \(values["REACH_SINCE"] ?? "missing")")
            let down = try #require(values["REACH_DOWN_SECONDS"].flatMap { Double($0) })
            #expect(down > 0 && down < 20)
            let roundTrip = try #require(values["REACH_ROUND_TRIP_MS"].flatMap { Double($0) })
            #expect(roundTrip > 0 && roundTrip < 400)
            let loss = try #require(values["REACH_LOSS"].flatMap { Double($0) })
            #expect(loss > 0 && loss < 1)
            #expect(values.count == exact.count + 4, "\(values.keys.sorted())")
        }

        private func expectInput(in scratch: Scratch, port: UInt16) throws {
            let bytes = Data(scratch.text(of: "input.json").utf8)
            let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
            let exact = [
                "type": "transition", "target": "Door", "url": "tcp://127.0.0.1:\(port)", "group": "Home",
                "address": "127.0.0.1", "from": "down", "to": "up",
            ]
            for (key, value) in exact { #expect(object[key] as? String == value, "\(key)") }
            for key in ["after_seconds", "down_seconds", "round_trip_seconds", "loss"] {
                let number = try #require(object[key] as? Double, "\(key)")
                #expect(number > 0 && number < 20, "\(key)")
            }
            #expect(object["time"] is String)
            #expect(object["reason"] == nil && object["detail"] == nil)
        }
    }
}

extension EndToEnd {
    /// Settings files with commands that a group can write, with a private user database.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "mounts cannot be made here"),
        .enabled(if: Machine.hasSetpriv, "setpriv is not installed")
    )
    struct GroupTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Runs `reach validate` as alice, whose primary group can write the settings.
        private func validate(_ users: String, groups: String) throws -> Tool {
            let program = try UnprivilegedUser(in: scratch).program
            let settings = try scratch.write(
                "[[target]]\nurl = \"tcp://192.0.2.1:1\"\nwhen_reachable = \"true\"\n",
                to: "settings.toml",
                mode: 0o664
            )
            for path in [settings, scratch.path] {
                try FileManager.default.setAttributes(
                    [.ownerAccountID: 4_001, .groupOwnerAccountID: 4_001],
                    ofItemAtPath: path
                )
            }
            try scratch.write("root:x:0:0::/:/bin/sh\n\(users)", to: "passwd", mode: 0o644)
            try scratch.write("root:x:0:\n\(groups)", to: "group", mode: 0o644)
            let script = """
                mount --bind passwd /etc/passwd && mount --bind group /etc/group &&
                exec setpriv --reuid=4001 --regid=4001 --clear-groups \(program) validate --config \(settings)
                """
            return try Tool.run(["unshare", "--mount", "sh", "-c", script], in: scratch.path)
        }

        @Test func `a settings file writable by the user's private group is valid`() throws {
            let tool = try validate("alice:x:4001:4001::/:/bin/sh\n", groups: "alice:x:4001:\n")
            #expect(tool.status == 0, "\(tool.errors)")
        }

        @Test(arguments: [
            ("alice:x:4001:4001::/:/bin/sh\nbob:x:4002:4001::/:/bin/sh\n", "alice:x:4001:\n"),
            ("alice:x:4001:4001::/:/bin/sh\nbob:x:4002:4002::/:/bin/sh\n", "alice:x:4001:bob\n"),
        ])
        func `a settings file writable by a shared group is invalid`(users: String, groups: String)
            throws
        {
            let tool = try validate(users, groups: groups)
            #expect(tool.status == 1)
            let reason = "the file has commands and its group can write it"
            #expect(tool.output.contains(reason), "\(tool.output)\(tool.errors)")
        }
    }
}

extension EndToEnd {
    /// The bell, notifications and the window's title.
    @Suite(.serialized) struct AlertTests {
        private let restore = "\u{1B}]2;\u{7}\u{1B}[23;2t"

        /// Returns a dashboard whose only target was up and went down.
        private func outage(_ alerts: String, in scratch: Scratch) async throws -> Pty {
            let listener = try Listener()
            let settings = """
                \(alerts)
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "200ms"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let environment = ["TERM_PROGRAM": "WezTerm"]
            let pty = try Pty([Program.path, "--config", path], in: scratch, environment: environment)
            try await pty.wait(for: "● 1 up")
            try await pty.wait(for: "\u{1B}[22;2t\u{1B}]2;reach\u{7}")
            listener.stop()
            try await pty.wait(for: "\u{1B}]2;1 down – reach\u{7}")
            return pty
        }

        @Test func `an outage rings, and shows a notification`() async throws {
            let pty = try await outage("[alerts]\nbell = true\nnotify = true\n", in: try Scratch())
            try await pty.wait(for: "\u{1B}]9;reach: Door down\u{7}")
            let bells = pty.text.replacing(/\u{1B}\][^\u{7}]*\u{7}/.matchingSemantics(.unicodeScalar), with: "")
            #expect(bells.unicodeScalars.count { $0 == "\u{7}" } == 1)
            pty.child.send(SIGTERM)
            _ = try await pty.end()
        }

        @Test(arguments: [SIGTERM, SIGILL, 0])
        func `the window has its own title again at the end`(signal: Int32) async throws {
            let pty = try await outage("", in: try Scratch())
            #expect(!pty.text.contains("reach: Door down"))
            if signal == 0 { pty.type("q") } else { pty.child.send(signal) }
            #expect(try await pty.end() == (signal == 0 ? 0 : 128 + signal))
            try await eventually("title", context: { pty.text }) {
                guard let title = pty.text.ranges(of: "down – reach\u{7}").last else { return false }
                return pty.text[title.upperBound...].contains(restore)
            }
        }

        @Test func `without a title in the settings, the window keeps its own`() async throws {
            let scratch = try Scratch()
            let settings = "[alerts]\ntitle = false\n[[target]]\nurl = \"127.0.0.1:1\"\n"
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch)
            try await pty.wait(for: "○ 1 down")
            pty.type("q")
            #expect(try await pty.end() == 0)
            #expect(!pty.text.contains("\u{1B}]2;") && !pty.text.contains(";2t"))
        }
    }
}

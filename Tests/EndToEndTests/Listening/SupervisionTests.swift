import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The notifications of `watch` to a service manager.
    @Suite(.serialized) struct SupervisionTests {
        private let settings = "[[target]]\nname = \"Here\"\nurl = \"link:lo\"\n"

        @Test(arguments: [false, true])
        func `readiness, the watchdog, a reload and the end are notified`(_ isAbstract: Bool) async throws {
            let receiver = try NotifyReceiver(isAbstract: isAbstract)
            let environment = ["NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "400000"]
            let watch = try await ListeningWatch(settings, environment: environment)
            var messages: [String] = []
            let receive = { (message: String) async throws in
                try await eventually(message, context: { messages.joined(separator: "\n") }) {
                    messages += receiver.messages()
                    return messages.contains { $0.contains(message) }
                }
            }
            try await receive("READY=1")
            #expect(messages.first == "READY=1\nSTATUS=1 target: 1 unknown")
            try await receive("STATUS=1 target: 1 up")
            messages = []
            try await Task.sleep(for: .seconds(2))
            messages += receiver.messages()
            // Five notifications a second, fewer on a busy machine.
            #expect((6...11).contains(messages.count { $0.contains("WATCHDOG=1") }), "\(messages)")

            // A suspended program does not notify the watchdog.
            watch.child.send(SIGSTOP)
            try await Task.sleep(for: .milliseconds(100))
            _ = receiver.messages()
            try await Task.sleep(for: .seconds(1))
            #expect(receiver.messages() == [])
            watch.child.send(SIGCONT)

            messages = []
            watch.child.send(SIGHUP)
            try await receive("READY=1")
            let reload = messages.filter { !$0.hasPrefix("WATCHDOG") }
            #expect(reload.first?.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=\d+/) != nil, "\(reload)")
            watch.child.send(SIGTERM)
            try await receive("STOPPING=1")
            #expect(try await watch.child.end() == 143)
        }

        @Test func `a rejected reload is notified as the end of the reload`() async throws {
            let receiver = try NotifyReceiver(isAbstract: false)
            let watch = try await ListeningWatch(settings, environment: ["NOTIFY_SOCKET": receiver.name])
            try watch.scratch.write("nonsense", to: "settings.toml")
            var messages: [String] = []
            watch.child.send(SIGHUP)
            try await eventually("end of the reload", context: { "\(messages)" }) {
                messages += receiver.messages()
                guard let start = messages.firstIndex(where: { $0.hasPrefix("RELOADING=1") }) else { return false }
                return messages[start...].contains { $0.hasPrefix("READY=1") }
            }
            #expect(!messages.contains { $0.contains("WATCHDOG") })
            #expect(watch.child.status == nil)
        }

        @Test func `hooks inherit neither the service manager's variables nor sockets`() async throws {
            let hook = """
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "env > env; ls -l /proc/$$/fd > files; mv env done"
                """
            let receiver = try NotifyReceiver(isAbstract: false)
            let watch = try await ListeningWatch(
                settings + hook,
                environment: ["NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "9000000", "KEPT": "1"]
            )
            try await eventually("hook", context: { watch.scratch.text(of: "err") }) {
                watch.scratch.text(of: "done").contains("KEPT=1")
            }
            let variables = watch.scratch.text(of: "done")
            #expect(!variables.contains("NOTIFY_SOCKET") && !variables.contains("WATCHDOG"))
            #expect(!watch.scratch.text(of: "files").contains("socket:"), "\(watch.scratch.text(of: "files"))")
        }
    }
}

extension EndToEnd {
    /// The repository's systemd unit.
    @Suite(.serialized) struct UnitTests {
        private static let unit = URL(filePath: #filePath).appending(path: "../../../../Packaging/reach.service")
            .standardized

        @Test(.enabled(if: Machine.hasSystemdAnalyze, "systemd-analyze is not installed"))
        func `systemd accepts every line of the unit`() throws {
            let scratch = try Scratch()
            let text = try String(contentsOf: Self.unit, encoding: .utf8)
            try #require(text.contains("ExecStart=/usr/bin/reach "))
            // systemd-analyze checks that the program and its manual exist, and they may not be installed.
            let path = try scratch.write(
                text.replacing("=/usr/bin/reach ", with: "=\(Program.path) "),
                to: "reach.service"
            )
            let tool = try Tool.run(["systemd-analyze", "verify", "--man=no", path], in: scratch.path)
            #expect(tool.status == 0 && tool.errors == "" && tool.output == "", "\(tool.errors)\(tool.output)")
        }

        @Test(
            .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
            .enabled(if: Machine.hasSetpriv, "setpriv is not installed")
        )
        func `the unit's rights suffice for root's settings, echo requests and hooks`() async throws {
            let scratch = try Scratch()
            let network = try Namespace()
            try network.set("net.ipv4.ping_group_range", to: "1 0")
            let settings = """
                [[target]]
                name = "Here"
                url = "icmp://127.0.0.1"
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "echo ${REACH_TARGET} > \(scratch.file("state"))/run"
                """
            let path = try scratch.write(settings, to: "dashboard.toml", mode: 0o644)
            try Tool.must(["install", "-d", "-o", "nobody", scratch.file("state")])
            try Tool.must(["install", "-m", "755", Program.path, scratch.file("reach")])
            let rights = [
                "setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--no-new-privs",
                "--inh-caps=-all,+net_raw", "--ambient-caps=-all,+net_raw", "--bounding-set=-all,+net_raw",
            ]
            let child = try scratch.start(network.words(rights + [scratch.file("reach"), "watch", "--config", path]))
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("run of the hook", context: context) { scratch.text(of: "state/run") == "Here\n" }
            #expect(scratch.lines(of: "out").first?.hasSuffix("  Here  up") == true, "\(context())")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

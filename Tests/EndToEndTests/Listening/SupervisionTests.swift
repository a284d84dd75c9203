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

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What a service manager hears of `watch`.
    @Suite struct SupervisionTests {
        private let settings = "[[target]]\nname = \"Here\"\nurl = \"link:lo\"\n"

        @Test(arguments: [false, true])
        func `readiness, the watchdog, a reload and the end are told`(_ isAbstract: Bool) async throws {
            let ear = try Ear(isAbstract: isAbstract)
            let environment = ["NOTIFY_SOCKET": ear.name, "WATCHDOG_USEC": "400000"]
            let watch = try await ListeningWatch(settings, environment: environment)
            var heard: [String] = []
            let hear = { (words: String) async throws in
                try await eventually(words, context: { heard.joined(separator: "\n") }) {
                    heard += ear.heard()
                    return heard.contains { $0.contains(words) }
                }
            }
            try await hear("READY=1")
            #expect(heard.first == "READY=1\nSTATUS=1 target: 1 unknown")
            try await hear("STATUS=1 target: 1 up")
            heard = []
            try await Task.sleep(for: .seconds(2))
            heard += ear.heard()
            // Five a second, on a machine that is busy with other things.
            #expect((6...11).contains(heard.count { $0.contains("WATCHDOG=1") }), "\(heard)")

            // A program that does not run pats no watchdog.
            watch.child.send(SIGSTOP)
            try await Task.sleep(for: .milliseconds(100))
            _ = ear.heard()
            try await Task.sleep(for: .seconds(1))
            #expect(ear.heard() == [])
            watch.child.send(SIGCONT)

            heard = []
            watch.child.send(SIGHUP)
            try await hear("READY=1")
            let reload = heard.filter { !$0.hasPrefix("WATCHDOG") }
            #expect(reload.first?.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=\d+/) != nil, "\(reload)")
            watch.child.send(SIGTERM)
            try await hear("STOPPING=1")
            #expect(try await watch.child.end() == 143)
        }

        @Test func `a bad file at a reload is told as the end of the reload`() async throws {
            let ear = try Ear(isAbstract: false)
            let watch = try await ListeningWatch(settings, environment: ["NOTIFY_SOCKET": ear.name])
            try watch.scratch.write("nonsense", to: "settings.toml")
            var heard: [String] = []
            watch.child.send(SIGHUP)
            try await eventually("end of the reload", context: { "\(heard)" }) {
                heard += ear.heard()
                guard let start = heard.firstIndex(where: { $0.hasPrefix("RELOADING=1") }) else { return false }
                return heard[start...].contains { $0.hasPrefix("READY=1") }
            }
            #expect(!heard.contains { $0.contains("WATCHDOG") })
            #expect(watch.child.status == nil)
        }

        @Test func `hooks have neither the service manager nor the sockets`() async throws {
            let hook = """
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "env > env; ls -l /proc/$$/fd > files; mv env done"
                """
            let ear = try Ear(isAbstract: false)
            let watch = try await ListeningWatch(
                settings + hook,
                environment: ["NOTIFY_SOCKET": ear.name, "WATCHDOG_USEC": "9000000", "KEPT": "1"]
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

import Foundation
import Testing

extension EndToEnd {
    /// Dependencies between targets in the running program.
    @Suite(.serialized) struct DependencyTests {
        @Test func `a failed switch runs its own hook, and none of its three dependants'`() async throws {
            let scratch = try Scratch()
            let listeners = try (0..<4).map { _ in try Listener() }
            let names = ["Switch", "NAS", "Printer", "Camera"]
            let targets = zip(names, listeners).map { name, listener in
                """
                [[target]]
                name = "\(name)"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "\(name == "Switch" ? "1s" : "100ms")"
                \(name == "Switch" ? "" : "depends_on = \"Switch\"")
                """
            }
            let hook =
                "[[hook]]\non = \"change\"\nrun = 'echo \"$REACH_TARGET $REACH_HEALTH\" >> \(scratch.file("runs"))'\n"
            let path = try scratch.write(hook + targets.joined(separator: "\n"), to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--json", "--config", path])
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("four verdicts", context: context) { scratch.lines(of: "out").count == 4 }
            listeners.forEach { $0.stop() }
            try await eventually("three blocked", context: context) {
                scratch.lines(of: "out").count { $0.contains(#""blocked_by":"Switch""#) } == 3
            }
            let counts = listeners.dropFirst().map(\.count)
            for listener in listeners { try await listener.start() }
            try await eventually("three unblocked", context: context) {
                scratch.lines(of: "out").count { $0.contains(#""type":"unblocked""#) } == 3
            }
            try await eventually("connections", context: context) {
                zip(listeners.dropFirst().map(\.count), counts).allSatisfy { $0 > $1 }
            }
            try await eventually("two runs") { scratch.lines(of: "runs").count >= 2 }
            try await Task.sleep(for: .milliseconds(500))
            #expect(scratch.lines(of: "runs") == ["Switch down", "Switch up"])
            #expect(scratch.lines(of: "out").count { $0.contains(#""type":"transition""#) } == 4 + 2)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

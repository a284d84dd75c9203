import Foundation
import Testing

extension EndToEnd {
    /// Suspension of the whole program, as by a debugger or a sleeping machine.
    @Suite(.serialized) struct SuspensionTests {
        @Test func `suspension for eight seconds takes no target down and runs no hook`() async throws {
            let scratch = try Scratch()
            let listeners = try (0..<50).map { _ in try Listener() }
            let tcp = listeners.map { "tcp://127.0.0.1:\($0.port)" }
            let icmp = Machine.canPing ? (1...50).map { "icmp://127.0.1.\($0)" } : []
            let targets = (tcp + icmp).map { "[[target]]\nurl = \"\($0)\"\n" }
            let defaults = "[defaults]\ninterval = \"1s\"\ntimeout = \"1s\"\nfall = 1\n"
            let hook = "[[hook]]\non = \"change\"\nrun = 'echo $REACH_TARGET >> \(scratch.file("runs"))'\n"
            let path = try scratch.write(defaults + hook + targets.joined(), to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--json", "--config", path])
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("verdicts", context: context) { scratch.lines(of: "out").count == targets.count }
            child.send(SIGSTOP)
            try await Task.sleep(for: .seconds(8))
            let before = listeners.map(\.count)
            child.send(SIGCONT)
            let resumed = ContinuousClock.now
            try await eventually("connections", context: context) {
                zip(listeners.map(\.count), before).allSatisfy { $0 > $1 }
            }
            // Probes resume at once, not spread over an interval.
            #expect(ContinuousClock.now - resumed < .seconds(1))
            try await Task.sleep(for: .seconds(3))
            let later = scratch.lines(of: "out").dropFirst(targets.count)
            #expect(later.count == 1 && later.allSatisfy { $0.contains(#""type":"stalled""#) }, "\(Array(later))")
            #expect(scratch.lines(of: "runs").isEmpty)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

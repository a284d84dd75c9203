import Foundation
import Testing

extension EndToEnd {
    /// ICMP for a user without privileges.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"),
        .enabled(if: Machine.hasSetpriv, "setpriv is not installed")
    ) struct PermissionTests {
        private let scratch: Scratch
        private let network: Namespace
        /// The command line that runs the program as an unprivileged user.
        private let words: [String]

        init() throws {
            scratch = try Scratch()
            network = try Namespace()
            words = try UnprivilegedUser(in: scratch).words(in: network)
        }

        private func watch() throws -> Child {
            try scratch.start(words + ["watch", "--no-history", "127.0.0.1", "::1"])
        }

        @Test func `without the right to send echo requests, watch names both fixes`() async throws {
            try network.set("net.ipv4.ping_group_range", to: "1 0")
            let child = try watch()
            let lines = try await eventually("two faults", context: { scratch.text(of: "err") }) {
                let lines = scratch.lines(of: "err").filter { $0.contains("cannot be probed") }
                return lines.count >= 2 ? lines : nil
            }
            for line in lines {
                #expect(line.contains("sysctl -w net.ipv4.ping_group_range="))
                #expect(line.contains("sudo setcap cap_net_raw+ep \(scratch.file("reach"))"))
            }
            #expect(lines.contains { $0.contains("  127.0.0.1  ") } && lines.contains { $0.contains("  ::1  ") })
            // A fault is reported once and takes no target down.
            try await Task.sleep(for: .milliseconds(2_500))
            #expect(scratch.lines(of: "err").count == 2)
            #expect(scratch.lines(of: "out").isEmpty)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `without the capability in the bounding set, setcap is not offered`()
            async throws
        {
            try network.set("net.ipv4.ping_group_range", to: "1 0")
            let bounded = words.flatMap { $0 == "setpriv" ? [$0, "--bounding-set", "-net_raw"] : [$0] }
            let tool = try Tool.run(bounded + ["doctor"], in: scratch.path)
            #expect(tool.output.contains("sudo sysctl -w net.ipv4.ping_group_range="), "\(tool.output)\(tool.errors)")
            #expect(!tool.output.contains("setcap"), "\(tool.output)")
            // What it would do: the system refuses to execute the file.
            guard Machine.hasSetcap else { return }
            try Tool.must(["setcap", "cap_net_raw+ep", scratch.file("reach")], in: scratch.path)
            #expect(try Tool.run(bounded + ["--version"], in: scratch.path).status != 0)
            #expect(try Tool.run(words + ["--version"], in: scratch.path).status == 0)
        }

        @Test(.enabled(if: Machine.hasTmux, "tmux is not installed"))
        func `without the right to send echo requests, the dashboard names both fixes`() async throws {
            try network.set("net.ipv4.ping_group_range", to: "1 0")
            let screen = try Screen((words + ["127.0.0.1", "::1"]).joined(separator: " "), in: scratch)
            try await screen.wait(for: "2 targets cannot be probed")
            try await screen.wait(forRowWith: "127.0.0.1", "ICMP is not permitted")
            try await screen.wait(forRowWith: "::1", "ICMP is not permitted")
            let text = screen.text
            #expect(text.contains("sysctl -w net.ipv4.ping_group_range=\"0 2147483647\""), "\(text)")
            #expect(text.contains("setcap cap_net_raw+ep"), "\(text)")
        }

        @Test func `where every group may send echo requests, no privilege is needed`() async throws {
            try network.set("net.ipv4.ping_group_range", to: "0 2147483647")
            let child = try watch()
            try await eventually("two verdicts", context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                scratch.lines(of: "out").count { $0.hasSuffix("  up") } == 2
            }
            #expect(scratch.lines(of: "err").isEmpty)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

import Foundation
import TestSupport
import Testing

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

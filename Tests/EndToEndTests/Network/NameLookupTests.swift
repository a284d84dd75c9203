import Foundation
import Testing

extension EndToEnd {
    /// Lookups without an answer delay no other target.
    @Suite(.serialized, .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"))
    struct NameLookupTests {
        /// Settings with 48 targets by address, one whose name server drops queries, and one that drops echo requests.
        private static let settings: String = {
            let silent = """
                [[target]]
                name = "Nameless"
                url = "icmp://nosuch.invalid"
                [[target]]
                name = "Silent"
                url = "icmp://192.0.2.99"

                """
            return silent + (1...48).map { "[[target]]\nname = \"T\($0)\"\nurl = \"icmp://127.0.0.\($0)\"\n" }.joined()
        }()

        private func network() throws -> Namespace {
            let network = try Namespace()
            try network.addVoid("192.0.2.53", "192.0.2.99")
            try network.setResolver("192.0.2.53")
            return network
        }

        @Test func `a dead name server delays no target by address`() async throws {
            let scratch = try Scratch()
            let network = try network()
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let began = wallTime()
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            try await eventually("48 verdicts", context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                scratch.lines(of: "out").count { $0.hasSuffix("  up") } == 48
            }
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let times = try scratch.lines(of: "out").filter { $0.hasSuffix("  up") }.map { line in
                try Date(String(line.prefix(24)), strategy: style).timeIntervalSince1970 - began
            }
            let last = try #require(times.max())
            print("48 verdicts beside a dead name server, the last after \(Int(last * 1_000)) ms")
            // The interval, over which the first probes are spread, plus the start of the program.
            #expect(last < 1 + 1.5)
            #expect(child.status == nil)
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(4)) == 143, "an unanswered query delays the exit")
        }

        @Test(.enabled(if: Machine.hasTmux, "tmux is not installed"))
        func `a dead name server delays neither the first frame nor the keys`() async throws {
            let scratch = try Scratch()
            let network = try network()
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let pty = try Pty(network.words(Program.path, "--config", path), in: scratch)
            try await pty.wait(for: "nosuch.invalid")
            let first = try #require(pty.chunks.first { String(decoding: $0.bytes, as: UTF8.self).contains("TARGET") })
            let after = pty.started.duration(to: first.time)
            print("first frame beside a dead name server after \(after / .milliseconds(1)) ms")
            #expect(after < .seconds(3))
            pty.type("q")
            #expect(try await pty.end(within: .seconds(4)) == 0)

            let command = network.words(Program.path, "--config", path).joined(separator: " ")
            let screen = try Screen(command, in: scratch, rows: 60)
            try await screen.wait(for: "● 48 up", within: .seconds(5))
            try await screen.wait(forRowWith: "Silent", "down")
            try screen.press("?")
            try await screen.wait(for: " Help ")
        }
    }
}

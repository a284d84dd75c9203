import Foundation
import Testing

extension EndToEnd {
    /// A delayed link and a broken link.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasTmux, "tmux is not installed"),
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here")
    ) struct LinkTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
            try near.connect(to: far)
        }

        private func screen() throws -> Screen {
            let settings = """
                [[target]]
                name = "Far"
                url = "icmp://192.0.2.2"
                interval = "300ms"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            return try Screen(near.words(Program.path, "--config", path).joined(separator: " "), in: scratch)
        }

        @Test(.enabled(if: Machine.canDelay, "the kernel has no netem"))
        func `a delay of 40 ms shows in the round trip`() async throws {
            try Tool.must(far.words("tc", "qdisc", "add", "dev", "v0", "root", "netem", "delay", "40ms"))
            let screen = try screen()
            let row = try await screen.wait(forRowWith: "● Far", "up", "ms")
            let figure = try #require(row.firstMatch(of: /(\d+(\.\d+)?)ms/)?.1)
            let milliseconds = try #require(Double(figure))
            #expect((40.0..<60.0).contains(milliseconds))
        }

        @Test func `a target behind a broken link is down, and up again after the repair`() async throws {
            let screen = try screen()
            try await screen.wait(forRowWith: "● Far", "up")
            try far.ip("link", "set", "v0", "down")
            try await screen.wait(forRowWith: "○ Far", "down")
            try far.ip("link", "set", "v0", "up")
            try await screen.wait(forRowWith: "● Far", "up")
        }
    }
}

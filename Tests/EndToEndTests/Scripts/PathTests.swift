import Foundation
import TestSupport
import Testing

#if os(Linux)
extension EndToEnd {
    /// `reach path`: the routers on the way. Longer paths are in `Scripts/path-lab`.
    @Suite(.serialized) struct PathTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func path(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "path"] + words, in: scratch.path)
        }

        @Test func `a target on this machine is reached at the first hop, whether its port is open or not`() throws {
            let (open, closed) = (try Listener(), try Listener())
            closed.stop()
            for port in [open.port, closed.port] {
                let tool = try path("--json", "--cycles", "1", "127.0.0.1:\(port)")
                #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
                let end = #""end":{"address":"127.0.0.1","hop":1,"kind":"reached","words":"reaches the target"}"#
                #expect(tool.output.contains(end), "\(tool.output)")
                #expect(tool.output.contains(#""method":"tcp","port":\#(port)"#))
            }
        }

        @Test func `a report has a row for each hop and the end`() throws {
            let tool = try path("--report", "--numeric", "--cycles", "2", "--method", "udp", "127.0.0.1")
            #expect(tool.status == 0)
            let words = tool.lines.map { $0.split(separator: " ").map(String.init) }
            #expect(tool.lines.first == "127.0.0.1 by udp to port 33434")
            #expect(words[1] == ["HOP", "ADDRESS", "LOSS", "SENT", "LAST", "MEAN", "BEST", "WORST", "JITTER"])
            #expect(words[2].prefix(4) == ["1", "127.0.0.1", "0%", "2"] && words[2].last == "ok")
            #expect(tool.lines.last == "reaches the target" && tool.lines.count == 4)
        }

        @Test func `a target without a path is one line and status 2`() throws {
            let tool = try path("link:any")
            #expect(tool.status == 2 && tool.output == "")
            #expect(tool.errorLines == ["reach: link:any: no host with a path – name one: reach path 192.0.2.1"])
        }

        @Test func `a name without an address is status 3, and the other targets are traced`() throws {
            let open = try Listener()
            let tool = try path("--report", "--cycles", "1", "nowhere.invalid", "127.0.0.1:\(open.port)")
            #expect(tool.status == 3)
            #expect(tool.lines.first?.hasPrefix("nowhere.invalid: ") == true, "\(tool.output)")
            #expect(tool.lines.last == "reaches the target")
        }

        @Test func `an address without a route has no hops`() throws {
            let words = ["path", "--report", "--cycles", "1", "udp://192.0.2.1:53"]
            let tool = try Tool.run(["unshare", "--net", "--map-root-user", Program.path] + words, in: scratch.path)
            #expect(tool.status == 3, "\(tool.errors)")
            #expect(tool.lines.count == 2 && tool.lines.last == "network unreachable", "\(tool.output)")
        }
    }
}
#endif

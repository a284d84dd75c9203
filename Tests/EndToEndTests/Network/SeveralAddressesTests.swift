import Foundation
import Testing

extension EndToEnd {
    /// A name whose preferred address drops every packet, and whose other address answers.
    @Suite(.serialized, .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"))
    struct SeveralAddressesTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
            try near.connect(to: far)
            try far.ip("address", "add", "198.51.100.7/32", "dev", "lo")
            try near.ip("route", "add", "198.51.100.0/24", "via", "192.0.2.2")
            // No host has this address, but it has a permanent neighbour entry. It is nearer, and so preferred (RFC
            // 6724).
            try near.ip(
                "neighbour",
                "add",
                "192.0.2.9",
                "lladdr",
                "02:00:00:00:00:01",
                "dev",
                "v0",
                "nud",
                "permanent"
            )
            let folder = "/etc/netns/\(near.name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let hosts = "127.0.0.1 localhost\n192.0.2.9 both.test\n198.51.100.7 both.test\n"
            try Data(hosts.utf8).write(to: URL(filePath: "\(folder)/hosts"))
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `echo requests switch to the address that answers, also with fall = 1`()
            async throws
        {
            let settings = """
                [defaults]
                interval = "400ms"
                timeout = "400ms"
                fall = 1
                [[target]]
                name = "Both"
                url = "icmp://both.test"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start(near.words(Program.path, "watch", "--json", "--config", path))
            let first = try await eventually("verdict", context: { scratch.text(of: "out") + scratch.text(of: "err") })
            {
                scratch.lines(of: "out").first
            }
            #expect(first.contains("\"to\":\"up\""), "\(first)")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a connection uses the address that answers, and reports its refusal`()
            async throws
        {
            let tool = try Tool.run(
                near.words(Program.path, "check", "--json", "tcp://both.test:9"),
                in: scratch.path
            )
            #expect(tool.output.contains("\"refused\""), "\(tool.output)\(tool.errors)")
            #expect(tool.output.contains("198.51.100.7"), "\(tool.output)")
        }

        private static let each = """
            [[target]]
            name = "Both"
            url = "tcp://both.test:9"
            addresses = "each"
            interval = "200ms"
            timeout = "200ms"
            [[target.hooks]]
            on = "down"
            at_start = true
            run = "echo $REACH_TARGET at $REACH_ADDRESS: $REACH_REASON >> hooks"
            """

        @Test func `with each, check judges every address of a name`() throws {
            let path = try scratch.write(Self.each, to: "settings.toml")
            let tool = try Tool.run(near.words(Program.path, "check", "--json", "--config", path), in: scratch.path)
            let lines = tool.output.split(separator: "\n")
            #expect(tool.output.contains("Both 192.0.2.9"), "\(tool.output)\(tool.errors)")
            #expect(tool.output.contains("Both 198.51.100.7"), "\(tool.output)")
            #expect(tool.output.contains("\"refused\""), "\(lines)")
            #expect(tool.status == 1)
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP socket may be opened here"))
        func `with each, wait no longer waits for an address that the name has left`() async throws {
            let settings = "[[target]]\nname = \"Both\"\nurl = \"icmp://both.test\"\naddresses = \"each\"\n"
            let path = try scratch.write(settings, to: "settings.toml")
            let words = ["wait", "--within", "20s", "--config", path, "@Both", "--", "echo", "there"]
            let child = try scratch.start(near.words(Program.path) + words)
            try await Task.sleep(for: .seconds(1))
            #expect(child.status == nil, "\(scratch.text(of: "err"))")
            // Written in place: the namespace has the file itself mounted, not its path.
            let hosts = try #require(FileHandle(forWritingAtPath: "/etc/netns/\(near.name)/hosts"))
            try hosts.write(contentsOf: Data("198.51.100.7 both.test\n".utf8))
            try hosts.truncate(atOffset: 23)
            try hosts.close()
            try await eventually("end of the wait", within: .seconds(15)) { child.status != nil }
            #expect(child.status == 0, "\(scratch.text(of: "err"))")
            #expect(scratch.text(of: "out") == "there\n")
        }

        @Test func `with each, every address has a row, metrics and hooks of its own`() async throws {
            let path = try scratch.write(Self.each, to: "settings.toml")
            let child = try scratch.start(
                near.words(Program.path, "watch", "--config", path, "--listen", "127.0.0.1:9")
            )
            let rows = ["192.0.2.9", "198.51.100.7"]
            let output = { scratch.text(of: "out") + scratch.text(of: "err") }
            _ = try await eventually("both rows are down", context: output) {
                rows.allSatisfy { scratch.text(of: "out").contains("Both \($0)  down") } ? true : nil
            }
            _ = try await eventually("both hooks ran", context: { scratch.text(of: "hooks") }) {
                scratch.lines(of: "hooks").sorted() == ["Both at 192.0.2.9: timeout", "Both at 198.51.100.7: refused"]
                    ? true : nil
            }
            let metrics = try Tool.run(near.words("curl", "-s", "http://127.0.0.1:9/metrics"), in: scratch.path).output
            for row in rows { #expect(metrics.contains("reach_up{target=\"Both \(row)\""), "\(metrics)") }
            #expect(!metrics.contains("target=\"Both\""))
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

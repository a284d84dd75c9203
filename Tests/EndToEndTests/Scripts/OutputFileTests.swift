import Foundation
import Testing

extension EndToEnd {
    /// Output files that cannot be written.
    @Suite(.serialized) struct OutputFileTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        @Test func `a failed write keeps the old picture and leaves no other file`() throws {
            try scratch.write("old", to: "x.svg", mode: 0o644)
            // The limit is four blocks of 512 bytes; the picture is larger.
            let script = "ulimit -f 4; exec \"$0\" --svg x.svg --after 100ms 127.0.0.1:1"
            let tool = try Tool.run(["sh", "-c", script, Program.path], in: scratch.path)
            #expect(tool.status == 1 && tool.errorLines.count == 1, "\(tool)")
            #expect(tool.errors.contains("x.svg: File too large"), "\(tool)")
            #expect(scratch.text(of: "x.svg") == "old")
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            #expect(names.filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") } == ["x.svg"], "\(names)")
        }

        @Test func `a picture replaces the target of a symbolic link`() throws {
            try scratch.write("old", to: "x.svg", mode: 0o644)
            try FileManager.default.createSymbolicLink(atPath: scratch.file("link.svg"), withDestinationPath: "x.svg")
            let words = [Program.path, "--svg", "link.svg", "--after", "100ms", "127.0.0.1:1"]
            #expect(try Tool.run(words, in: scratch.path).status == 0)
            #expect(scratch.text(of: "x.svg").hasPrefix("<svg "))
        }

        @Test(arguments: [
            ["watch", "--log", "pipe", "127.0.0.1:1"], ["check", "--log", "pipe", "127.0.0.1:1"],
            ["wait", "--log", "pipe", "127.0.0.1:1"], ["fetch", "--log", "pipe", "http://127.0.0.1:1/"],
            ["--log", "pipe", "--svg", "x.svg", "127.0.0.1:1"], ["--svg", "pipe", "--after", "100ms", "127.0.0.1:1"],
        ])
        func `TERM ends a program that waits for the reader of a pipe`(words: [String]) async throws {
            try Tool.must(["mkfifo", scratch.file("pipe")])
            let child = try scratch.start([Program.path] + words)
            try await Task.sleep(for: .seconds(1.5))
            #expect(child.status == nil, "\(scratch.text(of: "err"))")
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(3)) == 143)
        }

        @Test func `unread help ends silently`() throws {
            let script = "{ sleep 1; \"$0\" --help; echo $? >&2; } | true"
            let tool = try Tool.run(["sh", "-c", script, Program.path], in: scratch.path)
            #expect(tool.errors == "141\n")
        }

        @Test func `an unread log delays nothing`() async throws {
            try Tool.must(["mkfifo", scratch.file("pipe")])
            let reader = open(scratch.file("pipe"), O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            let child = try scratch.start([
                Program.path, "watch", "--observations", "-vvv", "--log", "pipe", "--config",
                try scratch.write(
                    (0..<50).map { "[[target]]\nname='T\($0)'\nurl='tcp://127.0.0.1:1'\ninterval='20ms'\n" }.joined(),
                    to: "settings.toml"
                ),
            ])
            // A line is a hundred bytes, a pipe holds 64 KiB, and this many probes fill it several times.
            try await eventually("many probes") { scratch.lines(of: "out").count > 4_000 }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach fetch` with bodies larger than memory.
    @Suite(.serialized, .quiet) struct FetchSizeTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Runs a fetch and returns its peak resident memory, in KiB.
        private func peak(_ words: [String]) async throws -> Int {
            let child = try scratch.start([Program.path, "fetch"] + words)
            var peak = 0
            let status: Int32 = try await eventually("exit", within: .seconds(40)) {
                peak = max(peak, peakMemory(of: child.id) ?? 0)
                return child.status
            }
            #expect(status == 0, "\(scratch.text(of: "err"))")
            return peak
        }

        @Test func `memory does not grow with the response`() async throws {
            let small = try ScriptedServer(.slow(pieces: 100, pause: 0.002))
            let base = try await peak([small.url, "-o", "small"])
            var peaks: [String: Int] = [:]
            for isChunked in [false, true] {
                let server = try ScriptedServer(.zeros(mebibytes: 100, isChunked: isChunked))
                peaks["file, \(isChunked ? "chunked" : "with its length")"] = try await peak([server.url, "-o", "file"])
                let size = try FileManager.default.attributesOfItem(atPath: scratch.file("file"))[.size] as? Int
                #expect(size == 100 * 1_048_576)
            }
            let server = try ScriptedServer(.zeros(mebibytes: 100))
            peaks["standard output"] = try await peak([server.url])
            let size = try FileManager.default.attributesOfItem(atPath: scratch.file("out"))[.size] as? Int
            #expect(size == 100 * 1_048_576)
            print("peak memory: \(base) KiB for 10 MB; 100 MiB: \(peaks)")
            for (what, peak) in peaks { #expect(peak < base + 32_768, "\(what)") }
        }

        @Test func `memory does not grow with the request body`() async throws {
            let server = try ScriptedServer(ScriptedServer.answer("200 OK"))
            let empty = try await peak([server.url, "-X", "PUT", "-d", "x"])
            try Tool.must(["truncate", "-s", "100M", scratch.file("data")])
            let sink = try UploadSink()
            let full = try await peak([sink.url, "-X", "PUT", "-d", "@data"])
            #expect(sink.count >= 100 * 1_048_576)
            print("peak memory: \(empty) KiB for a byte sent, \(full) KiB for 100 MiB")
            #expect(full < empty + 49_152)
        }

        @Test func `a file over the user's size limit is reported in one line and removed`() throws {
            let server = try ScriptedServer(.zeros(mebibytes: 20))
            let line = "ulimit -f 1000; \(Program.path) fetch \(server.url) -o file; echo $?; ls -A"
            let tool = try Tool.run(["sh", "-c", line], in: scratch.path)
            #expect(tool.errorLines == ["reach: not fetched: cannot write file: File too large"])
            #expect(tool.lines.first == "1")
            #expect(!tool.output.contains(".reach-") && !tool.output.contains("file"))
        }

        @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
        func `a full disk is reported in one line, and nothing remains on it`() throws {
            let server = try ScriptedServer(.zeros(mebibytes: 20))
            let line = """
                mount -t tmpfs -o size=4m none /mnt && \(Program.path) fetch \(server.url) -o /mnt/file; echo $?; ls -A /mnt
                """
            let tool = try Tool.run(["unshare", "--mount", "sh", "-c", line], in: scratch.path)
            #expect(tool.lines == ["1"])
            #expect(tool.errorLines == ["reach: not fetched: cannot write /mnt/file: No space left on device"])
        }
    }
}

import Foundation
import Testing

extension EndToEnd {
    /// Input history across runs.
    @Suite(.serialized) struct HistoryTests {
        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        /// Runs the program, types keys, waits for a text and quits.
        private func play(_ keys: [String], until text: String, _ environment: [String: String] = [:]) async throws {
            let words = [Program.path, "127.0.0.1:\(listener.port)"]
            let pty = try Pty(words, in: scratch, environment: environment)
            try await pty.wait(for: "● 1 up")
            for key in keys {
                pty.type(key)
                try await Task.sleep(for: .milliseconds(50))
            }
            try await pty.wait(for: text)
            pty.type("q")
            #expect(try await pty.end() == 0)
        }

        private func mode(of name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
        }

        @Test func `history is restored from a private file`() async throws {
            try await play(["/127.0", "\r", "/", "\u{15}", "zzz", "\r"], until: "zzz")
            let file = ".local/state/reach/history"
            #expect(scratch.lines(of: file) == ["filter 127.0", "filter zzz"])
            #expect(try mode(of: file) == 0o600)
            #expect(try mode(of: ".local/state/reach") == 0o700)
            try await play(["x", "true", "\r"], until: "`true`")
            #expect(scratch.lines(of: file) == ["filter 127.0", "filter zzz", "command true"])
            try await play(["/", "\u{1B}[A", "\u{1B}[A", "\r"], until: "127.0")
            #expect(scratch.lines(of: file) == ["filter zzz", "command true", "filter 127.0"])
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.file(".local/state/reach"))
            #expect(left.filter { !$0.hasPrefix("history.sqlite") && !$0.hasSuffix(".lock") } == ["history"])
        }

        @Test func `the file is bounded, and invalid lines are dropped`() async throws {
            let folder = scratch.file("state/reach")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let old = (1...250).map { "filter old\($0)\n" }.joined()
            try scratch.write(
                Data((old + "nonsense\nfilter \u{1B}]0;x\n\ncommand ls\n").utf8 + [0xFF, 0x0A]),
                to: "state/reach/history"
            )
            try await play(["/new", "\r"], until: "new", ["XDG_STATE_HOME": scratch.file("state")])
            let lines = scratch.lines(of: "state/reach/history")
            #expect(lines.count { $0.hasPrefix("filter ") } == 200)
            #expect(lines.suffix(2) == ["command ls", "filter new"] && lines.first == "filter old52")
        }

        @Test func `an unwritable history is ignored silently`() async throws {
            try scratch.write("a file\n", to: "state")
            try await play(["/127", "\r"], until: "127", ["XDG_STATE_HOME": scratch.file("state")])
            #expect(scratch.text(of: "state") == "a file\n")
        }

        @Test(.enabled(if: getuid() == 0, "only root can be in another's home"))
        func `nothing is written to another user's home, which sudo may leave in HOME`() async throws {
            let home = scratch.file("home")
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            chown(home, 65534, 65534)
            try await play(["/127", "\r"], until: "127", ["HOME": home])
            #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
        }
    }
}

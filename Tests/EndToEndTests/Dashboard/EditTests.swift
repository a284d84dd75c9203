import Foundation
import Testing

extension EndToEnd {
    /// Editing targets in the dashboard, and the settings file.
    @Suite(.serialized) struct EditTests {
        private let scratch: Scratch
        private let listener: Listener
        private let text: String

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
            text = """
                # Mine.
                [[target]]
                name = "One"   # the first
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "200ms"

                # The end.

                """
            try scratch.write(text, to: "settings.toml", mode: 0o600)
        }

        private var disk: String {
            String(
                decoding: FileManager.default.contents(atPath: scratch.file("settings.toml")) ?? Data(),
                as: UTF8.self
            )
        }

        private func type(_ keys: [String], on pty: Pty) async throws {
            for key in keys {
                pty.type(key)
                try await Task.sleep(for: .milliseconds(50))
            }
        }

        @Test func `edits are written to the file that a link points to, and comments stay`() async throws {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.file("link.toml"),
                withDestinationPath: "settings.toml"
            )
            let pty = try Pty([Program.path, "--config", "link.toml"], in: scratch)
            try await pty.wait(for: "● 1 up")
            try await type(["a", "127.0.0.1:\(listener.port) Two", "\r"], on: pty)
            try await pty.wait(for: "1 unsaved")
            try await pty.wait(for: "● 2 up")
            #expect(disk == text)
            try await type(["W"], on: pty)
            try await pty.wait(for: "wrote 1 edit to link.toml")
            let added = "\n[[target]]\nname = \"Two\"\nurl = \"127.0.0.1:\(listener.port)\"\n"
            #expect(disk == text.replacing("\n# The end.", with: "\(added)\n# The end."))
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: scratch.file("link.toml")) == "settings.toml"
            )
            try await type(["q"], on: pty)
            #expect(try await pty.end() == 0)
        }

        @Test func `a file without targets is shown, gets one, and may disable it`() async throws {
            try scratch.write("# Mine.\n", to: "settings.toml", mode: 0o600)
            let pty = try Pty([Program.path, "--config", "settings.toml"], in: scratch)
            try await pty.wait(for: "no targets – a adds one")
            try await type(["a", "127.0.0.1:\(listener.port) Two", "\r"], on: pty)
            try await pty.wait(for: "● 1 up")
            try await type(["W"], on: pty)
            try await pty.wait(for: "wrote 1 edit to settings.toml")
            try scratch.write(disk + "enabled = false\n", to: "new.toml", mode: 0o600)
            #expect(rename(scratch.file("new.toml"), scratch.file("settings.toml")) == 0)
            try await pty.wait(for: "settings read again: 1 removed")
            try await type(["q"], on: pty)
            #expect(try await pty.end() == 0)
        }

        @Test func `a file that another program changes is read again`() async throws {
            let pty = try Pty([Program.path, "--config", "settings.toml"], in: scratch)
            try await pty.wait(for: "● 1 up")
            try scratch.write(text.replacing("One", with: "Other"), to: "new.toml", mode: 0o600)
            #expect(rename(scratch.file("new.toml"), scratch.file("settings.toml")) == 0)
            try await pty.wait(for: "settings read again: 1 added, 1 removed")
            try await type(["q"], on: pty)
            #expect(try await pty.end() == 0)
        }

        @Test(.enabled(if: Machine.canMakeNetworks, "mounts cannot be made here"))
        func `on a full disk, the file and the edits stay`() async throws {
            let script = """
                mkdir full && mount -t tmpfs -o size=8k tmpfs full && cp settings.toml full/ &&
                head -c 4000 /dev/zero >full/rest && \(Program.path) --config full/settings.toml;
                cmp settings.toml full/settings.toml && ls -A full >left
                """
            let pty = try Pty(["unshare", "--mount", "sh", "-c", script], in: scratch)
            try await pty.wait(for: "● 1 up")
            try await type(["E", "2", "\r", "W"], on: pty)
            try await pty.wait(for: "full/settings.toml not written: the disk is full")
            try await pty.wait(for: "1 unsaved")
            try await type(["q", "y"], on: pty)
            #expect(try await pty.end() == 0)
            #expect(scratch.lines(of: "left") == ["rest", "settings.toml"])
        }
    }
}

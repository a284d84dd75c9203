import Foundation
import Testing

extension EndToEnd {
    /// `reach init`: an example settings file.
    @Suite(.serialized) struct InitTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func initialize(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "init"] + words, in: scratch.path)
        }

        @Test func `the file is complete, private and valid`() throws {
            let tool = try initialize()
            #expect(tool.status == 0 && tool.output == "")
            #expect(tool.errors == "reach: wrote dashboard.toml – edit it, then run: reach\n")
            #expect(scratch.text(of: "dashboard.toml") == (try initialize("-").output))
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("dashboard.toml"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Tool.run([Program.path, "validate"], in: scratch.path).lines.first?.hasPrefix("ok: ") == true)
        }

        @Test func `existing files are never overwritten`() throws {
            try scratch.write("mine", to: "dashboard.toml")
            let tool = try initialize()
            #expect(tool.status == 1)
            #expect(
                tool.errors == "reach: dashboard.toml: already exists, not overwritten – choose another name, "
                    + "or move the file away\n"
            )
            #expect(scratch.text(of: "dashboard.toml") == "mine")
            // A dangling symbolic link exists too.
            symlink("elsewhere", scratch.file("link.toml"))
            #expect(try initialize("link.toml").status == 1)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("elsewhere")))
        }

        @Test func `an invalid path is reported in one line`() throws {
            #expect(
                try initialize("a/b.toml").errors == "reach: a/b.toml: folder not found – mkdir -p a\n"
            )
            try scratch.write("", to: "file")
            #expect(try initialize("file/b.toml").errors == "reach: file/b.toml: a part of the path is not a folder\n")
            #expect(try initialize("").errorLines.first?.contains("empty file name") == true)
        }

        @Test(.enabled(if: Machine.hasSetpriv, "needs setpriv"))
        func `a missing permission is reported`() throws {
            let user = try UnprivilegedUser(in: scratch)
            let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", user.program, "init"]
            let tool = try Tool.run(words, in: scratch.path)
            #expect(tool.status == 1)
            #expect(tool.errors == "reach: dashboard.toml: no permission to write in this folder\n")
        }
    }
}

import Foundation
import Testing

extension EndToEnd {
    /// `reach init`: a settings file to begin with.
    @Suite struct InitTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func initialize(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "init"] + words, in: scratch.path)
        }

        @Test func `the file is whole, the user's alone, and good`() throws {
            let tool = try initialize()
            #expect(tool.status == 0 && tool.output == "")
            #expect(tool.errors == "reach: wrote dashboard.toml; look into it, then: reach\n")
            #expect(scratch.text(of: "dashboard.toml") == (try initialize("-").output))
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("dashboard.toml"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Tool.run([Program.path, "validate"], in: scratch.path).lines.first?.hasPrefix("ok: ") == true)
        }

        @Test func `nothing is overwritten, whatever is there`() throws {
            try scratch.write("mine", to: "dashboard.toml")
            let tool = try initialize()
            #expect(tool.status == 1)
            #expect(
                tool.errors == "reach: dashboard.toml: is there already, and stays as it is – name another file, "
                    + "or move that one away\n"
            )
            #expect(scratch.text(of: "dashboard.toml") == "mine")
            // A link that leads nowhere is something, too.
            symlink("elsewhere", scratch.file("link.toml"))
            #expect(try initialize("link.toml").status == 1)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("elsewhere")))
        }

        @Test func `where it cannot be, one line says why`() throws {
            #expect(
                try initialize("a/b.toml").errors == "reach: a/b.toml: there is no such folder – mkdir -p a\n"
            )
            try scratch.write("", to: "file")
            #expect(try initialize("file/b.toml").errors == "reach: file/b.toml: a part of the path is no folder\n")
            #expect(try initialize("").errorLines.first?.contains("the name of the file is empty") == true)
        }

        @Test(.enabled(if: Machine.hasSetpriv, "needs setpriv"))
        func `without permission, it says so`() throws {
            let nobody = try Nobody(in: scratch)
            let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", nobody.program, "init"]
            let tool = try Tool.run(words, in: scratch.path)
            #expect(tool.status == 1)
            #expect(tool.errors == "reach: dashboard.toml: no permission to write in this folder\n")
        }
    }
}

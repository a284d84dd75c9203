import Foundation
import Testing

@testable import SettingsFile

struct OwnershipTests {
    @Test func `the user's own file and the administrator's are trusted`() {
        #expect(Ownership(owner: 1000, mode: 0o644, user: 1000).problem(file: "f") == nil)
        #expect(Ownership(owner: 0, mode: 0o644, user: 1000).problem(file: "f") == nil)
    }

    @Test func `another user's file is not, and the command that mends it is named`() {
        let problem = Ownership(owner: 1001, mode: 0o600, user: 1000).problem(file: "f")
        #expect(
            problem?.description
                == "f: the file has commands and belongs to another user (number 1001) – chown 1000 f"
        )
    }

    @Test func `a group that is the user's alone may write, others still may not`() {
        #expect(Ownership(owner: 1000, mode: 0o664, user: 1000, isPrivateGroup: true).problem(file: "f") == nil)
        #expect(Ownership(owner: 1000, mode: 0o664, user: 1000).problem(file: "f") != nil)
        let problem = Ownership(owner: 1000, mode: 0o666, user: 1000, isPrivateGroup: true).problem(file: "f")
        #expect(problem?.message == "the file has commands and others can write it")
    }

    @Test(arguments: [
        ("my file's", "'my file'\\''s'"), ("-f", "'-f'"), ("", "''"), ("~/a", "'~/a'"), ("/a/b.c", "/a/b.c"),
    ])
    func `the command quotes what the shell would take apart`(file: String, word: String) {
        #expect(Ownership(owner: 0, mode: 0o622, user: 0).problem(file: file)?.hint == "chmod go-w \(word)")
    }

    @Test func `a folder that others can write is refused as the file would be, unless it is sticky`() {
        let folder = { (owner: UInt32, mode: UInt32) in
            Ownership(owner: owner, mode: mode, user: 1000).problem(file: "/a/f", folder: "/a")?.description
        }
        #expect(folder(1000, 0o755) == nil)
        #expect(folder(0, 0o755) == nil)
        #expect(folder(0, 0o1777) == nil)
        #expect(
            folder(1000, 0o777)
                == "/a/f: the file has commands and its group and others can write /a, above it – chmod go-w /a"
        )
        #expect(folder(1000, 0o775)?.contains("its group can write /a") == true)
        #expect(folder(1001, 0o755)?.contains("belongs to another user (number 1001)") == true)
        // Its owner may replace what is in it, sticky or not.
        #expect(folder(1001, 0o1777) != nil)
        let own = Ownership(owner: 1000, mode: 0o775, user: 1000, isPrivateGroup: true)
        #expect(own.problem(file: "/a/f", folder: "/a") == nil)
    }

    @Test func `a file is refused for a folder far above it, and for that of a link that leads to it`() throws {
        // The path of the folder for temporary files may go through a symbolic link.
        let root = try #require(realpath(NSTemporaryDirectory(), nil).map { String(cString: $0) })
        let top = "\(root)/reach-\(UInt32.random(in: .min ... .max))"
        let files = FileManager.default
        try files.createDirectory(atPath: "\(top)/open/inner", withIntermediateDirectories: true)
        try files.createDirectory(atPath: "\(top)/closed", withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: top) }
        let settings = "[[target]]\nurl = \"tcp://192.0.2.1:1\"\nwhen_reachable = \"true\"\n"
        for file in ["open/inner/a.toml", "closed/b.toml"] {
            try settings.write(toFile: "\(top)/\(file)", atomically: false, encoding: .utf8)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(top)/\(file)")
        }
        // A link in the open folder to a file in the closed one, and the other way round.
        try files.createSymbolicLink(atPath: "\(top)/open/b.toml", withDestinationPath: "\(top)/closed/b.toml")
        try files.createSymbolicLink(atPath: "\(top)/closed/a.toml", withDestinationPath: "\(top)/open/inner/a.toml")
        func problem(_ file: String) -> String? {
            do {
                _ = try SettingsFile(path: "\(top)/\(file)").read(environment: [:])
                return nil
            } catch {
                return "\(error)"
            }
        }
        let all = ["open/inner/a.toml", "open/b.toml", "closed/a.toml", "closed/b.toml"]
        for file in all { #expect(problem(file) == nil) }
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(top)/open")
        for file in all.prefix(3) { #expect(problem(file)?.contains("can write \(top)/open") == true, "\(file)") }
        #expect(problem("closed/b.toml") == nil)
    }
}

import Foundation
import Testing

@testable import ReachSettings

struct OwnershipTests {
    @Test func `files of the user and of root are trusted`() {
        #expect(Ownership(owner: 1000, mode: 0o644, user: 1000).problem(file: "f") == nil)
        #expect(Ownership(owner: 0, mode: 0o644, user: 1000).problem(file: "f") == nil)
    }

    @Test func `the file of another user is a problem, with the command that fixes it`() {
        let problem = Ownership(owner: 1001, mode: 0o600, user: 1000).problem(file: "f")
        #expect(
            problem?.description
                == "f: the file has commands and belongs to another user (uid 1001) – chown 1000 f"
        )
    }

    @Test func `a private group may write, others may not`() {
        #expect(Ownership(owner: 1000, mode: 0o664, user: 1000, isPrivateGroup: true).problem(file: "f") == nil)
        #expect(Ownership(owner: 1000, mode: 0o664, user: 1000).problem(file: "f") != nil)
        let problem = Ownership(owner: 1000, mode: 0o666, user: 1000, isPrivateGroup: true).problem(file: "f")
        #expect(problem?.message == "the file has commands and others can write it")
    }

    @Test(arguments: [
        ("my file's", "'my file'\\''s'"), ("-f", "-f"), ("", "''"), ("~/a", "'~/a'"), ("/a/b.c", "/a/b.c"),
    ])
    func `the command quotes the path for the shell`(file: String, argument: String) {
        #expect(Ownership(owner: 0, mode: 0o622, user: 0).problem(file: file)?.hint == "chmod go-w \(argument)")
    }

    @Test func `a directory that others can write is refused, unless it is sticky`() {
        let problem = { (owner: UInt32, mode: UInt32) in
            Ownership(owner: owner, mode: mode, user: 1000).problem(file: "/a/f", directory: "/a")?.description
        }
        #expect(problem(1000, 0o755) == nil)
        #expect(problem(0, 0o755) == nil)
        #expect(problem(0, 0o1777) == nil)
        #expect(
            problem(1000, 0o777)
                == "/a/f: the file has commands and its group and others can write /a, above it – chmod go-w /a"
        )
        #expect(problem(1000, 0o775)?.contains("its group can write /a") == true)
        #expect(problem(1001, 0o755)?.contains("belongs to another user (uid 1001)") == true)
        // The owner of a directory can replace its entries, sticky or not.
        #expect(problem(1001, 0o1777) != nil)
        let own = Ownership(owner: 1000, mode: 0o775, user: 1000, isPrivateGroup: true)
        #expect(own.problem(file: "/a/f", directory: "/a") == nil)
    }

    @Test func `the directories above a file and above a symbolic link to it are checked`() throws {
        // The path of the temporary directory may contain a symbolic link.
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
        // Each directory has a symbolic link to a file in the other.
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

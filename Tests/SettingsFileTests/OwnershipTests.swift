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
}

import Foundation
import Testing

extension EndToEnd {
    /// `Scripts/commit`, whose output `make` passes to the program.
    @Suite(.serialized, .enabled(if: Machine.hasGit, "git is not installed")) struct CommitTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            let script = URL(filePath: #filePath).appending(path: "../../../../Scripts/commit").standardized.path
            try Tool.must(["install", "-D", script, scratch.file("project/Scripts/commit")])
        }

        private func git(_ words: String..., date: String = "") throws {
            let environment = [
                "GIT_AUTHOR_NAME": "Example", "GIT_AUTHOR_EMAIL": "example@example.com", "GIT_AUTHOR_DATE": date,
                "GIT_COMMITTER_NAME": "Example", "GIT_COMMITTER_EMAIL": "example@example.com",
                "GIT_COMMITTER_DATE": date,
            ]
            let tool = try Tool.run(["git", "-C", "project"] + words, in: scratch.path, environment: environment)
            #expect(tool.status == 0, "\(tool.errors)")
        }

        private func commit() throws -> String {
            let tool = try Tool.run([scratch.file("project/Scripts/commit")], in: scratch.path)
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            return tool.output
        }

        @Test func `the commit has seven digits and its date in UTC, and uncommitted changes are marked`() throws {
            try git("init", "--quiet")
            try git("add", ".")
            try git("commit", "--quiet", "-m", "One", date: "2026-11-22T23:30:00-0100")
            let clean = try commit()
            #expect(clean.wholeMatch(of: /[0-9a-f]{7} 2026-11-23\n/) != nil, "\(clean)")
            try git("tag", "v9")
            try scratch.write("new", to: "project/untracked")
            #expect(try commit() == clean)
            try scratch.write("#!/bin/sh\n", to: "project/tracked")
            try git("add", "tracked")
            #expect(try commit() == clean.replacing(" ", with: "-dirty "))
        }

        @Test func `outside git and in a folder of another repository, there is no commit`() throws {
            #expect(try commit() == "")
            try Tool.must(["git", "init", "--quiet", scratch.path])
            #expect(try commit() == "")
        }
    }
}

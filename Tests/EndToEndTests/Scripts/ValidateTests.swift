import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach validate`.
    @Suite(.serialized) struct ValidateTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func validate(_ text: String, _ words: String...) throws -> Tool {
            try scratch.write(text, to: "dashboard.toml")
            return try Tool.run([Program.path, "validate"] + words, in: scratch.path)
        }

        private let valid = """
            [group.Empty]
            fall = 2
            [[target]]
            url = "192.0.2.1"
            when_reachable = "true"
            [[target]]
            url = "192.0.2.2"
            enabled = false

            """

        @Test func `valid settings are counted, and warnings precede the counts`() throws {
            let tool = try validate(valid)
            #expect(tool.status == 0)
            #expect(tool.lines.count == 2 && tool.lines[0].contains("warning: no target is in this group"))
            #expect(tool.lines.last == "ok: 1 target, 1 not enabled, 1 hook")
        }

        @Test func `as JSON, each problem has its position, message and fix`() throws {
            let good = try validate(valid, "--json")
            #expect(good.status == 0)
            let counts = #"{"counts":{"hooks":1,"modules":0,"not_enabled":1,"prometheus":0,"targets":1},"ok":true,"#
            #expect(good.output.hasPrefix(counts))
            #expect(good.output.contains(#""severity":"warning""#))
            let bad = try validate("[[target]]\nurl = \"a:1\"\ntimeout = 5\n", "--json")
            #expect(bad.status == 1)
            #expect(
                bad.output
                    == #"{"ok":false,"problems":[{"column":11,"file":"dashboard.toml","#
                    + #""fix":"did you mean \"5s\"?","key":"target \"a:1\": timeout","line":3,"#
                    + #""message":"5 has no unit","severity":"error"}]}"# + "\n"
            )
            let missing = try validate("", "--json", "none.toml")
            #expect(missing.status == 2 && missing.errors.isEmpty)
            #expect(missing.output.contains(#""fix":"reach init FILE writes a sample""#))
            #expect(missing.output.contains(#""message":"none.toml: no such file","#))
            let unset = try validate("[[target]]\nurl = \"${HOST_OF_NOBODY}\"", "--json", "--allow-unset")
            #expect(unset.status == 0 && unset.output.contains(#""not_set":["HOST_OF_NOBODY"]"#))
            let schema = try Schema("validation")
            for tool in [good, bad, missing, unset] {
                #expect(try schema.problems(of: tool.output) == [], "\(tool.output)")
            }
        }

        @Test(.enabled(if: Machine.hasSetpriv, "needs setpriv"))
        func `a folder of a pattern that cannot be read is named`() throws {
            let user = try UnprivilegedUser(in: scratch)
            let folder = scratch.file("closed")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try scratch.write("", to: "closed/a.toml")
            try scratch.write("include = [\"closed/*.toml\", \"none/*.toml\"]\n", to: "open.toml", mode: 0o644)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
            let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", user.program, "validate"]
            let tool = try Tool.run(words + ["open.toml"], in: scratch.path)
            #expect(
                tool.lines == [
                    "open.toml:1:12: include: no permission to read the folder of \"closed/*.toml\" – chmod u+rx, or run as "
                        + "its owner",
                    "open.toml:1:29: include: no file matches \"none/*.toml\" – write one, or remove the pattern",
                ]
            )
        }

        @Test func `variables without a value can be allowed`() throws {
            let text = "[[target]]\nurl = \"${HOST_OF_NOBODY}\"\n[[target]]\nurl = \"a:1\"\n"
            #expect(try validate(text).status == 1)
            #expect(try validate(text, "--allow-unset").output == "ok: 1 target, 0 hooks; not set: HOST_OF_NOBODY\n")
        }

        @Test func `an included file and a secret are read`() throws {
            try scratch.write("[[target]]\nurl = \"h:1\"\ntcp = { send = \"${file:token}\" }", to: "more.toml")
            try scratch.write("x", to: "token", mode: 0o644)
            let tool = try validate("include = \"m*.toml\"\n")
            #expect(tool.status == 1)
            #expect(
                tool.output.hasPrefix(
                    "more.toml:3:16: target \"h:1\": tcp.send: others can read token – chmod o-r token"
                )
            )
            try scratch.write("x", to: "token", mode: 0o600)
            #expect(try validate("include = \"m*.toml\"\n").output == "ok: 1 target, 0 hooks\n")
        }
    }
}

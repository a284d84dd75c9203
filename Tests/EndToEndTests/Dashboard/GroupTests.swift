import Foundation
import Testing

extension EndToEnd {
    /// Settings files with commands that a group can write, with a private user database.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "mounts cannot be made here"),
        .enabled(if: Machine.hasSetpriv, "setpriv is not installed")
    )
    struct GroupTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Runs `reach validate` as alice, whose primary group can write the settings.
        private func validate(_ users: String, groups: String) throws -> Tool {
            let program = try UnprivilegedUser(in: scratch).program
            let settings = try scratch.write(
                "[[target]]\nurl = \"tcp://192.0.2.1:1\"\nwhen_reachable = \"true\"\n",
                to: "settings.toml",
                mode: 0o664
            )
            for path in [settings, scratch.path] {
                try FileManager.default.setAttributes(
                    [.ownerAccountID: 4_001, .groupOwnerAccountID: 4_001],
                    ofItemAtPath: path
                )
            }
            try scratch.write("root:x:0:0::/:/bin/sh\n\(users)", to: "passwd", mode: 0o644)
            try scratch.write("root:x:0:\n\(groups)", to: "group", mode: 0o644)
            let script = """
                mount --bind passwd /etc/passwd && mount --bind group /etc/group &&
                exec setpriv --reuid=4001 --regid=4001 --clear-groups \(program) validate --config \(settings)
                """
            return try Tool.run(["unshare", "--mount", "sh", "-c", script], in: scratch.path)
        }

        @Test func `a settings file writable by the user's private group is valid`() throws {
            let tool = try validate("alice:x:4001:4001::/:/bin/sh\n", groups: "alice:x:4001:\n")
            #expect(tool.status == 0, "\(tool.errors)")
        }

        @Test(arguments: [
            ("alice:x:4001:4001::/:/bin/sh\nbob:x:4002:4001::/:/bin/sh\n", "alice:x:4001:\n"),
            ("alice:x:4001:4001::/:/bin/sh\nbob:x:4002:4002::/:/bin/sh\n", "alice:x:4001:bob\n"),
        ])
        func `a settings file writable by a shared group is invalid`(users: String, groups: String)
            throws
        {
            let tool = try validate(users, groups: groups)
            #expect(tool.status == 1)
            let reason = "the file has commands and its group can write it"
            #expect(tool.output.contains(reason), "\(tool.output)\(tool.errors)")
        }
    }
}

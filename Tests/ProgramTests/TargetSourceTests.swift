import Foundation
import Monitoring
import Testing

@testable import reach

struct TargetSourceTests {
    @Test func `arguments may probe a host by several methods, and duplicates are dropped`() throws {
        let arguments = ["a:443", "tls://a:443", "tcp://a:443", "tls://a", "link:any", "link:any"]
        #expect(try labels(arguments) == ["a:443", "tls://a:443", "link:any"])
    }

    @Test func `a name with family both selects both targets`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "dashboard.toml").path
        try "[[target]]\nname = \"NAS\"\nurl = \"tcp://nas:445\"\nfamily = \"both\"\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try labels(["@NAS", "192.0.2.1", "@NAS"], config: file) == ["NAS IPv4", "NAS IPv6", "192.0.2.1"])
    }

    @Test func `exec on the command line is refused`() {
        let problems = #expect(throws: StartupError.self) { try labels(["exec:"]) }
        #expect(
            problems?.lines == [
                "\"exec:\": commands are only allowed in the settings file – select the target by @NAME"
            ]
        )
    }

    @Test(arguments: ["home.toml", "./home.toml", "/etc/reach/dashboard.toml"])
    func `a settings file is no target`(file: String) {
        let problems = #expect(throws: StartupError.self) { try labels([file]) }
        #expect(problems?.lines == ["\"\(file)\" is a settings file – did you mean --config \(file)?"])
    }

    @Test func `a misspelt command gets a suggestion, unless it follows a command`() throws {
        let commands = Reach.subcommands + ["help"]
        for (word, command) in [("chekc", "check"), ("wiat", "wait"), ("iniit", "init"), ("feth", "fetch")] {
            let source = try TargetSource(arguments: [word], config: nil, environment: [:], commands: commands)
            let problems = #expect(throws: StartupError.self) { try source.settings() }
            #expect(
                problems?.lines == [
                    "unknown command \"\(word)\" – did you mean \"\(command)\"? For a host of this name, use icmp://\(word)"
                ]
            )
            #expect(try labels([word]) == [word], "after a command it is a host")
        }
    }

    @Test func `a tag selects its targets, and a target that is not enabled is named`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "dashboard.toml").path
        try """
        [[target]]
        url = "192.0.2.1"
        tags = ["db", "prod"]
        [[target]]
        url = "192.0.2.2"
        tags = ["db"]
        [[target]]
        name = "Old"
        url = "192.0.2.3"
        tags = ["db"]
        enabled = false
        """.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try labels(["@tag:db"], config: file) == ["192.0.2.1", "192.0.2.2"])
        #expect(try labels(["@tag:prod"], config: file) == ["192.0.2.1"])
        let problems = #expect(throws: StartupError.self) { try labels(["@tag:prd", "@tag:x", "@Old"], config: file) }
        #expect(
            problems?.lines == [
                "no tag \"prd\" in the settings – did you mean \"prod\"?", "no tag \"x\" in the settings",
                "target \"Old\" is not enabled – remove its enabled = false",
            ]
        )
    }

    private func labels(_ arguments: [String], config: String? = nil) throws -> [String] {
        try TargetSource(arguments: arguments, config: config, environment: [:]).settings().targets.map(\.label)
    }
}

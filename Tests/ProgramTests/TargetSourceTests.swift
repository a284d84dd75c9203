import Foundation
import Monitoring
import Testing

@testable import reach

struct TargetSourceTests {
    @Test func `words ask the same host in several ways, and twice the same way only once`() throws {
        let words = ["a:443", "tls://a:443", "tcp://a:443", "tls://a", "link:any", "link:any"]
        #expect(try labels(words) == ["a:443", "tls://a:443", "link:any"])
    }

    @Test func `a name of the settings means both families`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "dashboard.toml").path
        try "[[target]]\nname = \"NAS\"\nurl = \"tcp://nas:445\"\nfamily = \"both\"\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try labels(["@NAS", "192.0.2.1", "@NAS"], config: file) == ["NAS IPv4", "NAS IPv6", "192.0.2.1"])
    }

    @Test func `a command on the command line has nothing to run`() {
        let problems = #expect(throws: TargetProblems.self) { try labels(["exec:"]) }
        #expect(problems?.lines == ["\"exec:\": a command stands in the settings – name its target, as @NAME"])
    }

    @Test func `a misspelt command gets a suggestion where a command may stand`() throws {
        let commands = Reach.subcommands + ["help"]
        for (word, command) in [("chekc", "check"), ("wiat", "wait"), ("iniit", "init"), ("feth", "fetch")] {
            let source = try TargetSource(words: [word], config: nil, environment: [:], commands: commands)
            let problems = #expect(throws: TargetProblems.self) { try source.settings() }
            #expect(
                problems?.lines == [
                    "unknown command \"\(word)\" – did you mean \"\(command)\"? A host of that name is icmp://\(word)"
                ]
            )
            #expect(try labels([word]) == [word], "after a command it is a host")
        }
    }

    private func labels(_ words: [String], config: String? = nil) throws -> [String] {
        try TargetSource(words: words, config: config, environment: [:]).settings().targets.map(\.label)
    }
}

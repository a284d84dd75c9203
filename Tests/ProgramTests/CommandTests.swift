import ArgumentParser
import Foundation
import Monitoring
import Testing

@testable import reach

/// Parsing of the command line, and its help.
struct CommandTests {
    private func wait(_ arguments: String...) throws -> WaitCommand {
        try #require(Reach.parseAsRoot(WaitCommand.normalized(["wait"] + arguments)) as? WaitCommand)
    }

    @Test func `arguments after two dashes are the command, unchanged`() throws {
        let command = try wait("a", "--any", "b:1", "--", "sh", "-c", "x y", "--", "--within", "--a=b", "-q", "")
        #expect(command.options.targets == ["a", "b:1"])
        #expect(command.command == ["sh", "-c", "x y", "--", "--within", "--a=b", "-q", ""])
        #expect(command.any && command.within == nil && !command.quiet)
        #expect(try wait("a", "--run", "ls", "-q").command == ["ls", "-q"])
        #expect(try wait("a").command.isEmpty)
    }

    @Test func `only wait has a command after two dashes`() {
        #expect(WaitCommand.normalized(["check", "--", "-x"]) == ["check", "--", "-x"])
        #expect(WaitCommand.normalized([]) == [])
    }

    @Test(
        arguments: [
            [], ["--", "ls"], ["a", "--any", "--all"], ["a", "--any", "--count", "1"], ["a", "--within", "30"],
            ["a", "--within", "0s"], ["a", "--interval", "1ms"], ["a", "--", ""], ["a", "--witin", "3s"],
        ]
    )
    func `invalid arguments are refused`(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try Reach.parseAsRoot(WaitCommand.normalized(["wait"] + arguments)) }
    }

    @Test func `up and degraded meet the condition, only down meets the negated one`() {
        let condition = Wait.Condition(requiredCount: 1, isNegated: false)
        #expect(Health.allCases.filter(condition.isMet) == [.up, .degraded])
        #expect(Health.allCases.filter(Wait.Condition(requiredCount: 1, isNegated: true).isMet) == [.down])
    }

    @Test func `every option and argument of every command has a help text`() throws {
        for command in Reach.configuration.subcommands + [Reach.self] {
            let dump = try JSONSerialization.jsonObject(with: Data(command._dumpHelp().utf8)) as? [String: Any]
            let description = try #require(dump?["command"] as? [String: Any])
            let arguments = description["arguments"] as? [[String: Any]] ?? []
            let name = try #require(description["commandName"] as? String)
            #expect((description["abstract"] as? String)?.isEmpty == false, "\(name)")
            for argument in arguments {
                let help = argument["abstract"] as? String ?? ""
                #expect(!help.isEmpty, "\(name): \(argument["valueName"] ?? "")")
            }
            let usage = command.configuration.usage ?? ""
            #expect(usage.contains("reach"), "\(name): help begins with examples")
        }
    }

    @Test func `init writes the sample of the repository`() throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../dashboard.toml")
        let text = try String(contentsOf: sample, encoding: .utf8)
        #expect(SampleSettings.text(gateway: nil) == text)
        let gateway = SampleSettings.text(gateway: "fe80::1%eth0")
        #expect(gateway.contains(#"url = "icmp://${REACH_GATEWAY:-[fe80::1%eth0]}""#))
        #expect(gateway.split(separator: "\n").count == text.split(separator: "\n").count)
    }
}

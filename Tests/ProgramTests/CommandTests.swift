import ArgumentParser
import Foundation
import Monitoring
import Testing

@testable import reach

/// The command line: what it takes, and what it says of itself.
struct CommandTests {
    private func wait(_ words: String...) throws -> WaitCommand {
        try #require(Reach.parseAsRoot(WaitCommand.words(["wait"] + words)) as? WaitCommand)
    }

    @Test func `what follows two dashes is the command, as it stands`() throws {
        let command = try wait("a", "--any", "b:1", "--", "sh", "-c", "x y", "--", "--within", "--a=b", "-q", "")
        #expect(command.options.targets == ["a", "b:1"])
        #expect(command.command == ["sh", "-c", "x y", "--", "--within", "--a=b", "-q", ""])
        #expect(command.any && command.within == nil && !command.quiet)
        #expect(try wait("a", "--run", "ls", "-q").command == ["ls", "-q"])
        #expect(try wait("a").command.isEmpty)
    }

    @Test func `only wait has a command`() {
        #expect(WaitCommand.words(["check", "--", "-x"]) == ["check", "--", "-x"])
        #expect(WaitCommand.words([]) == [])
    }

    @Test(
        arguments: [
            [], ["--", "ls"], ["a", "--any", "--all"], ["a", "--any", "--count", "1"], ["a", "--within", "30"],
            ["a", "--within", "0s"], ["a", "--interval", "1ms"], ["a", "--", ""], ["a", "--witin", "3s"],
        ]
    )
    func `what cannot be meant is refused`(_ words: [String]) {
        #expect(throws: (any Error).self) { try Reach.parseAsRoot(WaitCommand.words(["wait"] + words)) }
    }

    @Test func `a goal counts those that are as they should be`() {
        let goal = Wait.Goal(needed: 1, isNegated: false)
        #expect(Health.allCases.filter(goal.isMet) == [.up, .degraded])
        #expect(Health.allCases.filter(Wait.Goal(needed: 1, isNegated: true).isMet) == [.down])
    }

    @Test func `every option and argument of every command has its line of help`() throws {
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
            #expect(usage.contains("reach"), "\(name): help leads with examples")
        }
    }

    @Test func `what init writes is the sample`() throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../dashboard.toml")
        #expect(try StartingFile.bytes == [UInt8](Data(contentsOf: sample)))
    }
}

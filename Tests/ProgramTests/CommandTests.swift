import ArgumentParser
import Foundation
import ReachMonitoring
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

    private func problem(_ arguments: String...) -> String? {
        do {
            _ = try Reach.parseAsRoot(arguments)
            return nil
        } catch {
            return Reach.message(for: error)
        }
    }

    @Test func `options that exclude or need another are errors`() {
        #expect(problem("validate", "-c", "a", "b")?.contains("--config and a file cannot be combined") == true)
        #expect(problem("validate", "-c", "a") == nil && problem("validate", "b") == nil)
        #expect(problem("watch", "--metrics", "basic")?.contains("--metrics: only allowed with --listen") == true)
        #expect(problem("watch", "--metrics", "basic", "--listen", "9720") == nil)
        for command in ["dashboard", "watch", "fleet"] {
            let both = "--hooks and --no-hooks cannot be combined"
            #expect(problem(command, "--no-hooks", "--hooks")?.contains(both) == true)
            #expect(problem(command, "--no-hooks") == nil && problem(command, "--hooks") == nil)
        }
    }

    @Test func `only wait has a command after two dashes`() {
        #expect(WaitCommand.normalized(["check", "--", "-x"]) == ["check", "--", "-x"])
        #expect(WaitCommand.normalized([]) == [])
    }

    private func missingDashes(_ words: String) -> String? {
        let programs: Set = ["echo", "true", "sh", "/bin/ls", "./serve"]
        return WaitCommand.missingDashes(in: words.split(separator: " ").map(String.init)) { programs.contains($0) }
    }

    @Test(
        arguments: [
            ("wait 127.0.0.1 echo hi", "echo", "wait 127.0.0.1 -- echo hi"),
            ("wait -q --within 3s @NAS db:1 sh -c a;b", "sh", "wait -q --within 3s @NAS db:1 -- sh -c 'a;b'"),
            ("wait db:1 --any true --all", "true", "wait db:1 --any -- true --all"),
            ("wait a /bin/ls -la it's", "/bin/ls", "wait a -- /bin/ls -la 'it'\\''s'"),
        ]
    )
    func `a command without two dashes is reported with the fix`(words: String, command: String, fixed: String) {
        let host = command.contains("/") ? "" : " For a host of this name, use icmp://\(command)"
        #expect(
            missingDashes(words)
                == "the command \"\(command)\" is not after \"--\" – did you mean \"reach \(fixed)\"?\(host)"
        )
    }

    @Test(
        arguments: [
            "", "wait", "wait echo", "wait a b", "wait a -- echo", "wait a echo -- echo", "wait a --run echo",
            "wait a --config echo", "wait --config echo true", "check a echo", "wait --witin echo true", "a echo",
        ]
    )
    func `hosts, values of options and other commands are no command`(words: String) {
        #expect(missingDashes(words) == nil)
    }

    @Test func `a program is found in PATH`() {
        #expect(WaitCommand.missingDashes(in: ["wait", "192.0.2.1", "env"]) != nil)
        #expect(WaitCommand.missingDashes(in: ["wait", "192.0.2.1", "/"]) == nil)
        #expect(WaitCommand.missingDashes(in: ["wait", "192.0.2.1", "no-such-program", "env:1"]) == nil)
    }

    @Test(
        arguments: [
            ("-c f check", "check -c f"), ("-c f validate", "validate -c f"), ("-c check check a", "check -c check a"),
            ("--config=f --log=l wait db:1 -- ls", "wait --config=f --log=l db:1 -- ls"),
            ("-i 5s --ascii watch", "watch -i 5s --ascii"), ("-c f dashboard", "dashboard -c f"),
            ("-c check", nil), ("-c f a check", nil), ("-- check", nil), ("a check", nil), ("--help check", nil),
            ("check -c f", nil), ("--json check", nil), ("-c f", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `options of the dashboard may be before the command`(words: String, moved: String?) {
        let arguments = words.split(separator: " ").map(String.init)
        #expect(Reach.commandFirst(arguments) == moved?.split(separator: " ").map(String.init) ?? arguments)
    }

    @Test(
        arguments: [
            ("--json check 127.0.0.1", "check --json 127.0.0.1"), ("-q --count 3 check", "check -q --count 3"),
            ("--within 1m wait db:1 -- sh -c a;b", "wait --within 1m db:1 -- sh -c 'a;b'"),
            ("--nonsense check", nil), ("--count nonsense check", nil), ("-c check a", nil), ("--help check", nil),
            ("--version", nil), ("--ascii", nil), ("check --json", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `other options before the command are reported with the fix`(words: String, fixed: String?) throws {
        let arguments = words.split(separator: " ").map(String.init)
        let problem = try fixed.map { fixed in
            let command = try #require(fixed.split(separator: " ").first)
            return "the options of \"\(command)\" are before it – did you mean \"reach \(fixed)\"?"
        }
        #expect(Reach.misplacedOptions(in: arguments) == problem)
    }

    @Test(
        arguments: [
            (["help", "nonsense"], "unknown command \"nonsense\" – see reach --help"),
            (["help", "wiat"], "unknown command \"wiat\" – did you mean \"wait\"?"),
            (["help", ""], "unknown command \"\" – see reach --help"),
            (["help"], nil), (["help", "wait"], nil), (["help", "-h"], nil), (["help", "help"], nil), ([], nil),
            (["nonsense"], nil), (["version", "nas"], nil), (["--version"], nil),
            (
                ["version"],
                "unknown command \"version\" – did you mean --version? For a host of this name, use icmp://version"
            ),
        ] as [([String], String?)]
    )
    func `help for an unknown command is an error with a suggestion, and so is version`(
        arguments: [String],
        problem: String?
    ) {
        #expect(Reach.unknownCommand(in: arguments) == problem)
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

    @Test func `help of the program lists the options of the dashboard, and the version`() {
        let error = #expect(throws: (any Error).self) {
            var command = try Reach.parseAsRoot(["--help"])
            try command.run()
        }
        let text = error.map { Reach.help(for: $0, ["--help"]) } ?? ""
        let version = "\n  -V, --version           Show"
        for part in ["--interval", "--config", "--svg", version, "--help", "SUBCOMMANDS:", "\n  doctor"] {
            #expect(text.contains(part), "\(part)")
        }
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
        let whole = try String(contentsOf: sample, encoding: .utf8)
        let line = "#:schema Schemas/dashboard.schema.json\n"
        #expect(whole.hasPrefix(line))
        let text = String(whole.dropFirst(line.count))
        #expect(SampleSettings.text(gateway: nil) == text)
        #expect(SampleSettings.text(gateway: nil, schema: "file:///s.json") == "#:schema file:///s.json\n" + text)
        let gateway = SampleSettings.text(gateway: "fe80::1%eth0")
        #expect(gateway.contains(#"url = "icmp://${REACH_GATEWAY:-[fe80::1%eth0]}""#))
        #expect(gateway.split(separator: "\n").count == text.split(separator: "\n").count)
    }
}

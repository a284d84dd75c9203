import Foundation
import ReachDashboard
import ReachMonitoring
import Testing

@testable import reach

struct TargetSourceTests {
    @Test func `arguments may probe a host by several methods, and duplicates are dropped`() throws {
        let arguments = ["a:443", "tls://a:443", "tcp://a:443", "tls://a", "link:any", "link:any"]
        #expect(try labels(arguments) == ["a:443", "tls://a:443", "link:any"])
    }

    @Test func `targets that differ in a password only have numbers`() throws {
        let arguments = ["redis://a", "redis://:x@a", "redis://:y@a", "redis://:z@a", "redis://:y@a"]
        #expect(try labels(arguments) == ["a", "redis://a", "redis://a 2", "redis://a 3"])
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

    @Test func `an argument may have a name, and a blank in place of the equals sign is reported`() throws {
        #expect(
            try labels(["db=tcp://db:5432", "db:5432", "https://a.example/?b=c"]) == [
                "db", "db:5432", "a.example/?b=c",
            ]
        )
        for (argument, fix) in [
            ("db tcp://db:5432", " – write db=tcp://db:5432"), ("db db:5432", " – write db=db:5432"), ("a b c", ""),
            ("db redis://:secret@db", " – write db=redis://db"),
        ] {
            let problems = #expect(throws: StartupError.self) { try labels([argument]) }
            let shown = argument.replacing("db redis://:secret@", with: "")
            #expect(problems?.lines == ["\"\(shown)\": the URL has a blank or a control character in it\(fix)"])
        }
        let problems = #expect(throws: StartupError.self) { try list("db tcp://db:5432\n") }
        #expect(problems?.lines.first?.hasSuffix(" in it – write db=tcp://db:5432") == true)
    }

    @Test func `a suggested target has no query`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "dashboard.toml").path
        try "[[target]]\nurl = \"https://a.example/b?token=squirrel\"\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let problems = #expect(throws: StartupError.self) { try labels(["@a.example/b?tokn=squirre"], config: file) }
        let line = "no target \"a.example/b?tokn=squirre\" in the settings – did you mean \"a.example/b?(hidden)\"?"
        #expect(problems?.lines == [line])
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
            let source = try TargetSource(arguments: [word], commands: commands, config: nil, environment: [:])
            let problems = #expect(throws: StartupError.self) { try source.settings() }
            #expect(
                problems?.lines == [
                    "unknown command \"\(word)\" – did you mean \"\(command)\"? For a host of this name, use icmp://\(word)"
                ]
            )
            #expect(try labels([word]) == [word], "after a command it is a host")
        }
    }

    @Test func `a command behind a target is to be put first`() throws {
        let arguments = ["icmp://127.0.0.1", "check"]
        let source = try TargetSource(arguments: arguments, commands: ["check", "wait"], config: nil, environment: [:])
        let problems = #expect(throws: StartupError.self) { try source.settings() }
        #expect(
            problems?.lines == [
                "\"check\" is a command – put it first. For a host of this name, use icmp://check"
            ]
        )
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

    private func list(_ text: String) throws -> TargetList { try TargetList(Array(text.utf8)) }

    @Test func `standard input has a target on each line`() throws {
        let text = """
            \u{FEFF}# Hosts of the hall.

              192.0.2.1   # a comment
            nas.local:445\r
            Web shop = https://shop.example.com/a?b=c#d
            NAS=tcp://nas.local:445
            https://shop.example.com/?a=b
            192.0.2.1
            dns://192.0.2.53/example.com?type=MX
            [2001:db8::1]:22
            """.replacing("#d", with: "")
        let source = try TargetSource(arguments: ["-", "192.0.2.9"], list: list(text), config: nil, environment: [:])
        #expect(source.name == "standard input 192.0.2.9")
        let (settings, document) = try source.load()
        #expect(
            settings.targets.map(\.label) == [
                "192.0.2.1", "nas.local:445", "Web shop", "NAS", "shop.example.com/?a=b",
                "192.0.2.53/example.com MX",
                "[2001:db8::1]:22", "192.0.2.9",
            ]
        )
        #expect(
            document?.text.contains("[[target]]\nname = \"Web shop\"\nurl = \"https://shop.example.com/a?b=c\"") == true
        )
        #expect(try source.settings().targets == settings.targets, "a reload has the same targets")
    }

    @Test func `all problems of standard input are reported with their lines`() {
        let long = String(repeating: "x", count: 5_000)
        let text =
            "tcp://a\n\n# fine\nA=192.0.2.1\nA = 192.0.2.2\n=b\n@NAS\nexec:\n\(long)\nB\u{1B}=c\nd\n"
            + "\(long.prefix(257))=e\n"
        let problems = #expect(throws: StartupError.self) {
            try TargetList(Array(text.utf8) + [0xFF, 0x0A])
        }
        #expect(
            problems?.lines == [
                "standard input:1: \"tcp://a\": tcp needs a port – tcp://a:443",
                "standard input:5: duplicate name \"A\", also on line 4 – rename one",
                "standard input:6: no name before \"=\" – write NAME=URL, or the URL alone",
                "standard input:7: \"@NAS\": a list has no names of the settings – write @NAS on the command line",
                "standard input:8: \"exec:\": commands are only allowed in the settings file – select the target by @NAME",
                "standard input:9: longer than 4096 bytes – one target a line",
                "standard input:10: control character in the name – remove it",
                "standard input:12: a name of 257 bytes – at most 256",
                "standard input:13: the line is not UTF-8 – save the list as UTF-8",
            ]
        )
    }

    @Test func `an empty or very long list is refused`() {
        let empty = #expect(throws: StartupError.self) { try list("# nothing\n\n") }
        #expect(empty?.lines == ["standard input: no targets – write a URL, HOST or HOST:PORT on each line"])
        let text = (0..<65_537).map { "h\($0).example" }.joined(separator: "\n")
        let many = #expect(throws: StartupError.self) { try list(text) }
        #expect(many?.lines == ["standard input: 65537 targets – at most 65536"])
    }

    private func labels(_ arguments: [String], config: String? = nil) throws -> [String] {
        try TargetSource(arguments: arguments, config: config, environment: [:]).settings().targets.map(\.label)
    }
}

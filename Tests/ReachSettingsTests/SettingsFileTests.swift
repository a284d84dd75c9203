import Foundation
import ReachMonitoring
import ReachSettings
import Testing

struct SettingsFileTests {
    private let directory: TemporaryDirectory
    private static let target = "[[target]]\nurl = \"192.0.2.1\"\n"
    private static let hook = "when_reachable = \"true\"\n"

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `a valid file is read with the environment`() throws {
        let path = try directory.write("[[target]]\nurl = \"${HOST}\"")
        let settings = try SettingsFile(path: path).read(environment: ["HOST": "192.0.2.1"])
        #expect(settings.targets.map(\.name) == ["192.0.2.1"])
    }

    @Test func `a group without targets is a warning with its position`() throws {
        let path = try directory.write(
            """
            [group.Cellar]
            interval = "5s"
            [group.Office]
            [group.Spare]
            [[target]]
            name = "NAS"
            url = "a:1"
            group = "Home"
            [[target]]
            url = "b:1"
            group = "Office"
            """
        )
        let report = try SettingsFile(path: path).validate(environment: [:])
        #expect(report.settings?.targets.count == 2)
        #expect(
            report.warnings.map(\.description) == [
                "\(path):1:8: group \"Cellar\": warning: no target is in this group – "
                    + "write group = \"Cellar\" below a [[target]], or remove the group",
                "\(path):4:8: group \"Spare\": warning: no target is in this group – "
                    + "write group = \"Spare\" below a [[target]], or remove the group",
            ]
        )
        let whole = try directory.write("[group.A]\n[[target]]\nurl = \"a:1\"\ngroup = \"A\"")
        #expect(try SettingsFile(path: whole).validate(environment: [:]).warnings.isEmpty)
    }

    @Test func `problems show the path as the user wrote it`() throws {
        let path = try directory.write("[[target]]\nurl = \"a:1\"\nfall = 0\n")
        #expect(failure(of: path) == "\(path):3:8: target \"a:1\": fall: 0 is out of range – at least 1")
    }

    @Test func `an empty file is invalid, not unreadable`() throws {
        let path = try directory.write("")
        let failure = #expect(throws: SettingsFailure.self) { try SettingsFile(path: path).read(environment: [:]) }
        guard case .problems(let problems) = failure else {
            Issue.record("expected problems, got \(String(describing: failure))")
            return
        }
        #expect(problems.map(\.message) == ["no targets"])
    }

    @Test(arguments: [
        ("# nothing yet\n", "no targets"), ("[dashboard]\ntheme = \"dark\"\n", "no targets"),
        ("[[target]]\nurl = \"h\"\nenabled = false\n", "no target is enabled"),
        ("[module.x]\nmethod = \"tcp\"\n", nil), ("[[source]]\nfile = \"*.json\"\n", nil),
    ])
    func `a file without targets is valid for watch, with a warning`(text: String, warning: String?) throws {
        let report = try SettingsFile(path: directory.write(text)).validate(environment: [:])
        #expect(report.problems.isEmpty && report.settings?.targets.isEmpty == true)
        #expect(report.warnings.map(\.message) == [warning].compactMap(\.self))
    }

    @Test(arguments: [("\n \n", true), ("# text\n", false)])
    func `a file without text is blank`(text: String, isBlank: Bool) throws {
        #expect(try SettingsFile(path: directory.write(text)).isBlank == isBlank)
    }

    @Test func `problems with files have their fix apart from the message`() throws {
        let text = """
            include = ["none.toml", ".."]
            [[target]]
            url = "http://h/"
            http = { headers = { A = "${file:/etc}" } }
            """
        let problems = try SettingsFile(path: directory.write(text)).validate(environment: [:]).problems
        #expect(problems.map(\.hint) == ["write it, or remove it here", "name the file in it", "name the file in it"])
        #expect(!problems.contains { $0.message.contains(" – ") }, "\(problems)")
    }

    @Test func `a path that is not a regular file is reported in one line`() throws {
        #expect(
            failure(of: "/dev/null")
                == "/dev/null: not a regular file – name a text file with [[target]] tables"
        )
        #expect(failure(of: directory.path) == "\(directory.path): a directory – name the file in it")
        let missing = "no such file – reach init FILE writes a sample"
        #expect(failure(of: "\(directory.path)/none.toml") == "\(directory.path)/none.toml: \(missing)")
        let file = try directory.write("")
        #expect(failure(of: "\(file)/x") == "\(file)/x: \(missing)")
    }

    @Test func `opening a pipe without a writer does not block`() throws {
        let path = "\(directory.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        #expect(failure(of: path)?.contains("not a regular file") == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a file without read permission is reported in one line`() throws {
        let path = try directory.write(Self.target, mode: 0)
        #expect(failure(of: path) == "\(path): no permission to read it – chmod u+r, or run as its owner")
    }

    @Test func `invalid UTF-8 is reported with its line`() throws {
        let path = try directory.write(Data("[[target]]\nname = \"caf".utf8) + Data([0xE9, 0x22, 0x0A]))
        #expect(failure(of: path) == "\(path):2: the text is not UTF-8 – save the file as UTF-8")
    }

    @Test func `a file of 8 MiB is read, a larger one is refused`() throws {
        let text = Self.target + "#"
        let fits = try directory.write(text + String(repeating: "x", count: 8_388_608 - text.utf8.count))
        #expect(failure(of: fits) == nil)
        let large = try directory.write(text + String(repeating: "x", count: 8_388_609 - text.utf8.count))
        #expect(failure(of: large) == "\(large): larger than 8 MiB – settings are a small text file")
    }

    @Test(arguments: [
        (0o664, "its group"), (0o666, "its group and others"), (0o646, "others"),
    ])
    func `a file with hooks that others can write is refused`(mode: Int, writers: String) throws {
        let path = try directory.write(Self.target + Self.hook, mode: mode)
        #expect(failure(of: path) == "\(path): the file has commands and \(writers) can write it – chmod go-w \(path)")
    }

    @Test func `a file with hooks that only its owner can write is read`() throws {
        #expect(failure(of: try directory.write(Self.target + Self.hook, mode: 0o644)) == nil)
    }

    @Test func `commands of targets are checked like those of hooks`() throws {
        let target = "[[target]]\nname = \"Disk\"\nurl = \"exec:\"\nexec = { run = \"true\" }\n"
        #expect(failure(of: try directory.write(target, mode: 0o644)) == nil)
        #expect(failure(of: try directory.write(target, mode: 0o666))?.contains("others can write it") == true)
    }

    @Test func `a file without hooks may be writable by others`() throws {
        #expect(failure(of: try directory.write(Self.target, mode: 0o666)) == nil)
    }

    @Test func `unsafe permissions are reported with other problems`() throws {
        let path = try directory.write(Self.target + "fall = 0\nwhen_reachable = 5\n", mode: 0o666)
        #expect(failure(of: path)?.split(separator: "\n").count == 3)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file with hooks that belongs to another user is refused`() throws {
        let path = try directory.write(Self.target + Self.hook)
        try #require(chown(path, 12_345, 12_345) == 0)
        #expect(
            failure(of: path)
                == "\(path): the file has commands and belongs to another user (uid 12345) – chown 0 \(path)"
        )
    }

    private func failure(of path: String) -> String? {
        do {
            _ = try SettingsFile(path: path).read(environment: [:])
            return nil
        } catch {
            return error.description
        }
    }
}

struct LookupTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `the file is searched in the documented order`() throws {
        let home = try directory.write("", to: "home/.config/reach/dashboard.toml")
        var environment = ["HOME": "\(directory.path)/home"]
        #expect(try locate(environment: environment) == home)

        let standard = try directory.write("", to: "xdg/reach/dashboard.toml")
        environment["XDG_CONFIG_HOME"] = "\(directory.path)/xdg"
        #expect(try locate(environment: environment) == standard)

        let here = try directory.write("", to: "here/dashboard.toml")
        #expect(try locate(environment: environment) == here)

        let variable = try directory.write("", to: "variable.toml")
        environment["REACH_CONFIG"] = variable
        #expect(try locate(environment: environment) == variable)

        let option = try directory.write("", to: "option.toml")
        #expect(try locate(config: option, environment: environment) == option)
    }

    @Test func `a missing named file is an error, even if others exist`() throws {
        try directory.write("", to: "here/dashboard.toml")
        #expect(failure(config: "none.toml") == "none.toml: no such file – check --config")
        #expect(failure(environment: ["REACH_CONFIG": "/none"]) == "/none: no such file – check $REACH_CONFIG")
        #expect(failure(config: "") == "--config: the file name is empty – such as dashboard.toml")
    }

    @Test func `an empty variable is ignored`() throws {
        let here = try directory.write("", to: "here/dashboard.toml")
        #expect(try locate(environment: ["REACH_CONFIG": "", "XDG_CONFIG_HOME": "", "HOME": ""]) == here)
    }

    @Test func `without a file, the error lists the places searched and the fixes`() {
        #expect(
            failure(environment: ["HOME": "/none", "XDG_CONFIG_HOME": "relative"])
                == "no settings file: looked for \(directory.path)/here/dashboard.toml, then "
                + "/none/.config/reach/dashboard.toml – run reach init to write one, pass --config FILE, "
                + "or name a target, such as 192.0.2.1"
        )
    }

    @Test func `the current directory is not part of the path`() {
        let line = failureOfCurrentDirectory()
        #expect(line == nil || line?.hasPrefix("no settings file: looked for dashboard.toml, then /none/") == true)
    }

    private func locate(config: String? = nil, environment: [String: String] = [:]) throws -> String {
        try SettingsFile.locate(
            config: config,
            environment: environment,
            currentDirectory: "\(directory.path)/here"
        ).path
    }

    private func failure(config: String? = nil, environment: [String: String] = [:]) -> String? {
        do {
            return try locate(config: config, environment: environment)
        } catch {
            return "\(error)"
        }
    }

    private func failureOfCurrentDirectory() -> String? {
        do {
            _ = try SettingsFile.locate(config: nil, environment: ["HOME": "/none"])
            return nil
        } catch {
            return error.description
        }
    }
}

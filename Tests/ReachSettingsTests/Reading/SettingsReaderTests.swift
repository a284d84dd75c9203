import ReachMonitoring
import ReachSettings
import TestSupport
import Testing

struct SettingsReaderTests {
    @Test func `a target with only a URL has the defaults of its method and a name from the URL`() throws {
        let settings = try read("[[target]]\nurl = \"icmp://192.0.2.1\"\n[[target]]\nurl = \"nas.local:445\"")
        #expect(
            settings
                == Settings(targets: [
                    Target(name: "192.0.2.1", question: .icmp(host: "192.0.2.1")).withPath,
                    Target(name: "nas.local:445", question: .tcp(host: "nas.local", port: 445)).withPath,
                ])
        )
    }

    @Test func `the keys of the program are read`() throws {
        let settings = try read(
            """
            dashboard = { theme = "colour-blind", refresh = "eco", max_hooks = 9, history = "2h", columns = ["health", "name", "for"] }
            target = [{ url = "192.0.2.1" }]
            """
        )
        #expect(settings.theme == .colourBlind)
        #expect(settings.refresh == .eco)
        #expect(settings.maxHooks == 9)
        #expect(settings.history == .seconds(7_200))
        #expect(settings.columns == [.health, .name, .since])
    }

    @Test func `alerts are read, and only the title is on without them`() throws {
        let target = "[[target]]\nurl = \"192.0.2.1\"\n"
        #expect(try read(target).alerts == AlertSettings(bell: false, title: true, notify: false))
        let settings = try read(target + "[alerts]\nbell = true\ntitle = false\nnotify = true")
        #expect(settings.alerts == AlertSettings(bell: true, title: false, notify: true))
    }

    @Test func `the buckets of the metrics are read`() throws {
        let target = "[[target]]\nurl = \"192.0.2.1\"\n"
        #expect(try read(target).buckets == Settings.standardBuckets)
        let settings = try read(target + "[metrics]\nbuckets = [\"20us\", \"1.5ms\", \"1h\"]")
        #expect(settings.buckets == [.microseconds(20), .microseconds(1_500), .seconds(3_600)])
    }

    @Test func `themes of the user are read`() throws {
        let settings = try read(
            """
            dashboard = { theme = "mine" }
            target = [{ url = "192.0.2.1" }]
            [theme.mine]
            base = "nord"
            text = "default"
            up = "#00Af5f"
            degraded = "bright-yellow"
            down = "red bold underline"
            waiting = 245
            faint = "7"
            title = "bold"
            accent = "#ff5fff"
            [theme.empty]
            """
        )
        #expect(settings.theme == .user("mine"))
        let styles: [Role: RoleStyle] = [
            .text: RoleStyle(nil), .up: RoleStyle(.rgb(0x00AF5F)), .degraded: RoleStyle(.index(11)),
            .down: RoleStyle(.index(1), isBold: true, isUnderlined: true), .waiting: RoleStyle(.index(245)),
            .faint: RoleStyle(.index(7)), .title: RoleStyle(nil, isBold: true), .accent: RoleStyle(.rgb(0xFF5FFF)),
        ]
        #expect(Set(styles.keys) == Set(Role.allCases), "each role has a key")
        #expect(settings.userThemes == ["mine": UserTheme(base: .nord, styles: styles), "empty": UserTheme()])
    }

    @Test(arguments: ThemeChoice.builtIn)
    func `each theme of the program is read`(theme: ThemeChoice) throws {
        let text = "dashboard = { theme = \"\(theme.name)\" }\ntarget = [{ url = \"192.0.2.1\" }]"
        #expect(try read(text).theme == theme)
    }

    @Test func `a target overrides its group, and a group the defaults`() throws {
        let settings = try read(
            """
            [defaults]
            interval = "10s"
            fall = 5
            rise = 2
            tcp = { send = "QUIT", expect = "^220" }

            [group.Home]
            fall = 4
            slow = "50ms"
            tcp.send = "NOOP"

            [group.Unused]
            fall = 9

            [[target]]
            name = "NAS"
            url = "tcp://nas.local:445"
            group = "Home"
            slow = "80ms"
            lossy = 0
            flapping = false
            spread = 0.5
            timeout = "3s"
            retry_interval = "500ms"
            down_interval = "700ms"

            [[target]]
            name = "Elsewhere"
            url = "tcp://192.0.2.1:25"
            group = "Office"
            """
        )
        #expect(
            settings.targets == [
                Target(
                    name: "NAS",
                    question: .tcp(host: "nas.local", port: 445, TCPOptions(send: "NOOP", expect: "^220")),
                    group: "Home",
                    interval: .seconds(10),
                    timeout: .seconds(3),
                    retryInterval: .milliseconds(500),
                    downInterval: .milliseconds(700),
                    spread: 0.5,
                    thresholds: Thresholds(rise: 2, fall: 4, slow: .milliseconds(80), lossy: 0),
                    mayFlap: false
                ).withPath,
                Target(
                    name: "Elsewhere",
                    question: .tcp(host: "192.0.2.1", port: 25, TCPOptions(send: "QUIT", expect: "^220")),
                    group: "Office",
                    interval: .seconds(10),
                    thresholds: Thresholds(rise: 2, fall: 5)
                ).withPath,
            ]
        )
    }

    @Test func `options of several methods in the defaults apply to matching targets`() throws {
        let settings = try read(
            """
            [defaults]
            icmp = { size = 1400, ttl = 3, dscp = 46 }
            tcp = { expect = "^SSH-2" }
            [[target]]
            url = "icmp://192.0.2.1"
            icmp.ttl = 255
            [[target]]
            url = "tcp://192.0.2.1:22"
            """
        )
        #expect(
            settings.targets.map(\.question) == [
                .icmp(host: "192.0.2.1", ICMPOptions(size: 1_400, ttl: 255, dscp: 46)),
                .tcp(host: "192.0.2.1", port: 22, TCPOptions(expect: "^SSH-2")),
            ]
        )
    }

    @Test(arguments: [("500ms", 1_000), ("50ms", 500), ("10s", 1_000)])
    func `the default timeout of icmp is at most ten intervals`(
        interval: String,
        milliseconds: Int
    ) throws {
        let settings = try read("[[target]]\nurl = \"192.0.2.1\"\ninterval = \"\(interval)\"")
        #expect(settings.targets.map(\.timeout) == [.milliseconds(milliseconds)])
    }

    @Test func `the timeout of icmp may be ten intervals`() throws {
        let settings = try read("[[target]]\nurl = \"192.0.2.1\"\ninterval = \"200ms\"\ntimeout = \"2s\"")
        #expect(settings.targets.map(\.timeout) == [.seconds(2)])
    }

    @Test func `a timeout is not compared with an invalid interval`() {
        let problems = problems("[[target]]\nurl = \"nas.local:445\"\ninterval = 9\ntimeout = \"8s\"")
        #expect(problems.map(\.line) == [3])
    }

    @Test func `problems have a position, key path, message and hint`() throws {
        let problem = try #require(problems("[[target]]\nname = \"NAS\"\nurl = \"a:1\"\nfall = 0").first)
        #expect(problem.line == 4)
        #expect(problem.column == 8)
        #expect(problem.keyPath == "target \"NAS\": fall")
        #expect(problem.message == "0 is out of range")
        #expect(problem.hint == "at least 1")
    }

    @Test func `a byte order mark and carriage returns are accepted`() {
        let problems = problems("\u{FEFF}[[target]]\r\nurl = \"a:1\"\r\nfall = 0\r\n")
        #expect(problems.map(\.description) == ["file:3:8: target \"a:1\": fall: 0 is out of range – at least 1"])
    }

    @Test func `a NUL is reported`() {
        let problems = problems("[[target]]\nurl = \"a:1\" # \0\n[[target]]\nurl = \"b:1\"")
        #expect(problems.map(\.line) == [2])
    }

    @Test(arguments: [
        LongText("a = " + String(repeating: "[", count: 100_000)),
        LongText("a = " + String(repeating: "{a=", count: 100_000)),
        LongText("a" + String(repeating: ".a", count: 20_000) + " = 1"),
        LongText("[a" + String(repeating: ".a", count: 20_000) + "]"),
        LongText("a = " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40)),
    ])
    func `text that is nested too deeply is one problem`(long: LongText) {
        #expect(problems(long.text).map(\.line) == [1])
    }

    @Test func `control characters in the file are escaped in problems`() {
        let problems = problems("[[target]]\nurl = \"a:1\"\n\"in\\u001b[2Jterval\" = \"2s\"")
        #expect(problems.map(\.message) == ["unknown key \"in\u{1B}[2Jterval\""])
        #expect(problems.allSatisfy { !$0.description.unicodeScalars.contains("\u{1B}") })
    }
}

/// Reads settings from a text.
func read(_ text: String, environment: [String: String] = [:]) throws -> Settings {
    try SettingsReader(file: "file", environment: environment).settings(from: text)
}

/// Returns the problems of a text.
func problems(_ text: String, environment: [String: String] = [:]) -> [SettingsProblem] {
    do {
        _ = try SettingsReader(file: "file", environment: environment).settings(from: text)
        return []
    } catch .problems(let problems) {
        return problems
    } catch {
        return [SettingsProblem(file: "file", message: "\(error)")]
    }
}

struct HistorySettingsTests {
    private func settings(_ text: String) throws -> Settings {
        try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: text)
    }

    private func problems(_ text: String) -> [String] {
        do throws(SettingsFailure) {
            _ = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: text)
            return []
        } catch {
            return error.lines
        }
    }

    private static let target = "[[target]]\nname = \"Storage\"\nurl = \"nas.local:445\"\n"

    @Test func `by default, a history is kept`() throws {
        let stored = try settings(Self.target).stored
        #expect(stored == HistorySettings() && stored.isOn)
        #expect(stored.minutes == .seconds(30 * 86_400) && stored.events == .seconds(730 * 86_400))
    }

    @Test func `the history is switched off by a text, and its spans are keys of a table`() throws {
        #expect(try !settings("history = \"off\"\n\(Self.target)").stored.isOn)
        #expect(try settings("history = \"on\"\n\(Self.target)").stored.isOn)
        let stored = try settings("[history]\nevents = \"365d\"\nminutes = \"7d\"\nhours = \"90d\"\n\(Self.target)")
            .stored
        let days = [stored.events, stored.minutes, stored.hours].map { ($0 / .seconds(86_400)).rounded() }
        #expect(days == [365, 7, 90])
    }

    @Test func `a target has its former name`() throws {
        let targets = try settings("\(Self.target)formerly = \"NAS\"\n").targets
        #expect(targets.map(\.formerly) == ["NAS"])
    }

    @Test(arguments: [
        ("history = \"offf\"", "1:11: history: unknown history \"offf\" – did you mean \"off\"?"),
        ("[history]\nminutes = \"1h\"", "2:11: history.minutes: \"1h\" is too short"),
        ("[history]\nminute = \"30d\"", "2:1: history: unknown key \"minute\" – did you mean \"minutes\"?"),
        ("[history]\nfile = \"x\"", "2:1: history: unknown key \"file\" – the file is always"),
    ])
    func `problems are reported with their position`(text: String, problem: String) {
        let lines = problems("\(text)\n\(Self.target)")
        #expect(lines.count == 1 && lines[0].hasPrefix("dashboard.toml:\(problem)"), "\(lines)")
    }
}

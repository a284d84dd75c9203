import ReachMonitoring
import Testing

@testable import ReachSettings

/// Templates, tags, groups, and targets that are not enabled.
struct SharedSettingsTests {
    private func result(_ text: String) -> SettingsReader.ReadResult {
        SettingsReader(file: "dashboard.toml", environment: [:]).result(of: text)
    }

    private func warnings(_ text: String) throws -> [String] {
        let result = result(text)
        #expect(result.problems.map(\.description) == [])
        return result.warnings.map(\.description)
    }

    @Test func `a target has the keys of defaults, group and template, each after the template of its group`() throws {
        let settings = try result(
            """
            [defaults]
            rise = 2
            fall = 2
            slow = "2s"
            lossy = 0.2
            interval = "2s"
            [template.base]
            fall = 3
            slow = "3s"
            lossy = 0.3
            interval = "3s"
            http = { follow = 3, headers = { A = "3" } }
            [template.web]
            lossy = 0.5
            interval = "5s"
            http = { retries = 5 }
            [[template.web.hooks]]
            on = "down"
            run = "true"
            [group.G]
            template = "base"
            slow = "4s"
            lossy = 0.4
            interval = "4s"
            [[target]]
            url = "https://h.example/"
            group = "G"
            template = "web"
            interval = "6s"
            http = { headers = { a = "6" } }
            """
        ).settings()
        let target = settings.targets[0]
        #expect(target.thresholds == Thresholds(rise: 2, fall: 3, slow: .seconds(4), lossy: 0.5))
        #expect(target.interval == .seconds(6))
        #expect(target.hooks.map(\.events) == [[.down]])
        guard case .http(let question) = target.question else { return }
        #expect(question.options.follow == 3 && question.options.retries == 5)
        #expect(question.options.headers.map(\.value) == ["6"])
    }

    @Test func `tags of all levels apply together, each once`() throws {
        let settings = try result(
            """
            [defaults]
            tags = "prod"
            [template.T]
            tags = ["web"]
            [group.G]
            tags = ["zürich", "prod"]
            [[target]]
            url = "192.0.2.1"
            group = "G"
            template = "T"
            tags = ["db-1", "web"]
            [[target]]
            url = "192.0.2.2"
            tags = []
            """
        ).settings()
        #expect(settings.targets.map(\.tags) == [["prod", "zürich", "web", "db-1"], ["prod"]])
    }

    @Test func `a target that is not enabled is checked, and is no target`() throws {
        let text = """
            [group.G]
            enabled = false
            [[target]]
            name = "A"
            url = "192.0.2.1"
            group = "G"
            [[target]]
            name = "B"
            url = "192.0.2.2"
            group = "G"
            enabled = true
            depends_on = ["A", "link"]
            [[target]]
            name = "C"
            url = "h.example"
            family = "both"
            enabled = false
            [[target]]
            name = "D"
            url = "192.0.2.4"
            depends_on = ["C IPv4", "B"]
            """
        let settings = try result(text).settings()
        #expect(settings.targets.map(\.name) == ["B", "D"])
        #expect(settings.disabledTargets == ["A", "C"])
        #expect(settings.targets.map(\.dependsOn) == [[.link], [.target("B")]])
        #expect(
            try warnings(text) == [
                "dashboard.toml:12:15: target \"B\": depends_on: warning: \"A\" is not enabled, and blocks nothing – enable it, or remove it here",
                "dashboard.toml:21:15: target \"D\": depends_on: warning: \"C IPv4\" is not enabled, and blocks nothing – enable it, or remove it here",
            ]
        )
        let problems = result(text + "\n[[target]]\nurl = \"x:\"\nenabled = false\ninterval = 5\ndepends_on = \"E\"")
            .problems
        #expect(problems.count == 3)
        let all = text.replacing("enabled = true", with: "").replacing(
            "\"192.0.2.4\"",
            with: "\"192.0.2.4\"\nenabled = false"
        )
        #expect(
            result(all).problems.map(\.description) == [
                "dashboard.toml: no target is enabled – remove enabled = false from one"
            ]
        )
    }

    @Test(arguments: [
        ("Home", "Hmoe", true), ("Home", "home", true), ("LAN", "lan", true), ("LAN", "WAN", false),
        ("Home", "Hme", true), ("WLAN", "LAN", false),
        ("Rack 1", "Rack 2", false), ("Rack 1", "Rakc 1", true), ("Home", "Office", false), ("Home", "Home", false),
    ])
    func `a group that is spelt nearly like a declared one is a problem`(declared: String, name: String, isNear: Bool) {
        let problems = result(
            "[group.\"\(declared)\"]\nfall = 2\n[[target]]\nurl = \"192.0.2.1\"\ngroup = \"\(name)\"\n"
        ).problems.map(\.description)
        let key = name.contains(" ") ? "\"\(name)\"" : name
        let problem =
            "dashboard.toml:5:9: target \"192.0.2.1\": group: unknown group \"\(name)\" – did you mean \"\(declared)\"? For a new one, write [group.\(key)]"
        #expect(problems == (isNear ? [problem] : []))
    }

    /// A thousand targets of one table each, with more keys.
    private func targets(_ keys: String = "", url: (Int) -> String = { "tcp://h\($0).example:80" }) -> String {
        (1...1_000).map { "[[target]]\nname = \"T\($0)\"\nurl = \"\(url($0))\"\n\(keys)\n" }.joined()
    }

    private func problems(_ text: String) -> [String] { result(text).problems.map(\.description) }

    @Test func `a mistake in a table that targets share is reported once, with their number`() {
        let limit = "at most \"2s\", or a longer interval"
        #expect(
            problems("[defaults]\ntimeout = \"50s\"\n" + targets()) == [
                "dashboard.toml:2:11: defaults.timeout: 50s is longer than the interval of 2s, in 1000 targets, such as target \"T1\" – \(limit)"
            ]
        )
        #expect(
            problems("[group.G]\ntimeout = \"50s\"\n" + targets("group = \"G\"")) == [
                "dashboard.toml:2:11: group \"G\": timeout: 50s is longer than the interval of 2s, in 1000 targets, such as target \"T1\" – \(limit)"
            ]
        )
        #expect(
            problems("[defaults]\ntimeout = \"3s\"\n[template.T]\ninterval = \"1s\"\n" + targets("template = \"T\""))
                == [
                    "dashboard.toml:4:12: template \"T\": interval: 3s is longer than the interval of 1s, in 1000 targets, such as target \"T1\" – at most \"1s\", or a longer interval"
                ]
        )
        #expect(
            problems("[defaults]\nsource = \"192.0.2.1\"\n" + targets { "tcp://[2001:db8::\($0)]:80" }) == [
                "dashboard.toml:2:10: defaults.source: 192.0.2.1 is an IPv4 address, but the target is probed by IPv6, in 1000 targets, such as target \"T1\" – the name of an interface serves both"
            ]
        )
        #expect(
            problems("[defaults]\ntls = { key = \"k.pem\" }\n" + targets { "https://h\($0).example/" }) == [
                "dashboard.toml:2:15: defaults.tls.key: a key without a certificate, in 1000 targets, such as target \"T1\" – tls = { cert = \"client.pem\", key = … }"
            ]
        )
        let answers = targets("dns = { answer = \"192.0.2.1\" }") { "dns://192.0.2.53/h\($0).example" }
        #expect(
            problems("[defaults]\ndns = { rcode = \"NXDOMAIN\" }\n" + answers) == [
                "dashboard.toml:2:17: defaults.dns.rcode: cannot be combined with rcode NXDOMAIN, which has no answer, in 1000 targets, such as target \"T1\" – dns = { answer = \"…\", rcode = \"NOERROR\" }"
            ]
        )
        let each = targets("addresses = \"each\"") { "http://h\($0).example/" }
        #expect(
            problems("[defaults]\nhttp = { proxy = \"http://p:1\" }\n" + each) == [
                "dashboard.toml:2:18: defaults.http.proxy: cannot be combined with a proxy, in 1000 targets, such as target \"T1\" – remove it, or proxy = \"none\""
            ]
        )
        #expect(
            problems(targets("template = \"T\"")) == [
                "dashboard.toml:4:12: target \"T1\": template: unknown template \"T\", in 1000 tables – write [template.T] with the keys of the template"
            ]
        )
    }

    @Test func `of methods with different intervals, the strictest limit of a shared timeout is reported`() {
        let text = """
            [defaults]
            timeout = "50s"
            [[target]]
            name = "A"
            url = "https://a.example/"
            [[target]]
            urls = ["tcp://h{1..5}.example:80", "dns://192.0.2.53/a.example"]
            [[target]]
            name = "C"
            url = "tcp://c.example:80"
            interval = "1m"
            """
        #expect(
            problems(text) == [
                "dashboard.toml:2:11: defaults.timeout: 50s is longer than the interval of 2s, in 7 targets, such as target 2 – at most \"2s\", or a longer interval"
            ]
        )
    }

    @Test func `a mistake in the defaults hides no other one`() {
        let text = """
            [defaults]
            interval = "10"
            timeout = "5x"
            fall = 0
            [template.T]
            fall = "x"
            [[target]]
            name = "A"
            url = "tcp://a.example:80"
            interval = "1s"
            timeout = "2s"
            [[target]]
            name = "B"
            url = "tcp://b.example:80"
            template = "T"
            timeout = "3"
            [[target]]
            name = "C"
            url = "tcp://c.example:80"
            timeout = "3s"
            """
        #expect(
            problems(text) == [
                "dashboard.toml:2:12: defaults.interval: \"10\" has no unit – did you mean \"10s\"?",
                "dashboard.toml:3:11: defaults.timeout: invalid duration \"5x\" – such as \"250ms\", \"5s\", \"2m\", \"1h30m\", \"3d\"",
                "dashboard.toml:4:8: defaults.fall: 0 is out of range – at least 1",
                "dashboard.toml:6:8: template \"T\": fall: expected a whole number, found a string",
                "dashboard.toml:11:11: target \"A\": timeout: 2s is longer than the interval of 1s – at most \"1s\", or a longer interval",
                "dashboard.toml:16:11: target \"B\": timeout: \"3\" has no unit – did you mean \"3s\"?",
            ]
        )
        // The timeout may be right for the interval of an unknown template.
        let unknown = "[[target]]\nname = \"A\"\nurl = \"tcp://a.example:80\"\ntemplate = \"U\"\ntimeout = \"9s\"\n"
        #expect(problems(unknown).count == 1)
        #expect(problems(unknown + "interval = \"1s\"\n").count == 2)
    }

    @Test func `a template without a use is a warning`() throws {
        #expect(
            try warnings("[template.T]\nfall = 2\n[[target]]\nurl = \"192.0.2.1\"") == [
                "dashboard.toml:1:11: template \"T\": warning: nothing uses this template – write template = \"T\" below a [[target]], or remove the template"
            ]
        )
    }

    @Test func `a renamed target is renamed in the dependencies of a template`() throws {
        let text = "[template.T]\ndepends_on = ['A']\n[[target]]\nname = 'A'\nurl = 'h.example'\n"
        let editor = SettingsEditor(SettingsReader(file: "dashboard.toml", environment: [:]))
        let renamed = try editor.text(text, with: .change("A", [.name: "B"]), isNew: true)
        #expect(renamed == text.replacing("'A'", with: "'B'"))
    }
}

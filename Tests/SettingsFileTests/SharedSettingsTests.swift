import Monitoring
import Testing

@testable import SettingsFile

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
        let problem =
            "dashboard.toml:5:9: target \"192.0.2.1\": group: unknown group \"\(name)\" – did you mean \"\(declared)\"? A new one needs [group.NAME]"
        #expect(problems == (isNear ? [problem] : []))
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

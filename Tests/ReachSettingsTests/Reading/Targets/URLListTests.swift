import ReachMonitoring
import Testing

@testable import ReachSettings

/// Tables with a list of URLs.
struct URLListTests {
    private func result(_ text: String, environment: [String: String] = [:]) -> SettingsReader.ReadResult {
        SettingsReader(file: "dashboard.toml", environment: environment).result(of: text)
    }

    @Test(arguments: ["icmp://10.0.0.{1..5}", "10.0.0.0/29", "tcp://10.0.0.0/29:22", "icmp://{a,b}.example"])
    func `several targets in url belong into urls`(url: String) {
        let text = "[[target]]\nname = 'A'\nurl = '\(url)'\n"
        let problems = SettingsReader(file: "dashboard.toml", environment: [:]).result(of: text).problems
        #expect(
            problems.map(\.description) == [
                "dashboard.toml:3:7: target \"A\": url: several targets in one URL – urls = [\"\(url)\"]"
            ]
        )
    }

    @Test(arguments: [
        // With the name, with the host several times, and from the URL alone.
        (
            "name = '\(String(repeating: "n", count: 250))'\nurls = ['icmp://{a,b}.example']",
            "target \"\(String(repeating: "n", count: 250))\": urls", 260, "a shorter name"
        ),
        (
            "name = '\(String(repeating: "{}", count: 30))'\nurls = ['icmp://10.0.0.{1..99}']",
            "target \"\(String(repeating: "{}", count: 30))\": urls", 270, "a shorter name"
        ),
        (
            "urls = ['http://a/\(String(repeating: "p", count: 254))', 'http://a/\(String(repeating: "p", count: 255))']",
            "target 1: urls", 257, "write url, with a shorter name"
        ),
        (
            "url = 'http://a/\(String(repeating: "p", count: 255))'", "target 1: url", 257,
            "add a shorter one, such as name = \"Shop\""
        ),
    ])
    func `names from URLs have at most 256 bytes`(keys: String, about: String, count: Int, hint: String) {
        let problems = result("[[target]]\n\(keys)\n").problems.map(\.description)
        let problem = "the name from the URL has \(count) bytes, at most 256 are allowed"
        #expect(problems.count == 1 && problems[0].hasSuffix("\(about): \(problem) – \(hint)"), "\(problems)")
    }

    @Test func `a name from a URL of 256 bytes, and a short name for a long URL, are valid`() {
        let path = String(repeating: "p", count: 254)
        #expect(result("[[target]]\nurls = ['http://a/\(path)']\n").problems.isEmpty)
        #expect(result("[[target]]\nname = 'A'\nurl = 'http://a/\(path)\(path)'\n").problems.isEmpty)
    }

    @Test func `a range with leading zeros is no list of addresses`() {
        let text = "[[target]]\nname = 'A'\nurls = ['icmp://127.0.0.{08..11}']\n"
        let problems = SettingsReader(file: "dashboard.toml", environment: [:]).result(of: text).problems
        #expect(
            problems.map(\.description) == [
                "dashboard.toml:3:9: target \"A\": urls: \"icmp://127.0.0.08\": ambiguous address: leading zero – "
                    + "write 127.0.0.8"
            ]
        )
    }

    private func failure(_ text: String) -> URLPattern.Failure? {
        do throws(URLPattern.Failure) {
            _ = try URLPattern(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("h.example", ["h.example"]),
        ("h{8..11}", ["h8", "h9", "h10", "h11"]),
        ("h{08..11}", ["h08", "h09", "h10", "h11"]),
        ("h{1..003}", ["h001", "h002", "h003"]),
        ("h{0..0}", ["h0"]),
        ("{a,b}.{1..2}.example:22", ["a.1.example:22", "a.2.example:22", "b.1.example:22", "b.2.example:22"]),
        ("10.1.0.0/30", ["10.1.0.1", "10.1.0.2"]),
        ("10.1.0.4/31", ["10.1.0.4", "10.1.0.5"]),
        ("10.1.0.5/32", ["10.1.0.5"]),
        (
            "tcp://10.1.{0,9}.0/30:22",
            ["tcp://10.1.0.1:22", "tcp://10.1.0.2:22", "tcp://10.1.9.1:22", "tcp://10.1.9.2:22"]
        ),
        ("2001:db8::/126", ["2001:db8::1", "2001:db8::2", "2001:db8::3"]),
        ("tls://[2001:db8::fe]/127", ["tls://[2001:db8::fe]", "tls://[2001:db8::ff]"]),
        ("icmp://2001:db8::/127", ["icmp://[2001:db8::]", "icmp://[2001:db8::1]"]),
        ("http://10.1.0.0/30", ["http://10.1.0.0/30"]),
        ("h.example/24", ["h.example/24"]),
    ])
    func `a pattern is expanded`(text: String, urls: [String]) throws {
        #expect(try URLPattern(text).urls == urls)
    }

    @Test(arguments: [
        ("h{1..1000000}", "1000000 targets are too many for one table"),
        ("h{1..999999999}{1..999999999}", "more than a trillion targets are too many for one table"),
        ("10.0.0.0/8", "16777214 targets are too many for one table"),
        ("10.0.0.0/19", "8190 targets are too many for one table"),
        ("0.0.0.0/0", "4294967294 targets are too many for one table"),
        ("::/0", "more than a trillion targets are too many for one table"),
        ("2001:db8::/64", "more than a trillion targets are too many for one table"),
        ("10.{0..9}.0.0/22", "5110 targets are too many for one table"),
        ("h{1..5", "\"{\" without \"}\""), ("h5}", "\"}\" without \"{\""), ("h{{1,2},3}", "braces inside braces"),
        ("h{1}", "\"{1}\" is neither a range nor a list"), ("h{}", "\"{}\" is neither a range nor a list"),
        ("h{a,}", "\"{a,}\" is neither a range nor a list"), ("h{a..c}", "invalid range \"{a..c}\""),
        ("h{-1..2}", "invalid range \"{-1..2}\""), ("h{1..1234567890}", "invalid range \"{1..1234567890}\""),
        ("h{5..1}", "the range \"{5..1}\" is backwards"), ("10.1.0.0/33", "/33 is out of range"),
        ("10.1.0.5/28", "10.1.0.5/28 is not the first address of a network"),
        ("2001:db8::1/64", "2001:db8::1/64 is not the first address of a network"),
    ])
    func `an invalid or too large pattern is a failure, and is not expanded`(text: String, message: String) {
        #expect(failure(text)?.message == message)
    }

    @Test func `the largest pattern is expanded`() throws {
        #expect(try URLPattern("h{1..4096}").urls.count == 4_096)
        #expect(try URLPattern("10.0.0.0/20").urls.count == 4_094)
    }

    @Test func `a list has a target for each URL, with the keys of its table`() throws {
        let settings = try result(
            """
            [[target]]
            urls = ["icmp://10.0.0.{1..3}", "10.1.0.0/30", "nas.local:445"]
            fall = 7
            group = "LAN"
            [[target]]
            name = "Web"
            urls = "https://web{01..02}.example/health"
            [[target]]
            name = "Rack {} (north)"
            urls = ["icmp://r1", "icmp://r2"]
            depends_on = ["10.0.0.2", "Web web01.example/health"]
            """
        ).settings()
        let names = [
            "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.1.0.1", "10.1.0.2", "nas.local:445", "Web web01.example/health",
            "Web web02.example/health", "Rack r1 (north)", "Rack r2 (north)",
        ]
        #expect(settings.targets.map(\.name) == names)
        #expect(settings.targets.prefix(6).allSatisfy { $0.group == "LAN" && $0.thresholds.fall == 7 })
        #expect(settings.targets.last?.dependsOn.count == 2)
    }

    @Test func `variables are substituted before ranges, and are not shown`() throws {
        let settings = try result(
            "[[target]]\nurls = 'icmp://${NET}.{1..2}'\n[[target]]\nname = 'N ${ROOM}'\nurls = 'h{1..2}.example'",
            environment: ["NET": "10.20.30", "ROOM": "7"]
        ).settings()
        #expect(settings.targets.map(\.name) == ["10.20.30.1", "10.20.30.2", "N 7 h1.example", "N 7 h2.example"])
        let labels = settings.targets.map(settings.redaction.label)
        #expect(labels == ["${NET}.{1..2}", "${NET}.{1..2} (2)", "N ${ROOM} h1.example", "N ${ROOM} h2.example"])
        #expect(settings.redaction.url(of: settings.targets[1]) == "icmp://${NET}.{1..2}")
    }

    @Test func `a list that is too long is one problem with the number of its targets`() {
        let urls = (1...5_000).map { "'h\($0):1'" }.joined(separator: ", ")
        #expect(
            result("[[target]]\nurls = [\(urls), 'k{1..2}']\n").problems.map(\.description) == [
                "dashboard.toml:2:8: target 1: urls: 5002 targets are too many for one table – at most 4096; a narrower "
                    + "range, or several tables"
            ]
        )
    }

    @Test(arguments: [
        ("http://10.0.0.0/28", true), ("redis://10.1.0.0/30", true), ("redis://10.1.0.5/3", false),
        ("http://h.example/28", false), ("tcp://10.0.0.0/28:22", false), ("http://10.0.0.0/32", false),
    ])
    func `a network of a method with paths is a warning`(url: String, isWarned: Bool) {
        let warnings = result("[[target]]\nurls = ['\(url)']\n").warnings.map(\.description)
        let warning = "dashboard.toml:2:9: target 1: urls: warning: one host with a path, not a network"
        #expect(warnings.map { $0.hasPrefix(warning) } == (isWarned ? [true] : []), "\(warnings)")
    }

    @Test func `all lists together are bounded`() {
        let table = "[[target]]\nname = \"N%\"\nurls = 'icmp://h{1..4096}'\n"
        let text = (1...20).map { table.replacing("%", with: "\($0)") }.joined()
        let problems = result(text).problems
        #expect(
            problems.map(\.description) == [
                "dashboard.toml:51:8: target \"N17\": urls: more than 65536 targets in lists – narrower ranges"
            ]
        )
    }

    @Test func `a target of a list is changed in the file, and another one can be added below it`() throws {
        let text = "[[target]]\nurls = ['10.0.0.{1..3}']\ngroup = 'G'\n[[target]]\nurl = '192.0.2.1'\n"
        let editor = SettingsEditor(SettingsReader(file: "dashboard.toml", environment: [:]))
        for edit in [SettingsEdit.change("10.0.0.2", [.name: "A"]), .remove("10.0.0.2")] {
            let refusal = #expect(throws: EditRefusal.self) { try editor.text(text, with: edit) }
            #expect(refusal?.description == "\"10.0.0.2\" is one of 3 targets of a list – change urls in the file")
        }
        #expect(throws: EditRefusal.self) { try editor.fields(of: "10.0.0.2", in: text) }
        let added = try editor.text(text, with: .add([.url: "192.0.2.9"], below: "10.0.0.2"))
        #expect(added.contains("group = 'G'\n\n[[target]]\nurl = \"192.0.2.9\"\ngroup = 'G'\n"), "\(added)")
        #expect(try editor.text(text, with: .change("192.0.2.1", [.name: "A"])).contains("name = 'A'"))
    }
}

/// International domain names in the settings.
struct InternationalNameSettingsTests {
    @Test func `targets are named as typed, and probed by the names in ASCII`() throws {
        let text = """
            [[target]]
            url = "icmp://bücher.test"
            depends_on = ["bücher.test:80", "link"]
            [[target]]
            url = "${HOST}:22"
            [[target]]
            urls = ["{bücher,faß}.test:80", "dns://192.0.2.53/Müller.test"]
            [[target]]
            name = "Web {}"
            urls = ["https://straße.test/"]
            tls = { server_name = "Straße.test" }
            http = { proxy = "http://prüfung.test:3128" }
            """
        let settings = try SettingsReader(file: "d", environment: ["HOST": "größe.test"]).settings(from: text)
        #expect(
            settings.targets.map { "\($0.name) \($0.question.url)" } == [
                "bücher.test icmp://xn--bcher-kva.test", "größe.test:22 tcp://xn--gre-6ka8i.test:22",
                "bücher.test:80 tcp://xn--bcher-kva.test:80", "faß.test:80 tcp://xn--fa-hia.test:80",
                "192.0.2.53/Müller.test dns://192.0.2.53/xn--mller-kva.test?type=A",
                "Web straße.test https://xn--strae-oqa.test/",
            ]
        )
        guard case .http(let web)? = settings.targets.last?.question else { return #expect(Bool(false)) }
        #expect(web.tls.serverName == "xn--strae-oqa.test" && web.proxy?.host == "xn--prfung-4ya.test")
    }

    @Test func `services, and targets of lists`() throws {
        let text = "[[source]]\ndns = \"_http._tcp.bücher.test\"\n[[source]]\nfile = \"a.json\"\n"
        let settings = try SettingsReader(file: "d", environment: [:]).settings(from: text)
        #expect(settings.sources[0].kind.name.contains("_http._tcp.xn--bcher-kva.test"))
        let targets = try settings.sources[1].targets(DiscoveredTarget(["__address__": "bücher.test:80"]))
        #expect(targets.map { "\($0.name) \($0.question.url)" } == ["bücher.test:80 tcp://xn--bcher-kva.test:80"])
        for invalid in [
            "[[source]]\ndns = \"_http._tcp.אa.test\"",
            "[[target]]\nurl = \"tls://a\"\ntls = { server_name = \"אa.test\" }",
        ] {
            #expect(throws: SettingsFailure.self) {
                try SettingsReader(file: "d", environment: [:]).settings(from: invalid)
            }
        }
    }
}

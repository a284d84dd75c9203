import ReachMonitoring
import Testing

@testable import ReachSettings

/// The tables of sources.
struct SourceSettingsTests {
    private func read(_ text: String, environment: [String: String] = [:]) throws -> Settings {
        try SettingsReader(file: "etc/dashboard.toml", environment: environment).settings(from: text)
    }

    private func problems(_ text: String) -> [String] {
        do throws(SettingsFailure) {
            _ = try SettingsReader(file: "d.toml", environment: [:]).settings(from: text)
            return []
        } catch {
            return error.lines
        }
    }

    /// The targets that settings make of one target with these labels.
    private func targets(_ text: String, _ labels: [String: String]) throws -> [Target] {
        let source = try #require(try read(text).sources.first)
        return try source.targets(DiscoveredTarget(labels))
    }

    private func problem(_ text: String, _ labels: [String: String]) -> String? {
        let error = #expect(throws: DiscoveryProblem.self) { try targets(text, labels) }
        return error?.description
    }

    private let file = "[[source]]\nfile = \"t/*.json\"\n"

    @Test func `each kind of source is read with its defaults`() throws {
        let settings = try read(
            """
            [[source]]
            file = "targets/*.json"
            [[source]]
            http = "https://sd.example/targets?x=1"
            refresh = "30s"
            refresh_timeout = "2s"
            ca = "ca.pem"
            cert = "client.pem"
            [[source]]
            command = ["list", "targets"]
            [[source]]
            prometheus = "http://127.0.0.1:9090/prom/"
            [[source]]
            dns = "_http._tcp.example.com"
            servers = ["192.0.2.53", "[2001:db8::53]:5353"]
            """
        )
        var request = DiscoveryRequest(url: "https://sd.example/targets?x=1")
        (request.authorities, request.certificate) = ("etc/ca.pem", "etc/client.pem")
        #expect(
            settings.sources.map(\.kind) == [
                .files(pattern: "targets/*.json", directory: "etc/"), .http(request),
                .command(.program("list", arguments: ["targets"])),
                .prometheus(DiscoveryRequest(url: "http://127.0.0.1:9090/prom/")),
                .services("_http._tcp.example.com", servers: ["192.0.2.53", "[2001:db8::53]:5353"]),
            ]
        )
        #expect(settings.sources.map(\.refresh) == [5, 30, 60, 60, 300].map { .seconds($0) })
        #expect(settings.sources.map(\.timeout) == [5, 2, 10, 10, 10].map { .seconds($0) })
        #expect(settings.sources.map(\.type) == ["file", "http", "command", "prometheus", "dns"])
        #expect(settings.sources[1].name == "https://sd.example/targets")
        #expect(settings.targets.isEmpty && settings.ownTargets.isEmpty)
    }

    @Test func `the address is the URL by default, and job is the group`() throws {
        for (address, url) in [
            ("a", "icmp://a"), ("a:80", "tcp://a:80"), ("[::1]:80", "tcp://[::1]:80"), ("https://a/x", "https://a/x"),
        ] {
            let targets = try targets(file, ["__address__": address, "job": "node"])
            #expect(targets.map(\.question.url) == [url] && targets.map(\.group) == ["node"])
            #expect(targets.map(\.name) == [targets.first?.question.title])
        }
    }

    @Test func `URL, name, group and tags have labels, and the keys of group, template and source apply`() throws {
        let text = """
            [defaults]
            fall = 7
            tags = ["all"]
            [group.prod]
            slow = "50ms"
            rise = 4
            [template.web]
            interval = "30s"
            http = { follow = 2 }
            [[source]]
            file = "t/*.yml"
            url = "https://${label:__host__}/health"
            name = "${label:instance:-none} in ${label:dc}"
            group = "${label:env}"
            tags = ["dc:${label:dc}", "${label:none}", "fixed"]
            template = "web"
            rise = 5
            [[source.hooks]]
            on = "down"
            run = "true"
            """
        let labels = ["__address__": "a.example:9100", "dc": "fra 1", "env": "prod"]
        let target = try #require(try targets(text, labels).first)
        #expect(target.question.url == "https://a.example/health" && target.name == "none in fra 1")
        #expect(target.group == "prod" && target.tags == ["all", "dc:fra-1", "fixed"])
        #expect(target.interval == .seconds(30) && target.thresholds.fall == 7 && target.thresholds.rise == 5)
        #expect(target.thresholds.slow == .milliseconds(50) && target.hooks.count == 1)
        guard case .http(let question) = target.question else { return }
        #expect(question.options.follow == 2)
    }

    @Test func `a variable of the environment and a label stand side by side`() throws {
        let text = file + "name = \"$${x} ${PAGE} ${label:__address__}\""
        let source = try read(text, environment: ["PAGE": "ready"]).sources[0]
        #expect(try source.targets(DiscoveredTarget(["__address__": "a"])).first?.name == "${x} ready a")
    }

    /// A host without a method would be probed by ICMP, and be up while its web server is down.
    @Test func `a module gives the method, or a target without one is left out`() throws {
        let labels = { (address: String, module: String) in ["__address__": address, "__param_module": module] }
        #expect(try targets(file, labels("a:1", "tls_connect")).first?.question.url == "tls://a:1")
        #expect(try targets(file, labels("a", "icmp")).first?.question.url == "icmp://a")
        #expect(try targets(file, labels("https://a/", "http_2xx")).first?.question.url == "https://a/")
        for module in ["http_2xx", "ssh_banner", "mine"] {
            #expect(problem(file, labels("a", module)) == "\"a\": its module \"\(module)\" is not read – set url")
        }
        let url = file + "url = \"http://${label:__address__}/\""
        #expect(try targets(url, labels("a", "http_2xx")).first?.question.url == "http://a/")
    }

    @Test func `both families are two targets, and one that is not enabled is none`() throws {
        let labels = ["__address__": "a.example:1"]
        #expect(
            try targets(file + "family = \"both\"", labels).map(\.label) == ["a.example:1 IPv4", "a.example:1 IPv6"]
        )
        #expect(try read(file + "enabled = false\n[[target]]\nurl = \"a\"").sources.isEmpty)
        #expect(try targets("[defaults]\nenabled = false\n" + file, labels).isEmpty)
    }

    @Test func `targets that cannot be made have a reason`() {
        #expect(problem(file, ["__address__": "exec:"]) == "commands are only allowed in the settings file")
        let unknown = problem(file, ["__address__": "nope://a"]) ?? ""
        #expect(unknown.hasPrefix("\"nope://a\": unknown method"), "\(unknown)")
        #expect(
            problem(file + "url = \"http://${label:x}/\"", ["__address__": "a"])
                == "no label x – ${label:x:-fallback} has a value without it"
        )
        #expect(
            problem(file + "name = \"${label:x}\"", ["__address__": "a", "x": "a\u{1B}b"])
                == "control character in the name"
        )
        let long = String(repeating: "x", count: 257)
        #expect(
            problem(file + "name = \"${label:x}\"", ["__address__": "a", "x": long])
                == "a name of 257 bytes – at most 256"
        )
        #expect(problem(file, ["__address__": "a", "job": "a\nb"]) == "control character in the name")
        #expect(
            problem(file + "timeout = \"30s\"", ["__address__": "a:1"])
                == "the timeout of 30s is too long for the interval of 2s"
        )
    }

    @Test func `credentials are read again for each request`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("one\n", to: "token", mode: 0o600)
        let text = """
            [[source]]
            http = "http://127.0.0.1:1/"
            bearer = "${file:\(directory.path)/token}"
            headers = { X-Scope = "a" }
            [[source]]
            http = "http://127.0.0.1:2/"
            user = "Aladdin"
            password = "open sesame"
            """
        let sources = try read(text).sources
        let headers = try sources[0].headers()
        #expect(headers.map { "\($0.name): \($0.value)" } == ["X-Scope: a", "Authorization: Bearer one"])
        try directory.write("two\n", to: "token", mode: 0o600)
        #expect(try sources[0].headers().last?.value == "Bearer two")
        try directory.write("", to: "token", mode: 0o600)
        let error = #expect(throws: DiscoveryProblem.self) { try sources[0].headers() }
        #expect(error?.description.hasPrefix("credentials: ") == true)
        // The example of RFC 7617 §2.
        #expect(try sources[1].headers().map(\.value) == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
        guard case .http(let request) = sources[0].kind else { return }
        #expect(request.headerTexts.allSatisfy { !$0.contains("one") })
    }

    @Test(arguments: [
        (
            "[[source]]\nrefresh = \"1m\"",
            "source 1: \"file\" is missing – such as file = \"targets/*.json\", http, command, prometheus or dns"
        ),
        (
            "[[source]]\nfile = \"a.json\"\nhttp = \"http://a/\"",
            "cannot be combined with file – make two [[source]] tables of it"
        ),
        ("[[source]]\nfile = \"a.txt\"", "unknown format of \"a.txt\" – the name ends with .json, .yml or .yaml"),
        ("[[source]]\nfile = \"~/a.json\"", "\"~\" is not expanded"),
        ("[[source]]\nhttp = \"tcp://a:1\"", "expected http or https"),
        (
            "[[source]]\nhttp = \"127.0.0.1:18080/sd.json\"",
            "a URL without http:// or https:// – http://127.0.0.1:18080/sd.json"
        ),
        (
            "[[source]]\nhttp = \"http://u:p@a/\"",
            "http: no password in a URL – write user and password, or headers"
        ),
        (
            "[[source]]\nhttp = \"http://a/\"\nbearer = \"x\\r\\nX-Other: y\"",
            "bearer: control character or line break in the value"
        ),
        ("[[source]]\nhttp = \"u:s3cret@a/?t=s3cret\"", "a URL without http:// or https:// – https://a/"),
        ("[[source]]\nprometheus = \"p:443/x\"", "a URL without http:// or https:// – https://p:443/x"),
        ("[[source]]\nhttp = { status = 200 }", "expected a string, found a table"),
        ("[[source]]\ndns = \"a..b\"", "invalid name \"a..b\""),
        ("[[source]]\ndns = \"a.b\"\nservers = [\"x\"]", "invalid address \"x\""),
        ("[[source]]\nfile = \"a.json\"\nservers = [\"::1\"]", "servers: applies to dns only"),
        ("[[source]]\nfile = \"a.json\"\nbearer = \"x\"", "bearer: applies to http and prometheus only"),
        ("[[source]]\nfile = \"a.json\"\nca = \"x\"", "ca: applies to http and prometheus only"),
        ("[[source]]\nhttp = \"http://a/\"\nuser = \"x\"", "user: user and password belong together"),
        (
            "[[source]]\nhttp = \"http://a/\"\nbearer = \"x\"\nuser = \"x\"\npassword = \"y\"",
            "more than one kind of credentials"
        ),
        ("[[source]]\nfile = \"a.json\"\nurl = \"https://a/\"", "no label in the URL: all targets would be the same"),
        ("[[source]]\nfile = \"a.json\"\nname = \"${label:a-b}\"", "invalid label name \"a-b\""),
        ("[[source]]\nfile = \"a.json\"\ntags = [\"a b\"]", "invalid tag \"a b\""),
        ("[[source]]\nfile = \"a.json\"\ntcp = { send = \"x\" }", "options of methods are in a template"),
        ("[[source]]\nfile = \"a.json\"\nurls = [\"a\"]", "the targets are those of the list"),
        ("[[source]]\nfile = \"a.json\"\nrefresh_timeout = \"1m\"", "\"1m\" is too long – at most \"5s\""),
        ("[[source]]\nfile = \"a.json\"\ntemplate = \"x\"", "unknown template \"x\""),
        ("[[source]]\nfile = \"a.json\"\ndepends_on = [\"x\"]", "unknown target \"x\""),
        ("[[source]]\nfile = \"a.json\"\nintervall = \"2s\"", "unknown key \"intervall\" – did you mean \"interval\"?"),
        ("[[target]]\nurl = \"https://${label:x}/\"", "labels are for url, name, group and tags below [[source]]"),
    ])
    func `a mistake is reported`(text: String, problem: String) {
        let problems = problems(text)
        #expect(problems.contains { $0.contains(problem) }, "\(problems)")
        #expect(problems.count == 1, "\(problems)")
    }

    @Test func `settings with a source need no target, and a command needs a private file`() throws {
        #expect(problems("[[source]]\nfile = \"a.json\"") == [])
        let reader = SettingsReader(file: "d.toml", environment: [:])
        #expect(reader.result(of: "[[source]]\ncommand = \"true\"").hasCommands)
        #expect(!reader.result(of: file).hasCommands)
    }

    @Test func `groups of a source's targets are not reported as unused`() {
        let reader = SettingsReader(file: "d.toml", environment: [:])
        let warnings = { (text: String) in reader.result(of: text).warnings.map(\.keyPath) }
        #expect(warnings("[group.node]\nslow = \"5ms\"\n" + file) == [])
        let fixed = file + "group = \"web\"\n[group.web]\nslow = \"5ms\"\n[group.db]\nslow = \"5ms\""
        #expect(warnings(fixed) == ["group \"db\""])
    }
}

import ReachMonitoring
import ReachSettings
import Testing

struct PrometheusSettingsTests {
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

    @Test func `a URL is enough, and needs no target`() throws {
        let settings = try settings("[[prometheus]]\nurl = \"http://prometheus:9090/api/\"\n")
        #expect(settings.targets.isEmpty)
        let server = try #require(settings.prometheus.first)
        #expect(server.name == "prometheus:9090")
        #expect(server.url == "http://prometheus:9090/api")
        #expect(server.quorum == .majority && server.interval == .seconds(2) && server.timeout == .seconds(10))
        #expect(server.rows == 2_000 && server.staleAfter == .seconds(150) && server.credentials == ServerCredentials())
    }

    @Test func `every key is read`() throws {
        let text = """
            [[hook]]
            on = "down"
            run = "page"
            [group.Web]
            slow = "1s"
              [[group.Web.hooks]]
              on = "up"
              run = "web"
            [[prometheus]]
            name = "fra"
            url = "https://prometheus.example.com"
            probes = 'probe_success{job="web"}'
            round_trips = "probe_duration_seconds"
            target_label = "instance"
            group_label = "job"
            vantage_label = "site"
            quorum = 2
            interval = "5s"
            timeout = "20s"
            stale_after = "3m"
            rows = 500
            user = "reach"
            password_file = "secret"
            ca = "/etc/ca.pem"
            cert = "cert.pem"
            key = "key.pem"
            when_reachable = "cheer"
            """
        let server = try #require(try settings(text).prometheus.first)
        #expect(server.name == "fra" && server.probes == "probe_success{job=\"web\"}")
        #expect(server.roundTrips == "probe_duration_seconds")
        #expect([server.targetLabel, server.groupLabel, server.vantageLabel] == ["instance", "job", "site"])
        #expect(server.quorum == .count(2) && server.rows == 500)
        #expect([server.interval, server.timeout, server.staleAfter] == [.seconds(5), .seconds(20), .seconds(180)])
        let credentials = server.credentials
        #expect(credentials.user == "reach" && credentials.passwordFile == "secret" && credentials.ca == "/etc/ca.pem")
        #expect(credentials.cert == "cert.pem" && credentials.key == "key.pem")
        #expect(server.hooks.map(\.action) == [.command(.shell("cheer")), .command(.shell("page"))])
        #expect(server.groupHooks["Web"]?.map(\.action) == [.command(.shell("web"))])
    }

    @Test(arguments: [
        ("", "1:3: prometheus 1: \"url\" is missing – such as url = \"http://prometheus:9090\""),
        ("url = \"prometheus:9090\"", "2:7: prometheus 1: url: invalid server URL"),
        ("url = \"http://me:secret@p\"", "2:7: prometheus 1: url: no user or password in a URL"),
        ("url = \"http://p/?x\"", "2:7: prometheus 1: url: the URL of a server has no query"),
        ("url = \"http://p\"\nurll = 1", "3:1: prometheus 1: unknown key \"urll\" – did you mean \"url\"?"),
        ("url = \"http://p\"\nquorum = \"most\"", "3:10: prometheus 1: quorum: unknown quorum \"most\" – majority"),
        ("url = \"http://p\"\nquorum = \"129\"", "3:10: prometheus 1: quorum: must be at most 128 – majority"),
        ("url = \"http://p\"\nquorum = 0", "3:10: prometheus 1: quorum: must be at least 1 – majority, all"),
        (
            "url = \"http://p\"\ntarget_label = \"a-b\"",
            "3:16: prometheus 1: target_label: invalid label name \"a-b\""
        ),
        ("url = \"http://p\"\nprobes = \" \"", "3:10: prometheus 1: probes: an expression cannot be empty"),
        ("url = \"http://p\"\nround_trips = \"x\"", "3:15: prometheus 1: round_trips: applies to probes"),
        ("url = \"http://p\"\npassword_file = \"x\"", "1:3: prometheus 1: password_file without user"),
        ("url = \"http://p\"\nuser = \"a\"", "1:3: prometheus 1: user without password_file – add password_file"),
        ("url = \"http://p\"\ntoken_file = \"x\"\nuser = \"y\"", "1:3: prometheus 1: token_file and user cannot"),
        (
            "url = \"http://p\"\n[[prometheus]]\nurl = \"http://p/\"",
            "3:3: prometheus 2: another server has the name \"p\""
        ),
    ])
    func `problems are reported with their position`(text: String, problem: String) {
        let lines = problems("[[prometheus]]\n\(text)\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("dashboard.toml:\(problem)"), "\(lines)")
    }

    @Test func `an Alertmanager has a URL and credentials`() throws {
        let text = """
            [alertmanager]
            url = "https://alertmanager.example.com/am/"
            token_file = "/run/token"
            ca = "/etc/ca.pem"
            cert = "cert.pem"
            key = "key.pem"
            [[prometheus]]
            url = "http://prometheus:9090"
            """
        let alertmanager = try #require(try settings(text).alertmanager)
        #expect(alertmanager.url == "https://alertmanager.example.com/am")
        #expect(alertmanager.name == "alertmanager.example.com")
        let credentials = alertmanager.credentials
        #expect([credentials.tokenFile, credentials.ca] == ["/run/token", "/etc/ca.pem"])
        #expect([credentials.cert, credentials.key] == ["cert.pem", "key.pem"])
        #expect(try settings("[[prometheus]]\nurl = \"http://p\"\n").alertmanager == nil)
    }

    @Test(arguments: [
        ("", "1:2: alertmanager: \"url\" is missing – such as url = \"http://alertmanager:9093\""),
        ("url = \"am:9093\"", "2:7: alertmanager: url: invalid server URL – such as http://alertmanager:9093"),
        ("url = \"http://me:secret@am\"", "2:7: alertmanager: url: no user or password in a URL"),
        ("url = \"http://am\"\nuser = \"x\"\ntoken_file = \"y\"", "1:2: alertmanager: token_file and user cannot"),
        ("url = \"http://am\"\nquorum = 2", "3:1: alertmanager: unknown key \"quorum\""),
    ])
    func `problems of the Alertmanager are reported with their position`(text: String, problem: String) {
        let lines = problems("[alertmanager]\n\(text)\n[[prometheus]]\nurl = \"http://p\"\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("dashboard.toml:\(problem)"), "\(lines)")
    }
}

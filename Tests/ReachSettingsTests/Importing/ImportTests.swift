import ReachMonitoring
import Testing

@testable import ReachSettings

struct ImportTests {
    /// The names and URLs of the imported targets, and the notes.
    private func read(
        _ text: String,
        _ file: String = "list",
        format: ImportFormat? = nil
    ) throws -> (targets: [String], notes: [String]) {
        let imported = try SettingsImport(text, file: file, format: format)
        let settings = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: imported.text)
        #expect(settings.targets.count == imported.targetCount)
        return (settings.targets.map { "\($0.name) \($0.question.url)" }, imported.notes.map(\.description))
    }

    private func failure(_ text: String, _ file: String, format: ImportFormat? = nil) -> [String] {
        do {
            _ = try SettingsImport(text, file: file, format: format)
            return []
        } catch {
            return error.lines
        }
    }

    @Test func `an fping list has a host on each line`() throws {
        let list = """
            # routers
            192.0.2.1
            192.0.2.2 in the cellar

              nas.example
            ::1
            10.0.0.0/24
            192.0.2.1
            """
        let (targets, notes) = try read(list, format: .fping)
        #expect(
            targets == [
                "192.0.2.1 icmp://192.0.2.1", "192.0.2.2 icmp://192.0.2.2", "nas.example icmp://nas.example",
                "::1 icmp://[::1]",
            ]
        )
        #expect(
            notes == [
                "list:7: 10.0.0.0/24: a network, not a host – urls = [\"icmp://10.0.0.0/24\"] in the settings",
                "list:8: 192.0.2.1: the same probe as \"192.0.2.1\" on line 2",
            ]
        )
    }

    @Test func `a list can have as many targets as lists of URLs`() {
        let hosts = (0...65_536).map { "10.\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }.joined(separator: "\n")
        #expect(failure(hosts, "list", format: .fping) == ["list: 65537 targets – at most 65536, split the file"])
    }

    @Test func `duplicates are found among many targets, and invalid ones removed`() throws {
        let lines = (0..<50).map { "10.0.0.\($0)" } + ["10.0.0.7", "10.0.0.0/24"]
        let (targets, notes) = try read(lines.joined(separator: "\n"), format: .fping)
        #expect(targets.count == 50)
        #expect(notes.map { $0.prefix(8) } == ["list:51:", "list:52:"])
    }

    @Test func `a hosts file has names of addresses`() throws {
        let hosts = """
            127.0.0.1\tlocalhost
            127.0.1.1\tmy.example.org\tmy

            # The following lines are desirable for IPv6 capable hosts
            ::1     localhost ip6-localhost ip6-loopback
            fe00::0 ip6-localnet
            ff02::1 ip6-allnodes
            192.0.2.7 nas # in the cellar
            0.0.0.0 ads.example
            300.1.1.1 wrong
            192.0.2.9
            192.0.2.8 nas localhost
            """
        let (targets, notes) = try read(hosts, "/etc/hosts")
        #expect(
            targets == [
                "localhost icmp://127.0.0.1", "my.example.org icmp://127.0.1.1", "ip6-localhost icmp://[::1]",
                "nas icmp://192.0.2.7",
            ]
        )
        #expect(
            notes == [
                "/etc/hosts:6: ip6-localnet: fe00::0 is a reserved address, not a host",
                "/etc/hosts:7: ip6-allnodes: ff02::1 is a multicast address, not a host",
                "/etc/hosts:9: ads.example: 0.0.0.0 is the unspecified address, not a host",
                "/etc/hosts:10: 300.1.1.1: invalid address – such as 192.0.2.1",
                "/etc/hosts:11: 192.0.2.9: no name after the address",
                "/etc/hosts:12: nas: duplicate name – rename it",
            ]
        )
    }

    @Test func `an ssh configuration has hosts with their ports`() throws {
        let configuration = """
            # Defaults before the first host
            User admin

            Host web db-1
                HostName %h.example.com
                Port 2222
            host=nas
                hostname = "192.0.2.7"
                AddressFamily inet
            Host six
                HostName 2001:db8::1
            Host inner
                ProxyJump bastion
            Host direct
                ProxyJump none
            Host odd
                HostName %n.example
            Match user root
                Port 9
            Include work/*.conf
            Host *.corp !gate
                Port 2200
            Host build.corp gate
            Host *
                Port 22
                ForwardAgent no
            """
        let (targets, notes) = try read(configuration, "config")
        #expect(
            targets == [
                "web tcp://web.example.com:2222", "db-1 tcp://db-1.example.com:2222", "nas tcp://192.0.2.7:22",
                "six tcp://[2001:db8::1]:22", "direct tcp://direct:22", "build.corp tcp://build.corp:2200",
                "gate tcp://gate:22",
            ]
        )
        #expect(
            notes == [
                "config:12: inner: only reachable through \"bastion\" – probe that host",
                "config:16: odd: HostName \"%n.example\" has a token – write the name of the host",
                "config:20: Include work/*.conf: other files are not read – import each with --from",
                "config:21: *.corp: a pattern, not a host", "config:21: !gate: a pattern, not a host",
            ]
        )
        let text = try SettingsImport(configuration, file: "config").text
        #expect(text.contains("tcp = { expect = \"(?m)^SSH-\" }\n"))
    }

    @Test(arguments: [
        (
            "targets.json",
            """
            [
            \t{
            \t\t"targets": ["localhost:9090", "example.org:443"],
            \t\t"labels": {
            \t\t\t"job": "node",
            \t\t\t"env": "test"
            \t\t}
            \t},
            \t{ "targets": ["my.domain", "https://shop.example/health", "a b"] },
            \t{ "labels": {} }
            ]
            """
        ),
        (
            "targets.yml",
            """
            - targets:
                - 'localhost:9090'
                - 'example.org:443'
              labels:
                job: node
                env: test


            - targets: ['my.domain', "https://shop.example/health", "a b"]
            - labels: {}
            """
        ),
    ])
    func `a file for Prometheus has groups of targets, in JSON and YAML`(file: String, text: String) throws {
        let (targets, notes) = try read(text, file)
        #expect(
            targets == [
                "localhost:9090 tcp://localhost:9090", "example.org:443 tcp://example.org:443",
                "my.domain icmp://my.domain", "https://shop.example/health https://shop.example/health",
            ]
        )
        #expect(
            notes == [
                "\(file):6: labels: not imported: env",
                "\(file):9: a b: the URL has a blank or a control character in it",
                "\(file):10: a group without targets",
            ]
        )
        let groups = try SettingsReader(file: "f", environment: [:])
            .settings(from: SettingsImport(text, file: file).text).targets.map(\.group)
        #expect(groups == ["node", "node", nil, nil])
    }

    @Test func `the labels of Prometheus for scheme and path make a URL`() throws {
        let text = """
            - targets: ["a.example:9100", "b.example"]
              labels: { __scheme__: https, __metrics_path__: /probe }
            """
        let (targets, notes) = try read(text, "targets.yaml")
        #expect(
            targets == [
                "a.example:9100 https://a.example:9100/probe", "b.example https://b.example/probe",
            ]
        )
        #expect(notes.isEmpty)
    }

    @Test(
        arguments: [
            ("hosts.txt", "192.0.2.1\nnas\n", .fping), ("hosts", "192.0.2.1 nas\n", .hosts),
            ("config", "User me\nHost nas\n", .ssh), ("x.yml", "- targets: [a]\n", .prometheus),
            ("x.json", "[{\"targets\": []}]", .prometheus), ("x.yaml", "ui: {}\nendpoints:\n  - name: a\n", .gatus),
            ("x", "endpoints:\n  - name: a\n", .gatus), ("x", "- targets: [a]\n", .prometheus),
            ("x", "[{\"targets\": []}]", .prometheus), ("x", "", nil), ("x", "one two\nthree\n", nil),
            ("x", "192.0.2.1\n192.0.2.2\nhost name with spaces\n", nil), ("x", "Host=nas\n Port=22\n", .ssh),
            ("x", "Host nas\n  Port 22\n  Typo yes\n", .ssh),
        ] as [(String, String, ImportFormat?)]
    )
    func `the format is detected by name and content`(file: String, text: String, format: ImportFormat?) {
        #expect(ImportFormat(of: text, named: file) == format)
    }

    @Test func `a file of an unknown format, without targets or with invalid YAML is reported`() {
        #expect(
            failure("one two\nthree", "x") == [
                "x: unknown format – name it with --from-format: one of fping, hosts, ssh, prometheus, gatus"
            ]
        )
        #expect(failure("", "x") == ["x: no targets in the file"])
        #expect(failure("\n# nothing\n", "x") == ["x: no targets in the file"])
        #expect(failure("# none", "x", format: .fping) == ["x: no targets in an fping list"])
        #expect(
            failure("- targets: [a", "x.yml") == [
                "x.yml:2:1: invalid YAML: while parsing a flow sequence from line 1: did not find expected ',' or ']'"
            ]
        )
        #expect(
            failure("endpoints:\n\t- name: a", "x.yml") == [
                "x.yml:2:1: invalid YAML: while scanning for the next token from line 2: found character that cannot "
                    + "start any token – indent with blanks, quote special characters"
            ]
        )
        #expect(
            failure("targets: [a]", "x.yml") == [
                "x.yml:1: expected a list of target groups – such as - targets: [\"192.0.2.1:9100\"]"
            ]
        )
        #expect(
            failure("a: 1", "x.yml", format: .gatus) == [
                "x.yml:1: \"endpoints\" is missing – such as endpoints: and, below it, - name: front-end"
            ]
        )
        let deep = String(repeating: "[", count: 2_000)
        #expect(failure(deep, "x.json") == ["x.json:1:1: invalid JSON: nested too deeply"])
        #expect(failure("[{", "x.json").first?.contains("invalid JSON: ") == true)
        #expect(failure("", "x.yml") == ["x.yml: the file is empty"])
    }

    @Test func `a byte order mark is skipped`() throws {
        #expect(try read("\u{FEFF}192.0.2.1\n192.0.2.2\n").targets.count == 2)
        #expect(try read("\u{FEFF}- targets: ['a:1']\n", "x.yml").targets == ["a:1 tcp://a:1"])
    }

    @Test(arguments: [
        ("[{\"targets\": [\"http://u:s3cret@h:80/y?t=s3cret\", \"h:1\"]}]", ImportFormat.prometheus),
        ("[{\"targets\": [\"u:s3cret@h:80\", \"h:1\"], \"labels\": {\"__scheme__\": \"http\"}}]", .prometheus),
        ("http://u:s3cret@h/\nh\n", .fping),
        (
            "endpoints:\n- name: a\n  url: dns://u:s3cret@h/x\n- name: b\n  url: u:s3cret@h/x?t=s3cret\n"
                + "- name: c\n  url: tcp://h:1\n", .gatus
        ),
    ])
    func `notes and names have no passwords and queries`(text: String, format: ImportFormat) throws {
        let notes = try read(text, format: format).notes
        #expect(!notes.isEmpty && !notes.contains { $0.contains("s3cret") }, "\(notes)")
    }

    @Test func `a URL of Prometheus is the name without its query`() throws {
        let text = "- targets: ['http://h/y?t=1', 'http://h/y?t=2', 'http://h/@me']"
        #expect(
            try read(text, format: .prometheus).targets == [
                "http://h/y http://h/y?t=1", "http://h/y (2) http://h/y?t=2", "http://h/@me http://h/@me",
            ]
        )
    }

    @Test(.timeLimit(.minutes(1))) func `a large hosts file is read in linear time`() {
        let lines = (0..<70_000).map { "10.\($0 / 65_536).\($0 / 256 % 256).\($0 % 256) h\($0)" }
        let found = failure(lines.joined(separator: "\n"), "list", format: .hosts)
        #expect(found == ["list: 70000 targets – at most 65536, split the file"])
    }

    @Test func `a word that begins with a number sign begins a comment of ssh`() throws {
        let text = "Host a b#c # note d\n  HostName 192.0.2.1 # web\n  Port 2200 # inline\n"
        let (targets, notes) = try read(text, "list", format: .ssh)
        #expect(targets == ["a tcp://192.0.2.1:2200"])
        #expect(notes == ["list:1: b#c: the same probe as \"a\" on line 1"])
    }

    @Test func `Match blocks apply by the name of the host and by HostName`() throws {
        let text = """
            Host a
              HostName real.lan
            Host b.lan c d e f
            Match host b.lan,real.*
              Port 2222
            Match originalhost c,!d
              Port 2223
            Match !host a,b.lan,c,d,real.lan
              Port 2224
            Match exec "test -e x" host e
              Port 99
            Match user me
              User x
            Match all
              Port 2225
            """
        let (targets, notes) = try read(text, "list", format: .ssh)
        #expect(
            targets == [
                "a tcp://real.lan:2222", "b.lan tcp://b.lan:2222", "c tcp://c:2223", "d tcp://d:2225",
                "e tcp://e:2224", "f tcp://f:2224",
            ]
        )
        #expect(notes.isEmpty)
    }

    @Test func `a host that depends on other conditions of a Match block is left out`() throws {
        let text = """
            Host c
              BindAddress 192.0.2.1
            Host a b
            Match user root host b
              Port 9
            Match final
              BindAddress 192.0.2.9
            """
        let (targets, notes) = try read(text, "list", format: .ssh)
        #expect(targets == ["c tcp://c:22"])
        let problem = "depends on more than the name of the host: Match on line"
        #expect(notes == ["list:3: a: \(problem) 6 – write its target", "list:3: b: \(problem) 4 – write its target"])
    }

    @Test func `the source of ssh connections is that of the probes`() throws {
        let text = "Host a\n  BindAddress 192.0.2.9\n  BindInterface eth0\nHost b\n  BindInterface eth1\n"
        let imported = try SettingsImport(text, file: "config", format: .ssh).text
        #expect(imported.contains("source = \"192.0.2.9\"\n") && imported.contains("source = \"eth1\"\n"))
    }

    @Test func `the target of an exporter is imported, not the exporter`() throws {
        let text = """
            - targets: ["127.0.0.1:9115"]
              labels: { __param_target: https://a.example, __metrics_path__: /probe, __param_module: http_2xx }
            """
        let (targets, notes) = try read(text, "targets.yaml")
        #expect(targets == ["https://a.example https://a.example/"])
        #expect(notes.isEmpty)
    }

    @Test func `lines that are not of an ssh configuration are listed`() throws {
        let (targets, notes) = try read("192.0.2.1\nHost nas\nPort 22\nPrt 23\n", "list", format: .ssh)
        #expect(targets == ["nas tcp://nas:22"])
        #expect(notes == ["list:1: 192.0.2.1: unknown keyword of ssh", "list:4: Prt 23: unknown keyword of ssh"])
    }

    @Test func `the variables of a configuration are listed`() throws {
        let text = """
            endpoints:
              - name: a
                url: "https://${HOST}/"
                headers: { Authorization: "Bearer ${TOKEN}", X-Other: "${HOST}", X-Mode: "${MODE:-fast}" }
            """
        #expect(try SettingsImport(text, file: "config.yaml").variables == ["HOST", "TOKEN"])
        #expect(try SettingsImport("- targets: ['a:1']\n  labels: { job: '${X}' }", file: "x.yml").variables.isEmpty)
    }

    @Test func `deep and self-referring YAML is an error or ends`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(failure(deep, "x.yml").first?.hasPrefix("x.yml:1:") == true)
        let laughs = (1..<30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }.joined(separator: "\n")
        #expect(failure("a0: &a0 x\n\(laughs)", "x.yml").first?.contains("expected a list") == true)
        #expect(!failure("- targets: &a [*a]", "x.yml").isEmpty)
    }

    @Test func `what is a variable in the settings only is escaped`() throws {
        let (targets, _) = try read("- targets: ['a:1']\n  labels: { job: '${HOME} \"x\"' }", "x.yml")
        #expect(targets == ["a:1 tcp://a:1"])
        let text = try SettingsImport("- targets: ['a:1']\n  labels: { job: '${HOME} \"x\"' }", file: "x.yml").text
        #expect(text.contains(#"group = "$${HOME} \"x\"""#))
    }
}

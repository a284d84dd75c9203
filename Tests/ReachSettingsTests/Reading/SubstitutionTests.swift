import Foundation
import ReachMonitoring
import Testing

@testable import ReachSettings

struct SubstitutionTests {
    private let substitution = Substitution(environment: ["HOST": "nas.local", "EMPTY": "", "_a1": "x"])

    @Test(arguments: [
        ("tcp://${HOST}:445", "tcp://nas.local:445"),
        ("${HOST}${_a1}", "nas.localx"),
        ("${EMPTY}", ""),
        ("${EMPTY:-full}", "full"),
        ("${NONE:-}", ""),
        ("${NONE:-a:-b}", "a:-b"),
        ("${HOST:-other}", "nas.local"),
        ("$${HOST}", "${HOST}"),
        ("^220 .*$", "^220 .*$"),
        ("$HOST costs $5", "$HOST costs $5"),
        ("", ""),
    ])
    func `variables are substituted`(text: String, expected: String) throws {
        #expect(try substitution(text) == expected)
    }

    @Test(arguments: ["${NONE}", "${HOST", "${}", "${1A}", "${A-B}", "${HÖST}", "${:-x}"])
    func `an invalid or unset variable is an error`(text: String) {
        #expect(throws: Substitution.Failure.self) { try substitution(text) }
    }

    @Test func `values are not substituted again`() throws {
        #expect(try Substitution(environment: ["A": "${B}"])("${A}") == "${B}")
    }

    @Test func `variables are substituted in all strings except commands`() throws {
        let settings = try read(
            """
            [dashboard]
            theme = "${THEME}"
            [[target]]
            name = "${WHO}"
            url = "tcp://${HOST}:${PORT:-22}"
            group = "${WHO}s"
            interval = "${EVERY}"
            tcp = { send = "${SECRET}" }
            """,
            environment: ["THEME": "mono", "WHO": "NAS", "HOST": "h", "EVERY": "9s", "SECRET": "s"]
        )
        #expect(settings.theme == .mono)
        #expect(
            settings.targets == [
                Target(
                    name: "NAS",
                    question: .tcp(host: "h", port: 22, TCPOptions(send: "s")),
                    group: "NASs",
                    interval: .seconds(9)
                ).withPath
            ]
        )
    }
}

/// Secrets from files and credentials.
struct SecretTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for (name, text, mode) in [
            ("token", "se-cret\n", 0o600), ("windows", "se-cret\r\n", 0o440), ("lines", "a\n\n", 0o400),
            ("open", "se-cret", 0o644), ("empty", "\n", 0o600),
        ] {
            try directory.write(text, to: name, mode: mode)
        }
        try directory.write(String(repeating: "x", count: 65_537), to: "large", mode: 0o600)
        try directory.write(Data([0xFF, 0xFE]), to: "binary", mode: 0o600)
        try FileManager.default.createDirectory(atPath: "\(directory.path)/folder", withIntermediateDirectories: true)
    }

    /// The file of the settings is in the directory of the secrets.
    private func result(_ text: String, allowsUnset: Bool = false, hasCredentials: Bool = true)
        -> SettingsReader.ReadResult
    {
        let environment = hasCredentials ? ["CREDENTIALS_DIRECTORY": directory.path] : [:]
        var reader = SettingsReader(file: "\(directory.path)/dashboard.toml", environment: environment)
        reader.allowsUnset = allowsUnset
        return reader.result(of: text)
    }

    private func header(_ value: String, in result: SettingsReader.ReadResult) throws -> String? {
        guard case .http(let question)? = try result.settings().targets.first?.question else { return nil }
        return question.options.headers.first?.value
    }

    private func target(_ value: String) -> String {
        "[[target]]\nname = 'A'\nurl = 'http://h.example/'\nhttp = { headers = { Authorization = '\(value)' } }\n"
    }

    @Test(arguments: [
        ("Bearer ${file:token}", "Bearer se-cret"), ("${file:windows}", "se-cret"), ("${credential:token}", "se-cret"),
        ("${file:none:-other}", "other"), ("${credential:none:-other}", "other"), ("${file:token:-other}", "se-cret"),
        ("$${file:token}", "${file:token}"), ("${file:PATH/token}", "se-cret"),
    ])
    func `a secret is read without its line end`(value: String, expected: String) throws {
        let value = value.replacing("PATH", with: directory.path)
        #expect(try header(value, in: result(target(value))) == expected)
    }

    @Test func `a password of a database and a proxy can be secrets`() throws {
        let read = result(
            """
            [[target]]
            name = 'Cache'
            url = 'redis://h.example/'
            redis = { password = '${file:token}' }
            [[target]]
            name = 'Database'
            url = 'postgres://me@h.example/'
            postgres = { password = '${credential:token}' }
            [[target]]
            name = 'Web'
            url = 'http://h.example/'
            http = { proxy = 'http://me:${file:token}@proxy.example:3128' }
            """
        )
        let settings = try read.settings()
        let passwords = settings.targets.map { target -> String? in
            switch target.question {
            case .database(let question): question.password
            case .http(let question): question.proxy?.host
            default: nil
            }
        }
        #expect(passwords == ["se-cret", "se-cret", "proxy.example"])
        #expect(settings.redaction.text("AUTH se-cret") == "AUTH ${file:token}")
        let user = result("[[target]]\nurl = 'redis://h/'\nredis = { user = '${file:token}', password = 'x' }\n")
        #expect(user.problems.first?.message.hasPrefix("the value of this key is shown") == true)
    }

    @Test(arguments: [
        ("${file:none}", "none: no such file – write it, or ${file:none:-fallback}"),
        ("${file:open}", "others can read PATH/open – chmod o-r PATH/open; for a container, mount it with mode 0400"),
        (
            "${file:open:-x}",
            "others can read PATH/open – chmod o-r PATH/open; for a container, mount it with mode 0400"
        ),
        ("${file:empty}", "PATH/empty is empty – write the secret into it"),
        ("${file:binary}", "PATH/binary is not UTF-8 text – write the secret as text"),
        ("${file:folder}", "PATH/folder: a directory – name the file in it"),
        ("${file:large}", "PATH/large: larger than 64 KiB – name a text file with the secret"),
        ("${file:/dev/null}", "/dev/null: not a regular file – name a text file with the secret"),
        ("${file:${HOME}/x}", "a variable in a file name – write the path in \"${file:${HOME\""),
        ("${file:}", "invalid file name in \"${file:}\" – such as ${file:/run/secrets/token}"),
        ("${file:~/x}", "invalid file name in \"${file:~/x}\" – such as ${file:/run/secrets/token}"),
        (
            "${credential:../token}",
            "invalid credential name in \"${credential:../token}\" – such as ${credential:token}"
        ),
        ("${file:lines}", "control character or line break in the value – one line of text"),
    ])
    func `a secret that cannot be used is a problem with its fix`(value: String, problem: String) {
        let problems = result(target(value)).problems.map(\.description)
        let line = "PATH/dashboard.toml:4:38: target \"A\": http.headers.Authorization: \(problem)"
        #expect(
            problems.map { $0.replacing("\(directory.path)/none", with: "none") } == [
                line.replacing("PATH", with: directory.path)
            ]
        )
    }

    @Test func `without systemd there are no credentials`() {
        #expect(
            result(target("${credential:token}"), hasCredentials: false).problems.first?.message
                == "no credentials: $CREDENTIALS_DIRECTORY is not set"
        )
    }

    @Test func `secrets are for values that are sent, and are never shown`() throws {
        let text = """
            [[target]]
            url = "tcp://h.example:1"
            tcp = { send = "AUTH ${file:token}\\\\x0a" }
            [[target.hooks]]
            on = "up"
            request = { url = "https://h.example/${file:token}/x?y=${file:token}", headers = { A = "${file:token}" }, body = "${file:token}" }
            [[target]]
            url = "http://h.example/"
            http = { body_sent = "${file:token}" }
            """
        let result = result(text)
        let settings = try result.settings()
        let hook = try #require(settings.targets.first?.hooks.first)
        #expect("\(hook.action)" == "POST https://h.example/${file:token}/x?…")
        guard case .request(let webhook) = hook.action else { return }
        #expect(webhook.url == "https://h.example/se-cret/x?y=se-cret" && webhook.body == "se-cret")
        guard case .tcp(_, _, let options) = settings.targets[0].question else { return }
        #expect(options.send == "AUTH se-cret\n")
        #expect(settings.redaction.text("denied: se-cret") == "denied: ${file:token}")

        let shown = """
            [[target]]
            name = "${file:token}"
            url = "http://${file:token}/"
            group = "${credential:token}"
            http = { body = "${file:token}" }
            """
        let problems = self.result(shown).problems
        #expect(problems.count == 4)
        #expect(problems.allSatisfy { $0.message.hasPrefix("the value of this key is shown, and cannot have") })
        #expect(!problems.description.contains("se-cret"))
    }

    @Test func `a problem with another part of a value does not show the secret`() {
        let text =
            "[[target]]\nurl = 'h.example:1'\n[[target.hooks]]\non = 'up'\nrequest = { url = 'ftp://${file:token}/' }"
        let problems = result(text).problems.map(\.description)
        #expect(problems.count == 1 && !problems[0].contains("se-cret"), "\(problems)")
    }

    @Test func `variables and secrets without a value can be allowed`() throws {
        let text = """
            include = "${MORE}/*.toml"
            [[target]]
            name = "${NAME}"
            url = "icmp://${HOST}"
            interval = "${EVERY}"
            timeout = "1h"
            [[target]]
            url = "http://h.example/"
            group = "${ROOM}"
            depends_on = ["${NAME}", "Router"]
            http = { headers = { A = "${credential:none}", B = "${file:none}" } }
            """
        #expect(result(text).problems.count == 8)
        let allowed = result(text, allowsUnset: true)
        #expect(allowed.problems.isEmpty)
        #expect(allowed.unset == ["EVERY", "HOST", "MORE", "NAME", "ROOM", "credential:none", "file:none"])
        #expect(
            result("[[target]]\nurl = '${X}'\nfall = 0", allowsUnset: true).problems.map(\.message) == [
                "0 is out of range"
            ]
        )
        #expect(result(target("${file:open}"), allowsUnset: true).problems.count == 1)
    }
}

/// The output of settings that contain environment variables.
@Suite struct RedactionSettingsTests {
    private let environment = [
        "URL": "https://shop.example/a?key=12345", "HOST": "nas.example", "PORT": "22", "TOKEN": "secret-token",
        "N": "7",
    ]

    private func read(_ text: String) throws -> Settings {
        try SettingsReader(file: "dashboard.toml", environment: environment).settings(from: text)
    }

    @Test(arguments: [
        ("url = '${URL}'", "${URL}", "${URL}"),
        ("url = 'tcp://${HOST}:${PORT}'", "${HOST}:${PORT}", "tcp://${HOST}:${PORT}"),
        ("url = '${HOST}:${PORT}'", "${HOST}:${PORT}", "tcp://${HOST}:${PORT}"),
        ("url = '${NONE:-h.example}'", "${NONE}", "icmp://${NONE}"),
        ("url = 'https://h.example/${N}/b?t=${TOKEN}'", "h.example/${N}/b", "https://h.example/${N}/b"),
        ("url = 'https://h.example/b?t=1'", "h.example/b", "https://h.example/b"),
        (
            "url = 'dns://${HOST}/example.com?type=MX'", "${HOST}/example.com?type=MX",
            "dns://${HOST}/example.com?type=MX"
        ),
        ("url = 'link:any'\nname = 'Box ${N}'", "Box ${N}", "link:any"),
        ("url = 'h.example'\nname = '$${N}'", "${N}", "icmp://h.example"),
        ("url = 'h.example'\ngroup = '${TOKEN}'", "h.example", "icmp://h.example"),
    ])
    func `names and URLs are shown as written in the file`(keys: String, name: String, url: String) throws {
        let settings = try read("[[target]]\n\(keys)")
        let target = settings.targets[0]
        #expect(settings.redaction.label(of: target) == name)
        #expect(settings.redaction.url(of: target) == url)
        #expect(settings.redaction.group(of: target) == (target.group == nil ? nil : "${TOKEN}"))
    }

    @Test(arguments: ["secret token", "#secret token", "red secret"])
    func `a part of a value is not in a message about a colour`(value: String) {
        let text = "[theme.m]\nup = '${TOKEN}'\n\n[[target]]\nurl = 'h.example'\n"
        let result = SettingsReader(file: "dashboard.toml", environment: ["TOKEN": value]).result(of: text)
        #expect(!result.problems.isEmpty)
        for problem in result.problems {
            #expect(!problem.description.contains("secret") && problem.description.contains("${TOKEN}"))
        }
    }

    @Test(arguments: [
        ("url = 'https://h/s?t=S'\nfall = 0", "target \"h/s\": fall: 0 is out of range"),
        ("urls = ['https://h/s?t=S', 'https://h/s?t=S']", "duplicate name \"h/s\""),
        ("urls = ['u:S@h:{1..2}']", "\"h:1\": a user or a password without a method"),
        ("urls = ['redis://:{S}@h']", "neither a range nor a list in the braces"),
    ])
    func `a problem of a target has no query and no password of its URL`(keys: String, problem: String) {
        let problems = SettingsReader(file: "f", environment: [:]).result(of: "[[target]]\n\(keys)\n").problems
        #expect(problems.contains { $0.description.contains(problem) }, "\(problems)")
        #expect(!problems.contains { $0.description.contains("S") }, "\(problems)")
    }

    @Test func `values in options and requests are redacted`() throws {
        let settings = try read(
            """
            [defaults]
            http = { headers = { X-Key = "a ${TOKEN}" } }
            [[target]]
            url = "tcp://h.example:1"
            tcp = { send = "${HOST}" }
            [[target.hooks]]
            on = "up"
            request = { url = "https://hooks.example/${TOKEN}" }
            """
        )
        #expect(
            settings.redaction.text("POST https://hooks.example/secret-token") == "POST https://hooks.example/${TOKEN}"
        )
        #expect(settings.redaction.text("nas.example not found") == "${HOST} not found")
    }

    @Test func `problems contain no values of variables`() {
        let failure = #expect(throws: SettingsFailure.self) {
            try read(
                "[[target]]\nurl = 'tcp://h.example'\nname = '${TOKEN}'\nfamily = '${TOKEN}'\nsource = 'x ${HOST}'"
            )
        }
        let text = failure?.description ?? ""
        #expect(text.contains("target \"${TOKEN}\": family: unknown family \"${TOKEN}\""), "\(text)")
        #expect(!text.contains("secret-token") && !text.contains("nas.example"), "\(text)")
    }
}

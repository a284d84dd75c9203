import Monitoring
import Testing

@testable import SettingsFile

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

import ReachMonitoring
import ReachSettings
import Testing

/// Options of the command line for all targets.
struct TargetOptionsTests {
    private typealias Values = [TargetOptions.Option: [String]]

    private func target(_ url: String) throws -> Target {
        Target(name: url, question: try Question(url))
    }

    private func question(_ url: String, _ values: Values) throws -> Question {
        try TargetOptions(values).applied(to: [target(url)])[0].question
    }

    @Test func `each option has the meaning of its key in the settings`() throws {
        let tls = TLSOptions(ca: "ca.pem", serverName: "b", verifies: false)
        let verifying: Values = [.ca: ["ca.pem"], .serverName: ["b"], .insecure: [""]]
        var startTLS = tls
        startTLS.starttls = .smtp
        let mail = verifying.merging([.starttls: ["smtp"]]) { first, _ in first }
        #expect(try question("tls://a:25", mail) == .tls(host: "a", port: 25, startTLS))
        let web: Values = [
            .status: ["200,204", "301"], .body: ["ok$"], .header: ["Accept: text/plain", "X-Key:k"], .method: ["PUT"],
        ]
        let options = HTTPOptions(
            method: "PUT",
            headers: [.init(name: "Accept", value: "text/plain"), .init(name: "X-Key", value: "k")],
            status: [200, 204, 301],
            body: "ok$"
        )
        #expect(
            try question("https://a", web.merging(verifying) { first, _ in first })
                == .http(HTTPQuestion(isSecure: true, host: "a", options: options, tls: tls))
        )
        #expect(try question("http://a", web) == .http(HTTPQuestion(isSecure: false, host: "a", options: options)))
        #expect(try question("a:22", [.expect: ["^SSH"]]) == .tcp(host: "a", port: 22, TCPOptions(expect: "^SSH")))
        #expect(try question("udp://a:7", [.expect: ["x"]]) == .udp(host: "a", port: 7, UDPOptions(expect: "x")))
        #expect(
            try question("session://a:7", [.expect: ["x"]])
                == .session(host: "a", port: 7, SessionOptions(expect: "x"))
        )
        let slow = try TargetOptions([.timeout: ["4s"]]).applied(to: [target("a")])
        #expect(slow[0].timeout == .seconds(4))
    }

    @Test func `the limits of degraded targets are options`() throws {
        let options = try TargetOptions([.slow: ["50ms"], .lossy: ["0.2"], .warnDays: ["30"], .timeout: ["2s"]])
        let web = try options.applied(to: [target("https://a")])[0]
        #expect(web.thresholds.slow == .milliseconds(50) && web.thresholds.lossy == 0.2)
        guard case .http(let question) = web.question else { throw Unexpected() }
        #expect(question.tls.warnDays == 30)
    }

    @Test func `options keep the transport of a dns target`() throws {
        var target = try target("dns://system/a?type=MX")
        guard case .dns(var question) = target.question else { throw Unexpected() }
        question.transport = .tcp
        target.question = .dns(question)
        #expect(try TargetOptions([.timeout: ["2s"]]).applied(to: [target])[0].question == .dns(question))
    }

    @Test func `options replace those of the settings, and leave the others`() throws {
        let options = HTTPOptions(
            headers: [.init(name: "accept", value: "a"), .init(name: "X", value: "x")],
            status: [200],
            follow: 3
        )
        let target = Target(
            name: "Web",
            question: .http(HTTPQuestion(isSecure: false, host: "a", options: options)),
            timeout: .seconds(3)
        )
        let changed = try TargetOptions([.header: ["Accept: b"], .status: ["204"]]).applied(to: [target])[0]
        guard case .http(let question) = changed.question else { throw Unexpected() }
        #expect(question.options.headers.map(\.value).sorted() == ["b", "x"])
        #expect(question.options.status == [204] && question.options.follow == 3)
        #expect(changed.timeout == .seconds(3))
        let unchanged = [target, try self.target("dns://system/a?type=MX"), try self.target("link:any")]
        #expect(try TargetOptions([.expect: ["x"]]).applied(to: unchanged) == unchanged)
        #expect(TargetOptions().applied(to: unchanged) == unchanged)
    }

    private struct Unexpected: Error {}

    @Test func `a value is taken literally`() throws {
        let body = "${HOME} $${x} $"
        guard case .http(let question) = try question("http://a", [.method: ["GET"], .header: ["X: \(body)"]]) else {
            throw Unexpected()
        }
        #expect(question.options.headers[0].value == body)
    }

    @Test(
        arguments: [
            ([.timeout: ["2"]], #"--timeout: "2" has no unit – did you mean "2s"?"#),
            ([.timeout: ["soon"]], #"--timeout: invalid duration "soon""#),
            ([.timeout: ["0s"]], #"--timeout: "0s" is too short – at least "1ms""#),
            ([.status: ["99"]], "--status: 99 is out of range – from 100 to 599"),
            ([.slow: ["x"]], #"--slow: invalid duration "x""#),
            ([.lossy: ["20"]], "--lossy: 20 is out of range – did you mean 0.2?"),
            ([.warnDays: ["x"]], "--warn-days: expected a whole number"),
            ([.status: ["many"]], "--status: "), ([.status: [""]], "--status: "),
            ([.body: ["("]], "--body: invalid regular expression"),
            ([.expect: ["("]], "--expect: invalid regular expression"),
            ([.method: ["get"]], #"--method: invalid HTTP method "get" – did you mean "GET"?"#),
            ([.header: ["Accept"]], "--header no. 1: no colon after the name – such as 'Accept: text/plain'"),
            ([.header: ["A: 1", "A: 2"]], "--header no. 2: duplicate header – remove one of the two"),
            ([.header: ["Content-Length: 1"]], "--header Content-Length: reach sets this header itself – remove it"),
            ([.header: ["a b: secret"]], #"--header "a b": invalid header name"#),
            ([.ca: ["~/ca.pem"]], #"--ca: "~" is not expanded – ${HOME}/ca.pem"#),
            ([.serverName: ["a:443"]], #"--server-name: invalid server name "a:443""#),
            ([.starttls: ["stmp"]], #"--starttls: unknown starttls "stmp" – did you mean "smtp"?"#),
        ] as [([TargetOptions.Option: [String]], String)]
    )
    func `an invalid value is one clear line`(values: [TargetOptions.Option: [String]], line: String) {
        let failure = #expect(throws: SettingsFailure.self) { try TargetOptions(values) }
        #expect(failure?.lines.count == 1)
        #expect(failure?.lines.first?.hasPrefix(line) == true, "\(failure?.lines ?? [])")
        #expect(failure?.description.contains("secret") == false)
    }

    @Test func `all invalid values are reported`() {
        let failure = #expect(throws: SettingsFailure.self) {
            try TargetOptions([.timeout: ["2"], .status: ["99"], .starttls: ["x"], .header: ["x"]])
        }
        #expect(failure?.lines.count == 4)
    }

    @Test func `an option that applies to none of the targets is a problem`() throws {
        let targets = [try target("a:1"), try target("https://a")]
        for (option, value) in [(TargetOptions.Option.status, "200"), (.expect, "x"), (.ca, "c"), (.timeout, "1s")] {
            let options = try TargetOptions([option: [value]])
            #expect(options.problems(with: targets, hasIntervals: false) == [], "\(option)")
        }
        let options = try TargetOptions([.status: ["200"], .starttls: ["smtp"]])
        #expect(
            try options.problems(with: [target("a")], hasIntervals: false)
                == [
                    "--status: applies to none of the targets – remove it, or probe by http, https",
                    "--starttls: applies to none of the targets – remove it, or probe by tls",
                ]
        )
    }

    @Test func `the options of TLS apply to http only where redirects are followed`() throws {
        let options = try TargetOptions([.ca: ["c"], .insecure: [""]])
        var target = try target("http://a")
        #expect(
            options.problems(with: [target], hasIntervals: false)
                == ["insecure", "ca"].map {
                    "--\($0): applies to none of the targets – remove it, or probe by tls, http with follow, https, "
                        + "rediss, postgres"
                }
        )
        target.question = .http(HTTPQuestion(isSecure: false, host: "a", options: HTTPOptions(follow: 1)))
        #expect(options.problems(with: [target], hasIntervals: false) == [])
        guard case .http(let question)? = options.applied(to: [target]).first?.question else { throw Missing() }
        #expect(question.tls == TLSOptions(ca: "c", verifies: false))
    }

    @Test func `a timeout longer than the interval is a problem only where targets have intervals`() throws {
        let options = try TargetOptions([.timeout: ["20s"]])
        let targets = [try target("https://a/")]
        #expect(options.problems(with: targets, hasIntervals: false) == [])
        #expect(
            options.problems(with: targets, hasIntervals: true) == [
                "--timeout: 20s is too long for https://a/ with its interval of 10s – at most 10s, or a longer interval"
            ]
        )
    }
}

private struct Missing: Error {}

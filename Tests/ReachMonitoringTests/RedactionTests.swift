import ReachMonitoring
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("https://h.example/a?token=secret", "https://h.example/a"),
        ("GET https://h.example?token=secret: refused", "GET https://h.example refused"),
        ("redirects to \"https://me:secret@h.example/a?b\", twice", "redirects to \"https://h.example/a\", twice"),
        ("https://h.example/a#secret x https://me@i.example/?b", "https://h.example/a x https://i.example/"),
        ("http://h/?next=http://me:secret@i/", "http://h/"),
        ("dns://192.0.2.53/example.com?type=AAAA", "dns://192.0.2.53/example.com?type=AAAA"),
        ("tcp://[::1]:22", "tcp://[::1]:22"),
        ("what? me@example.com: no URL", "what? me@example.com: no URL"),
        ("://", "://"),
        ("", ""),
    ])
    func `URLs in a text lose their query and user info`(text: String, expected: String) {
        #expect(Redaction().text(text) == expected)
        #expect(Redaction.none.text(text) == text)
    }

    @Test func `values are replaced by their variables, the longest first`() {
        var redaction = Redaction()
        redaction.register(value: "abcd", of: "SHORT")
        redaction.register(value: "abcdef", of: "LONG")
        redaction.register(value: "xyz", of: "TINY")
        redaction.register(value: "a+b/c d", of: "ODD")
        #expect(redaction.text("abcdefg abcd xyz") == "${LONG}g ${SHORT} xyz")
        #expect(redaction.text("a+b/c d, a%2Bb%2Fc%20d") == "${ODD}, ${ODD}")
        #expect(redaction.replacingValues(in: "ab") == "ab")
    }

    @Test func `parts of a URL are replaced on their own, except its method`() {
        var redaction = Redaction()
        redaction.register(value: "https://me:secret@shop.example:8443/health?key=12345", of: "URL")
        #expect(redaction.text("https://shop.example/other: key 12345") == "https://${URL}/other: key ${URL}")
        #expect(redaction.text("https at secret, 8443") == "https at ${URL}, ${URL}")
    }

    @Test(arguments: [
        ("echo \"Bearer s3cretvalue\"", "echo \"Bearer ${file:tok}\""),
        ("echo \"Bearer s3cretv…\"", "echo \"Bearer ${file:tok}…\""),
        ("\"a…\", \"s3cretval…\", \"s3cre…\"", "\"a…\", \"${file:tok}…\", \"${file:tok}…\""),
        ("\"s3c…\" s3cret …", "\"s3c…\" s3cret …"),
        ("two lines…", "${TWO}…"),
        ("two lines here", "${TWO}"),
        ("s3cretvs3cretv…", "s3cretv${file:tok}…"),
    ])
    func `the beginning of a value is replaced where a text was cut`(text: String, expected: String) {
        var redaction = Redaction()
        redaction.register(value: "s3cretvalue", of: "file:tok")
        redaction.register(value: "two\nlines\there", of: "TWO")
        #expect(redaction.text(text) == expected)
    }

    @Test(arguments: ["s3cret42 ", "s3cr\u{200B}et42", "\u{7F}s3cret42", "s3\u{1B}cret42", "s3cret\u{202E}42\t"])
    func `a value is hidden in an excerpt without its invisible characters`(value: String) {
        var redaction = Redaction()
        redaction.register(value: value, of: "file:pw")
        #expect(redaction.text("user s3cret42") == "user ${file:pw}")
        #expect(redaction.text("\"s3cre…\"") == "\"${file:pw}…\"")
        #expect(redaction.forScreen.text("s3cret42") == "${file:pw}")
    }

    @Test func `the screen hides the values of files and credentials only`() {
        var redaction = Redaction()
        redaction.register(value: "fromfile", of: "file:tok")
        redaction.register(value: "fromsystemd", of: "credential:tok")
        redaction.register(value: "variable", of: "NAME")
        let text = "fromfile fromsystemd variable https://h/?q"
        #expect(redaction.forScreen.text(text) == "${file:tok} ${credential:tok} variable https://h/?q")
        #expect(redaction.forScreen.text("\"froms…") == "\"${credential:tok}…")
    }

    @Test func `a secret in the settings is hidden where a server returns it`() throws {
        var database = try target("postgres://bob:hunter42@db.example/shop")
        database.name = "db"
        var options = HTTPOptions(headers: [
            .init(name: "X-Api-Key", value: "k-99887"), .init(name: "A", value: "open"),
        ])
        options.bodySent = #"{"pin": "1234", "more": "text"}"#
        let request = HTTPQuestion(isSecure: false, host: "h.example", path: "/a?token=abcdefgh&b=1", options: options)
        var redaction = Redaction()
        redaction.cover([database, Target(name: "web", question: .http(request))])
        #expect(redaction.text("role bob: hunter42") == "role bob: (hidden)")
        #expect(redaction.text("GET /a?token=abcdefgh&b=1 HTTP") == "GET /a?(hidden) HTTP")
        #expect(redaction.text("token: abcdefgh, open, k-99887") == "token: (hidden), open, (hidden)")
        #expect(redaction.text(#""{"pin": "12…""#) == #""(hidden)…""#)
        #expect(redaction.forScreen.text("hunter42 b=1") == "(hidden) b=1")
    }

    @Test func `secrets of a hook are hidden in what its server responds and its command prints`() throws {
        var webhook = Webhook(url: "https://h.example/hook?token=abcdefgh&target=${REACH_TARGET}")
        webhook.headers = [.init(name: "Authorization", value: "Bearer tok42"), .init(name: "A", value: "open")]
        var target = try target("tcp://h.example:1")
        target.hooks = [HookRule(on: [.up], run: .request(webhook))]
        var redaction = Redaction()
        redaction.cover([target])
        let context = HookContext(
            event: .up,
            trigger: .user,
            at: .zero,
            name: "web",
            question: target.question,
            health: .up,
            since: .zero
        )
        let run = HookRun(id: 1, target: Target.ID(0), rule: target.hooks[0], context: context)
        func redacted(_ status: HookResult.Status, _ output: String) -> HookResult? {
            let result = HookResult(status: status, duration: .seconds(1), output: output, droppedBytes: 7)
            let report = HookReport.finished(run, result).redacted(by: redaction.forScreen)
            return if case .finished(_, let result) = report { result } else { nil }
        }
        let denied = redacted(.answered(status: 403), "denied to tok42\nopen")
        let expected = HookResult(
            status: .answered(status: 403),
            duration: .seconds(1),
            output: "denied to (hidden)\nopen",
            droppedBytes: 7
        )
        #expect(denied == expected)
        let failed = redacted(.unanswered(Failure(.noRoute, detail: "no route for tok42")), "")
        #expect(failed?.status == .unanswered(Failure(.noRoute, detail: "no route for (hidden)")))
        #expect(redacted(.notStarted("tok42: not found"), "")?.status == .notStarted("(hidden): not found"))
        #expect(redaction.text("token=abcdefgh, ${REACH_TARGET}") == "token=(hidden), ${REACH_TARGET}")
    }

    @Test(arguments: [
        ("Bearer tok42", "got tok42, Bearer tok42", "got (hidden), (hidden)"),
        ("Basic Ym9iOmh1bnRlcjQy", "Ym9iOmh1bnRlcjQy is bob:hunter42", "(hidden) is bob:(hidden)"),
        ("Basic Ym9iOmJvYg==", "Ym9iOmJvYg== is bob:bob", "(hidden) is bob:bob"),
        ("Basic no base64", "no base64", "(hidden)"),
    ])
    func `credentials of a header field are hidden in each form`(value: String, text: String, expected: String) {
        var options = HTTPOptions()
        options.headers = [.init(name: "Authorization", value: value)]
        var redaction = Redaction()
        redaction.register(secretsOf: .http(HTTPQuestion(isSecure: false, host: "h.example", options: options)))
        #expect(redaction.text(text) == expected)
        #expect(redaction.forScreen.text(text) == expected)
    }

    @Test func `a short password, and one that is the user, are not searched for`() throws {
        var redaction = Redaction()
        redaction.cover([try target("redis://:a@h.example"), try target("postgres://postgres:postgres@h.example/x")])
        #expect(redaction.text("a postgres database") == "a postgres database")
    }

    private func target(_ url: String, name: String? = nil) throws -> Target {
        let question = try Question(url)
        return Target(name: try name ?? #require(question.title), question: question)
    }

    @Test func `a name made from a URL loses its query and stays unique`() throws {
        let targets = [
            try target("https://h.example/a?token=1"), try target("https://h.example/a?token=2"),
            try target("tcp://h.example:1", name: "h.example/a (2)"), try target("https://h.example/b?c", name: "Who?"),
        ]
        var redaction = Redaction()
        redaction.cover(targets)
        #expect(targets.map(redaction.label) == ["h.example/a", "h.example/a (3)", "h.example/a (2)", "Who?"])
        #expect(redaction.label("h.example/a?token=2") == "h.example/a (3)")
        #expect(redaction.blocker(.target("h.example/a?token=1")) == .target("h.example/a"))
        #expect(redaction.url(of: targets[3]) == "https://h.example/b")
        #expect(Redaction.none.url(of: targets[3]) == "https://h.example/b?c")
        #expect(Redaction.none.label(of: targets[0]) == "h.example/a?token=1")
    }

    @Test func `templates replace name, URL and group`() throws {
        var redaction = Redaction()
        redaction.register(name: "secret", as: "${NAME}")
        redaction.register(urlOf: "secret", as: "tcp://${HOST}:22")
        redaction.register(group: "hidden", as: "${GROUP}")
        var one = try target("tcp://nas:22", name: "secret")
        one.group = "hidden"
        (one.family, one.probesBothFamilies) = (.v6, true)
        redaction.cover([one])
        #expect(redaction.label(of: one) == "${NAME} IPv6")
        #expect(redaction.label("secret IPv6") == "${NAME} IPv6")
        #expect(redaction.url(of: one) == "tcp://${HOST}:22")
        #expect(redaction.group(of: one) == "${GROUP}")
    }

    @Test func `names, URLs and groups hidden by old settings stay hidden`() throws {
        var (old, new) = (Redaction(), Redaction())
        old.register(name: "secret", as: "${NAME}")
        old.register(urlOf: "secret", as: "tcp://${HOST}:22")
        old.register(group: "hidden", as: "${GROUP}")
        var one = try target("tcp://nas:22", name: "secret")
        one.group = "hidden"
        old.cover([one])
        new.formUnion(old)
        #expect(new.label("secret") == "${NAME}")
        #expect(new.label(of: one) == "${NAME}")
        #expect(new.url(of: one) == "tcp://${HOST}:22")
        #expect(new.group(of: one) == "${GROUP}")
    }

    @Test func `user info ends at the last @ before the path`() {
        #expect("http://me:p@ss@host/a@b".withoutURLSecrets == "http://host/a@b")
    }

    @Test func `values hidden by old settings stay hidden`() {
        var (old, new) = (Redaction(), Redaction())
        old.register(value: "former", of: "A")
        old.register(name: "n", as: "${N}")
        new.register(value: "present", of: "A")
        new.formUnion(old)
        #expect(new.text("former, present") == "${A}, ${A}")
    }
}

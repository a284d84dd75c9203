import ReachMonitoring
import Testing

@testable import ReachSettings

struct MethodSettingsTests {
    @Test func `every option of every method is read`() throws {
        let settings = try read(
            """
            [[target]]
            url = "session://a:22"
            session = { keepalive = "1m", send = "hi", expect = "^hi", idle_close = "ok" }
            [[target]]
            url = "tls://a:25"
            tls = { ca = "/ca.pem", server_name = "b", verify = false, warn_days = 14, starttls = "smtp", cert = "c", key = "/k" }
            [[target]]
            url = "dns://system/a?type=TXT"
            dns = { answer = "b" }
            [[target]]
            url = "dns://system/b"
            dns = { rcode = "nxdomain", transport = "tcp" }
            [[target]]
            url = "udp://a:7"
            udp = { send = "hi", expect = "hi" }
            [[target]]
            name = "Disk"
            url = "exec:"
            exec = { run = ["df", "${X}"] }
            """
        )
        #expect(
            settings.targets.map(\.question) == [
                .session(
                    host: "a",
                    port: 22,
                    SessionOptions(keepalive: .seconds(60), send: "hi", expect: "^hi", idleClose: .ok)
                ),
                .tls(
                    host: "a",
                    port: 25,
                    TLSOptions(
                        ca: "/ca.pem",
                        serverName: "b",
                        verifies: false,
                        warnDays: 14,
                        starttls: .smtp,
                        certificate: "c",
                        key: "/k"
                    )
                ),
                .dns(DNSQuestion(server: .system, name: "a", type: .txt, answer: "b")),
                .dns(DNSQuestion(server: .system, name: "b", responseCode: .nxdomain, transport: .tcp)),
                .udp(host: "a", port: 7, UDPOptions(send: "hi", expect: "hi")),
                .exec(.program("df", arguments: ["${X}"])),
            ]
        )
    }

    @Test func `the options of tls apply to http that follows redirects`() throws {
        let settings = try read(
            """
            [defaults]
            tls = { ca = "/ca.pem", starttls = "smtp" }
            [[target]]
            url = "http://a"
            http = { follow = 2 }
            tls = { warn_days = 14 }
            [[target]]
            url = "http://b"
            """
        )
        let tls = TLSOptions(ca: "/ca.pem", warnDays: 14)
        #expect(
            settings.targets.map(\.question) == [
                .http(HTTPQuestion(isSecure: false, host: "a", options: HTTPOptions(follow: 2), tls: tls)),
                .http(HTTPQuestion(isSecure: false, host: "b")),
            ]
        )
    }

    @Test func `https has the options of http and tls, http without redirects only its own`() throws {
        let settings = try read(
            """
            [defaults]
            tls = { warn_days = 14, starttls = "smtp" }
            [[target]]
            url = "https://a/x"
            tls = { server_name = "b" }
            http.method = "HEAD"
            http.headers = { X-Token = "${TOKEN}", Accept = "text/plain" }
            http.body_sent = "b"
            http.status = [200, 204]
            http.body = "ok"
            http.follow = 5
            http.retries = 2
            [[target]]
            url = "http://a/y"
            http = { status = 101 }
            """,
            environment: ["TOKEN": "secret"]
        )
        let options = HTTPOptions(
            method: "HEAD",
            headers: [.init(name: "Accept", value: "text/plain"), .init(name: "X-Token", value: "secret")],
            bodySent: "b",
            status: [200, 204],
            body: "ok",
            follow: 5,
            retries: 2
        )
        let tls = TLSOptions(serverName: "b", warnDays: 14)
        #expect(
            settings.targets.map(\.question) == [
                .http(HTTPQuestion(isSecure: true, host: "a", path: "/x", options: options, tls: tls)),
                .http(HTTPQuestion(isSecure: false, host: "a", path: "/y", options: HTTPOptions(status: [101]))),
            ]
        )
    }

    @Test func `the checks of a response are read`() throws {
        let settings = try read(
            """
            [defaults]
            http = { json = { path = "$.inherited" }, body_not = "fatal" }
            [[target]]
            url = "http://a"
            [[target]]
            url = "http://b"
            http.status = ["2xx", 404]
            http.json = [{ path = "$.status", is = "${WORD}" }, { path = "$.n", is = 3 }, { path = "$.s", is = 0.5 }]
            http.response_headers = { name = "Content-Type", matches = "json" }
            [[target]]
            url = "http://c"
            http.status = "200-202,301"
            [[target.http.response_headers]]
            name = "X-A"
            [[target.http.response_headers]]
            name = "X-B"
            is = true
            """,
            environment: ["WORD": "ok"]
        )
        let path = { try HTTPOptions.JSONPath($0) }
        let inherited = [HTTPOptions.JSONCheck(try path("$.inherited"))]
        let options = [
            HTTPOptions(bodyNot: "fatal", json: inherited),
            HTTPOptions(
                status: Array(200...299) + [404],
                bodyNot: "fatal",
                json: [
                    .init(try path("$.status"), .equals(.string("ok"))), .init(try path("$.n"), .equals(.number(3))),
                    .init(try path("$.s"), .equals(.number(0.5))),
                ],
                responseHeaders: [.init("Content-Type", .matches("json"))]
            ),
            HTTPOptions(
                status: [200, 201, 202, 301],
                bodyNot: "fatal",
                json: inherited,
                responseHeaders: [.init("X-A"), .init("X-B", .equals(.boolean(true)))]
            ),
        ]
        let questions = zip(["a", "b", "c"], options).map { host, options in
            Question.http(HTTPQuestion(isSecure: false, host: host, options: options))
        }
        #expect(settings.targets.map(\.question) == questions)
    }

    @Test func `the number of checks is limited`() {
        let checks = Array(repeating: "{ path = \"$\" }", count: 17).joined(separator: ", ")
        let problems = problems("[[target]]\nurl = \"http://a\"\nhttp.json = [\(checks)]")
        #expect(problems.map(\.message) == ["17 checks are too many"])
    }

    @Test func `without settings, every method has its defaults`() throws {
        let urls = [
            "icmp://a", "tcp://a:1", "session://a:2", "tls://a:3", "http://c", "https://a:4", "dns://a/b", "udp://a:5",
            "link:any", "route://b",
        ]
        let settings = try read(urls.map { "[[target]]\nurl = \"\($0)\"\n" }.joined())
        let expected = try urls.map { url in
            let question = try Question(url)
            return Target(name: question.title ?? "", question: question).withPath
        }
        #expect(settings.targets == expected)
    }

    @Test func `headers are inherited one by one, ignoring case`() throws {
        let settings = try read(
            """
            [defaults]
            http = { headers = { Accept = "text/html", User-Agent = "defaults" }, follow = 3 }
            [group.Shop]
            http.headers.Authorization = "group"
            [[target]]
            url = "http://a"
            group = "Shop"
            http = { headers = { accept = "text/plain" } }
            """
        )
        let options = HTTPOptions(
            headers: [
                .init(name: "User-Agent", value: "defaults"), .init(name: "Authorization", value: "group"),
                .init(name: "accept", value: "text/plain"),
            ],
            follow: 3
        )
        #expect(settings.targets.map(\.question) == [.http(HTTPQuestion(isSecure: false, host: "a", options: options))])
    }

    @Test func `a group keeps the defaults that it does not set`() throws {
        let settings = try read(
            """
            [defaults]
            udp = { send = "hi", expect = "hi" }
            dns = { answer = "192.0.2.1" }
            slow = "1s"
            [group.Home]
            udp = { expect = "ho" }
            dns = { rcode = "NOERROR" }
            [[target]]
            url = "udp://a:7"
            group = "Home"
            [[target]]
            url = "dns://a/b"
            group = "Home"
            """
        )
        #expect(
            settings.targets.map(\.question) == [
                .udp(host: "a", port: 7, UDPOptions(send: "hi", expect: "ho")),
                .dns(DNSQuestion(server: .host("a", port: 53), name: "b", answer: "192.0.2.1")),
            ]
        )
        #expect(settings.targets.map(\.thresholds.slow) == [.seconds(1), .seconds(1)])
    }

    @Test func `a command may be set in the group`() throws {
        let settings = try read(
            """
            [group.Here]
            exec = { run = "test -e /" }
            [[target]]
            name = "Root"
            url = "exec:"
            group = "Here"
            """
        )
        #expect(settings.targets.map(\.question) == [.exec(.shell("test -e /"))])
    }

    @Test(arguments: [
        ("dashboard.toml", "ca.pem"), ("/etc/reach/dashboard.toml", "/etc/reach/ca.pem"), ("a/b.toml", "a/ca.pem"),
    ])
    func `file names are relative to the settings file`(file: String, ca: String) throws {
        let reader = SettingsReader(file: file, environment: [:])
        let text = "[defaults]\ntls = { ca = \"ca.pem\" }\n[[target]]\nurl = \"tls://a\""
        let settings = try reader.settings(from: text)
        #expect(settings.targets.map(\.question) == [.tls(host: "a", port: 443, TLSOptions(ca: ca))])
    }

    @Test func `a certificate replaces an inherited one with its key`() throws {
        let settings = try SettingsReader(file: "/etc/reach/dashboard.toml", environment: [:]).settings(
            from: """
                [defaults]
                tls = { cert = "one.pem", key = "one.key" }
                [[target]]
                url = "tls://a"
                [[target]]
                url = "tls://b"
                tls = { cert = "/both.pem" }
                """
        )
        #expect(
            settings.targets.map(\.question) == [
                .tls(
                    host: "a",
                    port: 443,
                    TLSOptions(certificate: "/etc/reach/one.pem", key: "/etc/reach/one.key")
                ), .tls(host: "b", port: 443, TLSOptions(certificate: "/both.pem")),
            ]
        )
    }

    @Test func `a proxy is a URL, that of the environment, or none`() throws {
        let settings = try read(
            """
            [defaults]
            http.proxy = "environment"
            addresses = "each"
            [[target]]
            url = "https://a"
            [[target]]
            url = "http://b"
            [[target]]
            url = "https://c.local"
            [[target]]
            url = "https://d"
            http.proxy = "http://me:${SECRET}@other.example"
            [[target]]
            url = "https://e"
            http.proxy = "none"
            """,
            environment: ["https_proxy": "http://proxy.example:3128", "no_proxy": "local", "SECRET": "a%3Ab"]
        )
        let proxies = settings.targets.map { target -> String? in
            guard case .http(let question) = target.question, let proxy = question.proxy else { return nil }
            return "\(proxy.host):\(proxy.port) \(proxy.credentials ?? "")"
        }
        #expect(proxies == ["proxy.example:3128 ", nil, nil, "other.example:1080 me:a:b", nil])
        #expect(settings.targets.map(\.addresses) == [.any, .any, .any, .any, .each])
    }

    @Test func `problems do not contain secrets in proxies`() {
        let environment = ["https_proxy": "ftp://me:secret@p", "URL": "http://me:secret@"]
        for value in ["environment", "${URL}", "socks5://me:secret@p"] {
            let problems = problems("[[target]]\nurl = \"http://a\"\nhttp.proxy = '\(value)'", environment: environment)
            #expect(problems.count == 1)
            #expect(problems.allSatisfy { !$0.description.contains("secret") })
        }
    }

    @Test func `problems do not contain secrets in headers`() {
        let problems = problems(
            "[[target]]\nurl = \"http://a\"\nhttp = { headers = { Authorization = \"${TOKEN}\" } }",
            environment: ["TOKEN": "sec\nret"]
        )
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { !$0.description.contains("sec") })
    }

    @Test(
        arguments: [
            (#"'\x00\xFF\x41\\x'"#, [0, 255, 65, 92, 120]), (#""\\x00\\\\\t""#, [0, 92, 9]), (#""ü""#, [195, 188]),
            (#"'${WORD}\x00'"#, [92, 120, 52, 49, 0]),
        ] as [(String, [UInt8])]
    )
    func `payloads may contain any bytes, and escapes in variables are not interpreted`(written: String, bytes: [UInt8])
        throws
    {
        let text = """
            [[target]]
            url = "udp://a:7"
            udp.send = \(written)
            [[target]]
            url = "tcp://a:8"
            tcp.send = \(written)
            [[target]]
            url = "session://a:9"
            session.send = \(written)
            """
        let settings = try read(text, environment: ["WORD": #"\x41"#])
        let payload = Payload(bytes: bytes)
        #expect(
            settings.targets.map(\.question) == [
                .udp(host: "a", port: 7, UDPOptions(send: payload)),
                .tcp(host: "a", port: 8, TCPOptions(send: payload)),
                .session(host: "a", port: 9, SessionOptions(send: payload)),
            ]
        )
    }

    @Test func `the size of a datagram is limited`() {
        let text = "[[target]]\nurl = \"udp://a:7\"\nudp = { send = \"\(String(repeating: "ü", count: 32_754))\" }"
        #expect(problems(text).map(\.message) == ["65508 bytes are more than a datagram holds"])
    }
}

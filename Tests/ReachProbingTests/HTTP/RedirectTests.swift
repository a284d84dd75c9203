import NIOHTTP1
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite struct RedirectTests {
    private let question = HTTPQuestion(
        isSecure: true,
        host: "shop.example",
        path: "/a/b?x=1",
        options: HTTPOptions(
            headers: [.init(name: "Authorization", value: "secret"), .init(name: "X-Test", value: "1")],
            follow: 3
        ),
        tls: TLSOptions(ca: "/ca.pem", serverName: "inner.example")
    )

    private func url(_ location: String) -> String? {
        question.redirected(by: 302, to: location).map { Question.http($0).url }
    }

    @Test(arguments: [
        ("/c", "https://shop.example/c"),
        ("c?y=2", "https://shop.example/a/c?y=2"),
        ("../../../c/./d/..", "https://shop.example/c/"),
        ("?y=2", "https://shop.example/a/b?y=2"),
        ("#part", "https://shop.example/a/b?x=1"),
        ("//other.example/x#part", "https://other.example/x"),
        ("http://other.example", "http://other.example/"),
        ("HTTPS://other.example:8443/x?y#z", "https://other.example:8443/x?y"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
    ])
    func `a reference is resolved against the URL`(location: String, expected: String) {
        #expect(url(location) == expected)
    }

    @Test(arguments: [
        "ftp://other.example/", "javascript:alert(1)", "http://", "https://u:p@other.example/", "//:80/",
        "https://other.example\\@x", "//a\u{202E}b/", "//[::1", "//x:y:z/",
    ])
    func `an invalid reference is not followed`(location: String) {
        #expect(url(location) == nil)
    }

    @Test(arguments: [
        ("http://me:secret@a.test/x?key=secret", #"redirects to "http://a.test/x": user info is not followed"#),
        ("//me:secret@a.test", #"redirects to "//a.test": user info is not followed"#),
        ("https://a b:secret@c@a.test#secret", #"redirects to "https://a.test": user info is not followed"#),
        ("ftp://a.test/me@home?key=secret", #"redirects to "ftp://a.test/me@home""#),
        ("mailto:me@a.test//x@y", #"redirects to "mailto:me@a.test//x@y""#),
        ("http://?secret", #"redirects to "http://""#),
    ])
    func `the message about a redirect contains no user info and no query`(location: String, message: String) {
        #expect(Failure(redirect: location).detail == message)
        #expect(question.redirected(by: 302, to: location) == nil)
    }

    @Test func `header fields are sent to their own origin only`() throws {
        let same = try #require(question.redirected(by: 302, to: "/c"))
        #expect(same.options.headers.count == 2)
        #expect(same.tls.serverName == "inner.example")
        #expect(same.options.follow == 2)
        #expect(question.redirected(by: 302, to: "https://SHOP.example:443/")?.options.headers.count == 2)
        for location in ["https://other.example/", "http://shop.example/", "https://shop.example:444/"] {
            let next = try #require(question.redirected(by: 302, to: location))
            #expect(next.options.headers.isEmpty)
            // A redirect back does not restore them: the other origin could choose their path.
            let back = try #require(next.redirected(by: 302, to: "https://shop.example/"))
            #expect(back.options.headers.isEmpty)
        }
        let other = try #require(question.redirected(by: 302, to: "https://other.example/"))
        #expect(other.tls == TLSOptions(ca: "/ca.pem"))
    }

    @Test func `a request body is sent again only after 307 and 308`() throws {
        var question = question
        question.options.method = "POST"
        question.options.bodySent = "x"
        for status in [301, 302, 303] {
            let next = try #require(question.redirected(by: status, to: "/c"))
            #expect(next.options.method == "GET" && next.options.bodySent == nil)
        }
        for status in [307, 308] {
            let next = try #require(question.redirected(by: status, to: "/c"))
            #expect(next.options.method == "POST" && next.options.bodySent == "x")
        }
    }

    @Test func `303 changes every method except HEAD to GET`() throws {
        var question = question
        for (method, status, next) in [
            ("HEAD", 303, "HEAD"), ("HEAD", 302, "HEAD"), ("HEAD", 308, "HEAD"), ("PUT", 303, "GET"),
            ("PUT", 302, "PUT"),
            ("DELETE", 303, "GET"), ("DELETE", 307, "DELETE"),
        ] {
            question.options.method = method
            #expect(question.redirected(by: status, to: "/c")?.options.method == next, "\(method) after \(status)")
        }
    }

    @Test func `a redirect with an expected status is not followed`() {
        var question = question
        #expect(question.isFollowed(301) && !question.isFollowed(304) && !question.isFollowed(200))
        question.options.status = [301]
        #expect(!question.isFollowed(301) && question.isFollowed(302))
        question.options = HTTPOptions()
        #expect(!question.isFollowed(301))
    }

    @Test func `a request has its host and closes its connection`() {
        var question = HTTPQuestion(isSecure: false, host: "shop.example", port: 8_080, path: "/ü?q=a")
        question.options.headers = [
            .init(name: "accept", value: "text/plain"), .init(name: "Content-Length", value: "7"),
            .init(name: "X-Many", value: "1"), .init(name: "X-Many", value: "2"),
        ]
        question.options.bodySent = "ü"
        let head = question.requestHead
        #expect(head.uri == "/%C3%BC?q=a")
        #expect(head.headers["host"] == ["shop.example:8080"])
        #expect(head.headers["user-agent"] == ["reach/\(ReachVersion.current)"])
        #expect(head.headers["accept"] == ["text/plain"])
        #expect(head.headers["x-many"] == ["1", "2"])
        #expect(head.headers["connection"] == ["close"])
        #expect(head.headers["content-length"] == ["2"])
        // As of a module, for an upgrade.
        question.options.headers.append(.init(name: "Connection", value: "Upgrade"))
        #expect(question.requestHead.headers["connection"] == ["Upgrade"])
        question.path = "/a|b{c}\"<>\\^`#é?d=[e]&f=%20"
        #expect(question.requestHead.uri == "/a%7Cb%7Bc%7D%22%3C%3E%5C%5E%60%23%C3%A9?d=[e]&f=%20")
        let v6 = HTTPQuestion(isSecure: true, host: "fe80::1%eth0")
        #expect(v6.requestHead.headers["host"] == ["[fe80::1]"])
    }
}

/// Lookups of the names in redirects.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct RedirectNameTests {
    @Test func `forty targets that redirect to forty names all reply`() async throws {
        let last = try await WebServer.on()
        let port = last.port
        let first = try await WebServer.on { request in
            let number = request.split(separator: "/").dropFirst().first?.prefix { $0.isNumber } ?? ""
            return .send(WebServer.answer("302 Found", headers: "Location: http://n\(number).test:\(port)/\r\n"))
        }
        let lookups = Mutex<[String: Int]>([:])
        let harness = EngineHarness(resolve: { host in
            lookups.withLock { $0[host, default: 0] += 1 }
            // The latency of a remote resolver.
            Hang().wait(milliseconds: 20)
            return Resolution.system("127.0.0.1")
        })
        let options = HTTPOptions(follow: 1)
        let questions = (0..<40).map { number in
            Question.http(
                HTTPQuestion(
                    isSecure: false,
                    host: "127.0.0.1",
                    port: first.port,
                    path: "/\(number)",
                    options: options
                )
            )
        }
        harness.watch(questions, interval: .milliseconds(1_500), timeout: .milliseconds(1_500))
        // All at once, as after the process was stopped.
        harness.engine.perform(.now(questions.indices.map { Target.ID($0) }))
        let observations = await harness.observations { Set($0.map(\.target)).count == 40 }
        for observation in observations {
            guard case .reply = observation.outcome else {
                Issue.record("\(observation)")
                continue
            }
        }
        #expect(lookups.withLock { $0.count } == 40)
        await harness.engine.shutdown()
        try await first.close()
        try await last.close()
    }
}

import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// Requests from URLs and redirects.
@Suite struct FetchRequestTests {
    @Test(
        arguments: [
            ("http://example.com", "http://example.com/", nil),
            ("HTTPS://example.com:8443/a?b=c#part", "https://example.com:8443/a?b=c", nil),
            ("http://example.com/a|b{c}%20d", "http://example.com/a%7Cb%7Bc%7D%20d", nil),
            ("http://me:secret@example.com/a@b", "http://example.com/a@b", "Basic bWU6c2VjcmV0"),
            ("http://me@example.com/", "http://example.com/", "Basic bWU6"),
            ("http://me:p%40ss%3A@[::1]:8080/", "http://[::1]:8080/", "Basic bWU6cEBzczo="),
        ] as [(String, String, String?)]
    )
    func `a URL is parsed as people write it`(_ text: String, _ url: String, _ authorization: String?) throws {
        let request = try Fetch.Request(text).validated()
        #expect(request.url == url)
        #expect(request.headers.map(\.name.rawName) == (authorization == nil ? [] : ["Authorization"]))
        #expect(request.headers.first?.value == authorization)
    }

    @Test(
        arguments: [
            "", "#part", "example.com", "example.com/a", "ftp://example.com/", "tcp://example.com:80", "http://",
            "http:///a", "http://exa mple.com/", "http://me:sec%zzret@example.com/", "http://me:secret@/",
            "http://me:secret@example.com:99999/", "link:any",
            "http://אa.example/", "http://[fe80::1%eth0]/",
        ]
    )
    func `an invalid URL is an error in one line, without the password`(_ text: String) {
        let problem = #expect(throws: URLProblem.self) { try Fetch.Request.parse(text) }
        #expect(problem?.description.contains("sec") == false)
        #expect(problem?.hint != nil || problem?.message.isEmpty == false)
        let error = #expect(throws: Fetch.Error.self) { try Fetch.Request(text).validated() }
        #expect(error == problem.map { .invalid("the URL: \($0)") })
    }

    private func redirected(
        _ request: Fetch.Request,
        status: Int,
        location: String,
        hops: Int = 0
    ) throws(Fetch.Error) -> Fetch.Request? {
        let response = Fetch.Response(status: status, headers: [.location: location])
        return try request.redirected(by: response, after: hops)
    }

    private let post = Fetch.Request(
        "https://shop.example/a/b",
        method: "POST",
        headers: ["Authorization": "secret", "Content-Type": "text/plain", "X-Test": "1"],
        body: "payload",
        redirectLimit: 2
    )

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a redirect keeps method and body, or becomes a GET`(_ status: Int, _ method: String) throws {
        let next = try #require(try redirected(post, status: status, location: "../c"))
        #expect(next.url == "https://shop.example/c")
        #expect(next.method == method)
        #expect((next.body == nil) == (method == "GET"))
        #expect(next.headers.contains(.contentType) == (method == "POST"))
        #expect(next.headers[.authorization] == "secret" && next.headers["x-test"] == "1")
    }

    @Test(arguments: ["https://other.example/", "https://shop.example:8443/", "http://shop.example/"])
    func `a redirect to another origin has no header fields`(_ location: String) throws {
        let next = try #require(try redirected(post, status: 307, location: location))
        #expect(next.headers.isEmpty)
    }

    @Test func `a field is read and set by its name as a text`() throws {
        var request: Fetch.Request = "https://shop.example/"
        request.headers["content-type"] = "text/plain"
        #expect(request.headers["Content-Type"] == "text/plain" && request.headers[.contentType] == "text/plain")
        request.headers["Content-Type"] = nil
        #expect(request.headers.isEmpty && request.headers["a b"] == nil)
        request.headers["a b"] = nil
        _ = try request.validated()
    }

    @Test(arguments: [("a b", "1"), ("", "1"), ("X-Test", "1\r\nX-Other: secret")])
    func `an invalid field that is set by a text is an error of the request`(_ name: String, _ value: String) throws {
        var request: Fetch.Request = "https://shop.example/"
        request.headers[name] = value
        let error = #expect(throws: Fetch.Error.self) { try request.validated() }
        guard case .invalid(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.contains("\"\(name)\"") && !problem.contains("secret"))
    }

    @Test func `a value is sent as JSON, with its media type unless there is one`() throws {
        var request = Fetch.Request("https://shop.example/", method: "POST", body: .json(["tea": 7]))
        #expect(request.body?.length == Int64(#"{"tea":7}"#.utf8.count))
        #expect(try request.validated().headers[.contentType] == "application/json")
        request.headers[.contentType] = "application/vnd.tea+json"
        #expect(try request.validated().headers[.contentType] == "application/vnd.tea+json")
        request = Fetch.Request("https://shop.example/", method: "POST", body: .json([Double.nan]))
        let error = #expect(throws: Fetch.Error.self) { try request.validated() }
        guard case .invalid(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.hasPrefix("the body cannot be encoded as JSON: "))
    }

    @Test func `a request that may be answered with a compressed body says so`() throws {
        var request: Fetch.Request = "https://shop.example/"
        #expect(try request.validated().headers[.acceptEncoding] == nil)
        request.isDecompressed = true
        #expect(try request.validated().headers[.acceptEncoding] == "gzip, deflate")
        request.headers[.acceptEncoding] = "gzip"
        #expect(try request.validated().headers[.acceptEncoding] == "gzip")
    }

    @Test func `only valid redirects are followed, up to the limit`() throws {
        #expect(try redirected(post, status: 302, location: "/c", hops: 1) != nil)
        #expect(try redirected(post, status: 304, location: "/c") == nil)
        #expect(try redirected(post, status: 201, location: "/c") == nil)
        #expect(try redirected(post, status: 302, location: "") == nil)
        let details = [
            ("/c", 2), ("ftp://other.example/?key=secret", 0), ("https://me:secret@other.example/", 0),
            ("//אa.example/", 0),
        ].map { location, hops in
            let error = #expect(throws: Fetch.Error.self) {
                try redirected(post, status: 302, location: location, hops: hops)
            }
            guard case .network(let failure) = error, failure.httpStatus == 302 else { return "" }
            return failure.description
        }
        #expect(
            details == [
                "redirected more than 2 times", "redirected to \"ftp://other.example/\", which cannot be fetched",
                "redirected to \"https://other.example/\", which cannot be fetched",
                "redirected to \"//אa.example/\", which cannot be fetched",
            ]
        )
    }
}

/// How requests and their parts are printed.
@Suite struct FetchDescriptionTests {
    @Test func `a request is printed without secrets and without its bytes`() {
        var request = Fetch.Request(
            "https://me:secret@shop.example/jobs?key=secret#secret",
            method: "POST",
            headers: [.authorization: "secret"],
            body: .text("payload")
        )
        #expect("\(request)" == "POST https://shop.example/jobs (7 bytes)")
        request.body?.append(.file("disk.img"))
        #expect("\(request)" == "POST https://shop.example/jobs (7 bytes, file disk.img)")
        #expect("\(Fetch.Request("https://shop.example/#part"))" == "GET https://shop.example/")
    }

    @Test(
        arguments: [
            ("", "0 bytes"), ("a", "1 byte"), (.json([7]), "3 bytes"), (.file("disk.img"), "file disk.img"),
            (.standardInput, "standard input"),
        ] as [(Fetch.Body, String)]
    )
    func `a body is printed by its size and its files`(_ body: Fetch.Body, _ text: String) {
        #expect("\(body)" == text)
    }

    @Test func `an ending is printed as a word with its reason`() {
        let endings: [Fetch.Response.BodyEnding] = [.whole, .truncated, .timeout, .lost(Fetch.TransportError(.reset))]
        #expect(endings.map { "\($0)" } == ["whole", "truncated", "timeout", "lost: reset"])
    }

    @Test func `the text of an alert is the description`() {
        let error: any Error = Fetch.Error.status(Fetch.Response(status: 503))
        #expect(error.localizedDescription == "HTTP 503")
    }
}

/// Malicious URLs: the validated host must be the host of the connection, and a password is never visible.
@Suite struct FetchURLFuzzTests {
    private static let words = [
        "http://", "https://", "HTTP://", "a.test", "b.test", "127.0.0.1", "[::1]", "[fe80::1%25eth0]", "me:secret@",
        "me@",
        ":80", ":443", ":0", ":99999", "/", "//", "/a/b", "..", ".", "?", "?q=1", "#", "#part", "@", ":", "%", "%40",
        "%2F",
        "%zz", "\\", " ", "\t", "\n", "\u{0}", "ü", "\u{301}", "\u{202E}", "。", "|", "{", "\"", "xn--", "-", "_", "[",
        "]",
    ]

    @Test func `the validated host is the host of the connection`() throws {
        var random = SplitMix(seed: 20_261_121)
        var read = 0
        for _ in 0..<40_000 {
            let count = Int.random(in: 0...6, using: &random)
            let rest = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined()
            let text = (Bool.random(using: &random) ? "http://" : "") + rest
            guard let request = try? Fetch.Request(text).validated() else { continue }
            read += 1
            let question = try #require(request.question, "\(text.debugDescription)")
            #expect(!request.url.dropFirst(8).prefix { $0 != "/" }.contains("@"), "\(text.debugDescription)")
            let url = try #require(URL(string: request.url), "\(text.debugDescription)")
            let host = url.host(percentEncoded: false)?.drop { $0 == "[" }.prefix { $0 != "]" }
            #expect(host.map(String.init)?.lowercased() == question.host.lowercased(), "\(text.debugDescription)")
            #expect(UInt16(url.port ?? (url.scheme == "https" ? 443 : 80)) == question.port, "\(text.debugDescription)")
            // Validation is idempotent.
            #expect(try Fetch.Request(request.url).validated().url == request.url, "\(text.debugDescription)")
        }
        #expect(read > 500)
    }
}

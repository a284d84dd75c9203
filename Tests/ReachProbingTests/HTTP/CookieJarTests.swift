import ReachMonitoring
import Testing

@testable import ReachProbing

/// The rules of RFC 6265.
struct CookieJarTests {
    private static let now: Int64 = 1_800_000_000

    private func question(_ url: String, cookie: String? = nil) throws -> HTTPQuestion {
        var question = HTTPQuestion(isSecure: false, host: "")
        if case .http(let parsed) = try Question(url) { question = parsed }
        if let cookie { question.options.headers = [HTTPOptions.Header(name: "cookie", value: cookie)] }
        return question
    }

    /// The cookies of a request to `next`, after a response from `first`.
    private func sent(_ fields: [String], from first: String = "http://a.test/x/y", to next: String) throws -> String? {
        var jar = CookieJar()
        jar.store(fields, from: try question(first), at: Self.now)
        return jar.adding(to: try question(next)).options.headers.first { $0.name == "Cookie" }?.value
    }

    @Test(
        arguments: [
            ("s=1", "http://a.test/x/z", "s=1"), ("s=1", "http://a.test/x", "s=1"), ("s=1", "http://a.test/", nil),
            ("s=1", "http://a.test/xy", nil), ("s=1; Path=/", "http://a.test/", "s=1"),
            ("s=1; Path=/q", "http://a.test/q/r?s", "s=1"), ("s=1; Path=/q/", "http://a.test/q", nil),
            ("s=1; Path=q", "http://a.test/x/", "s=1"), ("s=1; path=/q; PATH=/r", "http://a.test/r", "s=1"),
            // Hosts.
            ("s=1; Path=/", "http://b.test/", nil), ("s=1; Path=/", "http://www.a.test/", nil),
            ("s=1; Path=/; Domain=a.test", "http://www.a.test/", "s=1"),
            ("s=1; Path=/; Domain=.A.TEST", "http://www.a.test:8080/", "s=1"),
            ("s=1; Path=/; Domain=a.test", "http://ba.test/", nil),
            ("s=1; Path=/; Domain=b.test", "http://a.test/", nil),
            ("s=1; Path=/; Domain=www.a.test", "http://www.a.test/", nil),
            ("s=1; Path=/; Domain=test", "http://a.test/", nil), ("s=1; Path=/; Domain=", "http://a.test/", "s=1"),
            ("s=1; Path=/", "http://A.test./", "s=1"),
            // TLS.
            ("s=1; Path=/; Secure", "https://a.test/", "s=1"), ("s=1; Path=/; Secure", "http://a.test/", nil),
            ("s=1; Path=/", "https://a.test/", "s=1"),
            // The end.
            ("s=1; Path=/; Max-Age=0", "http://a.test/", nil), ("s=1; Path=/; Max-Age=-5", "http://a.test/", nil),
            ("s=1; Path=/; Max-Age=60", "http://a.test/", "s=1"), ("s=1; Path=/; Max-Age=x", "http://a.test/", "s=1"),
            ("s=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://a.test/", nil),
            ("s=1; Path=/; Expires=Thu, 01-Jan-1970 00:00:00 GMT", "http://a.test/", nil),
            ("s=1; Path=/; Expires=Thu, 01 Jan 2060 00:00:00 GMT", "http://a.test/", "s=1"),
            ("s=1; Path=/; Expires=then", "http://a.test/", "s=1"),
            ("s=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9", "http://a.test/", "s=1"),
            // Names and values.
            (" s = a=b ; Path=/", "http://a.test/", "s=a=b"), ("s=\"a b\"; Path=/", "http://a.test/", "s=\"a b\""),
            ("s=; Path=/", "http://a.test/", "s="), ("s; Path=/", "http://a.test/", nil),
            ("=1; Path=/", "http://a.test/", nil), ("s=a\u{1}b; Path=/", "http://a.test/", nil),
            ("", "http://a.test/", nil),
        ] as [(String, String, String?)]
    )
    func `a cookie is sent where it belongs`(field: String, next: String, cookie: String?) throws {
        #expect(try sent([field], to: next) == cookie, "\(field) to \(next)")
    }

    @Test func `an address is no domain, and a single label no domain of others`() throws {
        let url = "http://127.0.0.1/"
        #expect(try sent(["s=1; Domain=0.0.1; Path=/"], from: url, to: url) == nil)
        #expect(try sent(["s=1; Domain=127.0.0.1; Path=/"], from: url, to: url) == "s=1")
        #expect(try sent(["s=1; Domain=nas; Path=/"], from: "http://nas/", to: "http://nas/") == "s=1")
        #expect(try sent(["s=1; Domain=nas; Path=/"], from: "http://nas/", to: "http://a.nas/") == nil)
    }

    @Test(
        arguments: [
            ("__Secure-s=1; Path=/; Secure", "https://a.test/", "__Secure-s=1"),
            ("__Secure-s=1; Path=/", "https://a.test/", nil), ("__Secure-s=1; Path=/; Secure", "http://a.test/", nil),
            ("__Host-s=1; Path=/; Secure", "https://a.test/", "__Host-s=1"),
            ("__host-s=1; Secure", "https://a.test/x/", nil), ("__Host-s=1; Path=/", "https://a.test/", nil),
            ("__Host-s=1; Path=/; Secure; Domain=a.test", "https://a.test/", nil),
        ] as [(String, String, String?)]
    )
    func `a prefix of a name is a promise`(field: String, url: String, expected: String?) throws {
        #expect(try sent([field], from: url, to: "https://a.test/") == expected)
    }

    @Test func `a longer path comes first, then the older cookie, and the same name replaces`() throws {
        let fields = ["a=1; Path=/", "b=1; Path=/", "c=1; Path=/x", "a=2; Path=/"]
        #expect(try sent(fields, to: "http://a.test/x/") == "c=1; a=2; b=1")
        #expect(try sent(fields + ["a=; Path=/; Max-Age=0"], to: "http://a.test/x/") == "c=1; b=1")
    }

    @Test func `cookies of the request stay, unless the server has replaced them`() throws {
        var jar = CookieJar()
        jar.store(["a=2; Path=/"], from: try question("http://a.test/"), at: Self.now)
        let next = jar.adding(to: try question("http://a.test/", cookie: "a=1; own=1"))
        #expect(next.options.headers == [HTTPOptions.Header(name: "Cookie", value: "own=1; a=2")])
        let elsewhere = try question("http://b.test/", cookie: "own=1")
        #expect(jar.adding(to: elsewhere) == elsewhere)
    }

    @Test func `the size and the number of cookies are limited`() throws {
        let long = String(repeating: "v", count: 4_095)
        #expect(try sent(["s=\(long)"], to: "http://a.test/x/") == "s=\(long)")
        #expect(try sent(["s=\(long)v"], to: "http://a.test/x/") == nil)
        let many = try sent((0..<1_000).map { "n\($0)=1" }, to: "http://a.test/x/")
        #expect(many?.split(separator: ";").count == 150)
        let field = try sent((0..<10).map { "n\($0)=\(long.dropLast(5))" }, to: "http://a.test/x/")
        #expect((field?.utf8.count ?? 0) <= 8_190)
    }
}

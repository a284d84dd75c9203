import ReachMonitoring
import Testing

/// The proxy of a URL, from the environment.
@Suite struct ProxiesTests {
    /// A row of the table: with these variables, a URL is fetched by this proxy.
    struct Row: Sendable, CustomTestStringConvertible {
        let environment: [String: String]
        var url = "http://example.com/"
        /// `HOST:PORT`; nil without a proxy.
        let proxy: String?

        var testDescription: String {
            environment.map { "\($0)=\($1)" }.sorted().joined(separator: " ") + " \(url)"
        }
    }

    private static let rows: [Row] = [
        Row(environment: [:], proxy: nil),
        Row(environment: ["http_proxy": "http://p:3128"], proxy: "p:3128"),
        Row(environment: ["http_proxy": "http://p:3128/"], proxy: "p:3128"),
        Row(environment: ["http_proxy": "p:3128"], proxy: "p:3128"),
        Row(environment: ["http_proxy": "http://p:80"], proxy: "p:80"),
        Row(environment: ["http_proxy": "p"], proxy: "p:1080"),
        Row(environment: ["http_proxy": "http://me:pass@p:3128"], proxy: "p:3128"),
        Row(environment: ["http_proxy": "http://[2001:db8::1]:3128"], proxy: "2001:db8::1:3128"),
        Row(environment: ["http_proxy": "p:3128"], url: "https://example.com/", proxy: nil),
        // A web server passes the Proxy field of a client to CGI scripts by this name.
        Row(environment: ["HTTP_PROXY": "p:3128"], proxy: nil),
        Row(environment: ["https_proxy": "p:3128"], proxy: nil),
        Row(environment: ["https_proxy": "p:3128"], url: "https://example.com/", proxy: "p:3128"),
        Row(environment: ["HTTPS_PROXY": "p:3128"], url: "https://example.com/", proxy: "p:3128"),
        Row(environment: ["https_proxy": "a:1", "HTTPS_PROXY": "b:2"], url: "https://example.com/", proxy: "a:1"),
        Row(environment: ["all_proxy": "p:3128"], proxy: "p:3128"),
        Row(environment: ["ALL_PROXY": "p:3128"], url: "https://example.com/", proxy: "p:3128"),
        Row(environment: ["http_proxy": "a:1", "all_proxy": "b:2"], proxy: "a:1"),
        Row(environment: ["http_proxy": "", "all_proxy": "b:2"], proxy: "b:2"),
        Row(environment: ["http_proxy": "p:3128", "NO_PROXY": "example.com"], proxy: nil),
        Row(environment: ["http_proxy": "p:3128", "no_proxy": "", "NO_PROXY": "example.com"], proxy: nil),
    ]

    @Test(arguments: rows)
    func `the proxy is the one that curl uses`(_ row: Row) throws {
        guard case .http(let question) = try Question(row.url) else { return #expect(Bool(false)) }
        let proxy = try Proxies(environment: row.environment).proxy(for: question)
        #expect(proxy.map { "\($0.host):\($0.port)" } == row.proxy)
    }

    @Test(
        arguments: [
            ("example.com", "example.com", true), ("example.com", "www.example.com", true),
            (".example.com", "www.example.com", true), (".example.com", "example.com", true),
            ("example.com", "badexample.com", false), ("www.example.com", "example.com", false),
            ("EXAMPLE.com", "Www.Example.COM", true), ("example.com.", "example.com", true),
            ("example.com", "example.com.", true), ("a.test,example.com", "example.com", true),
            ("a.test example.com", "example.com", true), ("a.test, example.com ", "example.com", true),
            ("*", "example.com", true), ("*", "192.0.2.1", true), ("*.example.com", "www.example.com", false),
            ("a.test,*", "example.com", false), ("", "example.com", false), (",.,", "example.com", false),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.10", false), ("0.2.1", "192.0.2.1", false),
            ("192.0.2.0/24", "192.0.2.77", true), ("192.0.2.0/24", "192.0.3.77", false),
            ("192.0.2.0/25", "192.0.2.127", true), ("192.0.2.0/25", "192.0.2.128", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("192.0.2.0/33", "192.0.2.0", false),
            ("192.0.2.0/", "192.0.2.0", false), ("192.0.2.0/24", "example.com", false),
            ("::1", "::1", true), ("[::1]", "::1", true), ("2001:db8::/32", "2001:db8:1::9", true),
            ("2001:db8::/32", "2001:db9::9", false), ("fe80::1", "fe80::1%eth0", true),
            ("2001:0db8::0001", "2001:db8::1", true),
            ("192.0.2.0/24", "[::ffff:192.0.2.7]", true), ("::ffff:192.0.2.7", "192.0.2.7", true),
            ("::ffff:192.0.2.0/120", "192.0.2.7", true), ("::ffff:192.0.2.0/120", "192.0.3.7", false),
            ("::ffff:0:0/95", "192.0.2.7", false), ("::/0", "::ffff:192.0.2.7", false),
        ]
    )
    func `no_proxy lists the hosts without a proxy`(_ list: String, _ host: String, _ isListed: Bool) {
        #expect(ProxyExceptions(list).contain(host) == isListed)
    }

    @Test(
        arguments: [
            ("socks5://me:secret@p:1080", "unsupported scheme \"socks5\""),
            ("https://me:secret@p:443", "unsupported scheme \"https\""),
            ("http://", "the host is missing"), ("http://me:secret@p:99999", "invalid port \"99999\""),
            ("http://me:sec%xxret@p:1", "invalid percent-encoding in the user or password"),
        ]
    )
    func `the error of an invalid proxy has the variable, and no password`(_ value: String, _ message: String) {
        let question = HTTPQuestion(isSecure: false, host: "example.com")
        let problem = #expect(throws: URLProblem.self) {
            try Proxies(environment: ["http_proxy": value]).proxy(for: question)
        }
        #expect(problem?.description.hasPrefix("http_proxy: \(message)") == true, "\(problem?.description ?? "")")
        #expect(problem?.description.contains("sec") == false)
    }

    @Test func `user and password of a proxy are decoded`() throws {
        let question = HTTPQuestion(isSecure: false, host: "example.com")
        let proxies = Proxies(environment: ["http_proxy": "http://me:a%3Ab%40@p:3128"])
        #expect(try proxies.proxy(for: question)?.credentials == "me:a:b@")
    }
}

import NIOHTTP1
import Testing

@testable import reach

@Suite struct RequestParsingTests {
    private func parsed(_ text: String) -> Result<HTTPRequestHead, RequestRefusal> {
        HTTPRequestHead.parsed(Array(text.utf8))
    }

    @Test func `a request has its method, path and fields, however they are written`() throws {
        let text = "GET /metrics?x=1 HTTP/1.1\r\nHOST: h\r\naccept:\t text/plain;q=1 \r\nX-Odd: \u{FC}\r\n\r\n"
        let request = try parsed(text).get()
        #expect(request.method == .GET && request.path == "/metrics" && request.version == .http1_1)
        #expect(request.headers.first(name: "Accept") == "text/plain;q=1")
        #expect(try parsed("HEAD http://h:80/healthz HTTP/1.0\n\n").get().path == "/healthz")
        #expect(try parsed("GET http://h HTTP/1.0\n\n").get().path == "/")
    }

    @Test(
        arguments: [
            "", "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / http/1.1\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nNothing\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n",
        ]
    )
    func `what breaks the rules is refused`(_ text: String) {
        #expect(throws: RequestRefusal.malformed) { try parsed(text).get() }
    }

    @Test(arguments: ["HTTP/0.9", "HTTP/1.2", "HTTP/2", "HTTP/2.0", "HTTP/1.1x"])
    func `another version is refused as such`(_ version: String) {
        #expect(throws: RequestRefusal.otherVersion) { try parsed("GET / \(version)\r\nHost: h\r\n\r\n").get() }
    }

    @Test(arguments: [
        "localhost", "LocalHost:9720", "localhost.", "127.0.0.1", "127.1.2.3:80", "[::1]", "[::1]:9720", "localhost:",
    ])
    func `a loopback listener answers this machine's own names`(_ host: String) throws {
        let request = try parsed("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").get()
        #expect(request.directed(toLoopback: true) == .success(request))
    }

    @Test(arguments: [
        "h", "evil.example", "evil.example:9720", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.0.1",
        "127.0.0.256", "128.0.0.1", "0.0.0.0", "[::2]", "[::1].evil.example", "[::1", "evil.example:80:localhost",
        "localhost@evil.example", "", "192.0.2.1", "localhost:80x",
    ])
    func `a loopback listener refuses a name that may stand for it by a trick`(_ host: String) throws {
        let request = try parsed("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").get()
        #expect(request.directed(toLoopback: true) == .failure(.misdirected))
        #expect(request.directed(toLoopback: false) == .success(request))
        #expect(RequestRefusal.misdirected.page.status.code == 421)
    }

    @Test func `the host of an absolute target counts, and HTTP 1 0 may have none`() throws {
        let evil = try parsed("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n").get()
        #expect(evil.directed(toLoopback: true) == .failure(.misdirected))
        let old = try parsed("GET / HTTP/1.0\r\n\r\n").get()
        #expect(old.directed(toLoopback: true) == .success(old))
    }

    @Test func `no bytes make it trap`() {
        var random = SystemRandomNumberGenerator()
        let seed = "GET http://h/metrics?a HTTP/1.1\r\nHost: h\r\nAccept: */*;q=0.1\r\n\r\n"
        for _ in 0..<2_000 {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            if case .success(let request) = HTTPRequestHead.parsed(bytes) {
                #expect([.http1_0, .http1_1].contains(request.version))
            }
        }
    }
}

import ArgumentParser
import ReachKit
import ReachMonitoring
import ReachScreen
import Testing

@testable import reach

/// The request that the command line describes.
@Suite struct FetchOptionsTests {
    private func request(_ arguments: String..., url: String = "http://example.com/") throws -> Fetch.Request {
        try FetchRequestOptions.parse(arguments).fetchRequest(of: url, timeout: .seconds(7))
    }

    private func fields(_ request: Fetch.Request) -> [String] {
        request.headers.map { "\($0.name): \($0.value)" }
    }

    @Test
    func `without options, the request is a GET with a timeout for silence and up to ten redirects`()
        throws
    {
        let request = try request()
        #expect(request.method == "GET")
        #expect(request.headers.isEmpty)
        #expect(request.redirectLimit == 10)
        #expect(request.timeout == .seconds(7))
        #expect(!request.limitsWholeTry)
    }

    @Test func `the files of TLS are checked before the host is waited for`() throws {
        #expect(try FetchTLSOptions.parse([]).tls() == Fetch.TLS())
        #expect(try FetchTLSOptions.parse(["--insecure"]).tls() == Fetch.TLS(verifiesServer: false))
        let error = #expect(throws: StartupError.self) { try FetchTLSOptions.parse(["--ca", "/nowhere.pem"]).tls() }
        #expect(error?.lines == ["cannot read /nowhere.pem: No such file or directory"])
        // Without a key of its own, that of the certificate's file.
        let client = #expect(throws: StartupError.self) { try FetchTLSOptions.parse(["--cert", "/nowhere.pem"]).tls() }
        #expect(client?.lines == ["cannot read /nowhere.pem: No such file or directory"])
        let lonely = #expect(throws: (any Error).self) { try FetchTLSOptions.parse(["--key", "me.key"]) }
        #expect(FetchTLSOptions.message(for: try #require(lonely)) == "--key: a key without a certificate – add --cert")
    }

    @Test func `data makes the request a POST of a form by default, as in curl`() throws {
        let form = try request("-d", "a=1")
        #expect(form.method == "POST")
        #expect(fields(form) == ["Content-Type: application/x-www-form-urlencoded"])
        let json = try request("-d", "{}", "-X", "PATCH", "-H", "content-type:application/json")
        #expect(json.method == "PATCH")
        #expect(fields(json) == ["content-type: application/json"])
    }

    @Test func `data and fields may begin with dashes`() async throws {
        let options = try FetchRequestOptions.parse(["-d", "-1", "-d", "--x", "-H", "X: --y", "-H", "Empty:"])
        let request = try options.fetchRequest(of: "http://example.com/", timeout: .seconds(1))
        #expect(try await request.body?.opened().length == 6)
        let fields = fields(request)
        #expect(fields.prefix(2) == ["X: --y", "Empty: "])
    }

    @Test func `an Authorization field overrides the user info of the URL`() throws {
        let url = "http://me:secret@example.com/"
        #expect(fields(try request(url: url)) == ["Authorization: Basic bWU6c2VjcmV0"])
        #expect(fields(try request("-H", "authorization: Bearer x", url: url)) == ["authorization: Bearer x"])
    }

    @Test(
        arguments: [
            "secret", ":secret", "a b: secret", "a: sec\r\nret", "a: sec\u{0}ret", "Content-Length: 1",
            "transfer-encoding: chunked", "Connection: close", "ü: secret",
        ]
    )
    func `an invalid field is refused, and its value is not quoted`(_ field: String) {
        let problem = #expect(throws: (any Error).self) { try FetchRequestOptions.parse(["-H", field]) }
        let message = problem.map { FetchRequestOptions.message(for: $0) } ?? "secret"
        #expect(message.contains("-H "))
        #expect(!message.contains("sec"))
    }
}

/// The progress line of a fetch.
@Suite struct FetchProgressTests {
    private func line(_ stage: FetchProgress.Stage, at seconds: Double = 10, columns: Int = 79) -> String {
        FetchProgress(stage: stage, since: .seconds(2)).line(at: .seconds(seconds), columns: columns, isASCII: true)
    }

    @Test func `each stage has its text`() {
        #expect(
            line(.waiting(for: "example.com:443", because: "refused"))
                == "waiting for example.com:443: refused  8s"
        )
        #expect(line(.requesting) == "requesting  8s")
        #expect(line(.pausing(until: .seconds(11.5), because: "HTTP 503")) == "HTTP 503; again in 1.5s")
        #expect(line(.pausing(until: .seconds(9), because: "HTTP 503")) == "HTTP 503; again in 0.0s")
    }

    @Test func `a body of known length has a bar and the remaining time`() {
        #expect(
            line(.receiving(45_000_000, of: 100_000_000, since: .seconds(1)))
                == "#############----------------  45%  45 of 100 MB  5.0 MB/s  11s left"
        )
        #expect(line(.receiving(0, of: 100, since: .seconds(10))).hasSuffix("   0%  0 of 100 B"))
        let whole = line(.receiving(100, of: 100, since: .zero))
        #expect(whole.hasPrefix("####") && whole.hasSuffix("# 100%  100 of 100 B  10 B/s"))
    }

    @Test func `a server that sends more than its Content-Length does not break the bar`() {
        #expect(line(.receiving(300, of: 100, since: .zero)).contains("# 100%  300 of 100 B"))
        #expect(line(.receiving(300, of: 0, since: .zero)) == "300 B  30 B/s")
        #expect(line(.receiving(.max, of: nil, since: .zero)).hasPrefix("9223 PB"))
        #expect(line(.receiving(.max, of: .max, since: .zero), at: 100_000).count <= 79)
    }

    @Test func `a body without a length has no bar`() {
        #expect(line(.receiving(45_000, of: nil, since: .seconds(1))) == "45 kB  5.0 kB/s")
    }

    @Test(arguments: [20, 25, 40, 60, 79, 200])
    func `the line is never wider than the terminal`(_ columns: Int) {
        let cause = String(repeating: "ü界", count: 200)
        for stage in [
            FetchProgress.Stage.waiting(for: "example.com:443", because: cause),
            .pausing(until: .seconds(99), because: cause), .receiving(45_000_000, of: 100_000_000, since: .seconds(1)),
        ] {
            #expect(line(stage, columns: columns).displayWidth <= columns)
        }
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_949, "9.9 kB"), (9_950, "10 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (123_456_789, "123 MB"), (1_100_000_000, "1.1 GB"), (-5, "0 B"),
        ] as [(Int64, String)]
    )
    func `bytes have three significant figures at most`(_ count: Int64, _ text: String) {
        #expect(count.bytesText == text)
    }
}

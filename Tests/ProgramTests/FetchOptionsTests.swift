import ArgumentParser
import Monitoring
import ReachKit
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

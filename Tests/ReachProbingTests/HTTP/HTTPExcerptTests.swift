import NIOCore
import Testing

@testable import ReachProbing

/// The beginning of a response that is shown with a failure.
struct HTTPExcerptTests {
    private func excerpt(_ text: String, codings: [String] = []) -> String? {
        var response = HTTPResponse(status: 503, location: nil, codings: codings, keepsBody: false)
        response.beginning = ByteBuffer(string: text)
        return response.excerpt
    }

    @Test func `an excerpt has the head, and a body that is text`() {
        #expect(
            excerpt("HTTP/1.1 503 Busy\r\nServer: a\r\nRetry-After: 9\r\n\r\n<p>\r\n\r\nback at noon\n")
                == "HTTP/1.1 503 Busy\nServer: a\nRetry-After: 9\n\n<p>\nback at noon"
        )
        #expect(excerpt("HTTP/1.1 503 Busy\r\nServer: a\r\n") == "HTTP/1.1 503 Busy\nServer: a")
        #expect(excerpt("HTTP/1.1 503 Busy\n\n\u{1}\u{2}") == "HTTP/1.1 503 Busy")
        #expect(excerpt("HTTP/1.1 503 Busy\n\nxyz", codings: ["gzip"]) == "HTTP/1.1 503 Busy")
        #expect(excerpt("") == nil)
    }

    @Test func `interim responses are left out`() {
        #expect(excerpt("HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 503 Busy\r\n\r\n") == "HTTP/1.1 503 Busy")
    }

    @Test func `the sizes of chunks are left out`() {
        let head = "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(excerpt(head + "5\r\nback \r\n7;x=y\r\nat noon\r\n0\r\n\r\n")?.hasSuffix("\n\nback at noon") == true)
        #expect(excerpt(head + "f\r\nback at")?.hasSuffix("\n\nback at") == true)
        #expect(excerpt(head + "fffffffffffffffff\r\nback at")?.hasSuffix("chunked") == true)
    }

    @Test(
        arguments: [
            "Set-Cookie: id=s3cret", "WWW-Authenticate: Basic s3cret", "X-Api-Key: s3cret", "x-csrf-token: s3cret",
            "Location: https://example.com/login?ticket=s3cret", "Set-Cookie: a=b;\r\n\ts3cret",
        ]
    )
    func `what may be secret is left out`(field: String) throws {
        let text = try #require(excerpt("HTTP/1.1 302 Found\r\n\(field)\r\nServer: a\r\n\r\n"))
        #expect(!text.contains("s3cret") && text.contains("…") && text.contains("Server: a"))
    }

    @Test func `an excerpt is short`() throws {
        let fields = (0..<60).map { "X-\($0): \(String(repeating: "y", count: 300))\r\n" }.joined()
        let text = try #require(excerpt("HTTP/1.1 503 Busy\r\n\(fields)\r\n"))
        #expect(text.count <= 1_100 && text.split(separator: "\n").allSatisfy { $0.count <= 160 })
        // Nothing is left out in between.
        let lines = (0..<9).map { _ in String(repeating: "z", count: 150) } + ["short"]
        let cut = try #require(excerpt("HTTP/1.1 503 Busy\n\n" + lines.joined(separator: "\n")))
        #expect(cut.hasSuffix("z") && cut.count <= 1_100)
    }
}

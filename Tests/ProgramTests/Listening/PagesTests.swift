import NIOHTTP1
import Testing

@testable import reach

@Suite struct PagesTests {
    private let desk = Desk()

    private func page(_ words: String) async throws -> Page {
        let request = try HTTPRequestHead.parsed(Array("\(words) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)).get()
        return await Pages(desk: desk, patience: .milliseconds(1)).page(for: request)
    }

    @Test(arguments: ["/metrics", "/targets", "/healthz"])
    func `a loop that does not go round is no health`(_ path: String) async throws {
        #expect(try await page("GET \(path)").status.code == 503)
    }

    @Test func `nobody asks the loop for what is not there, or is not to be read`() async throws {
        for path in ["/", "/metric", "/metrics/x"] {
            #expect(try await page("GET \(path)").status.code == 404)
        }
        let page = try await page("PUT /metrics")
        #expect(page.status.code == 405 && page.fields.contains { $0 == ("Allow", "GET, HEAD") })
    }
}

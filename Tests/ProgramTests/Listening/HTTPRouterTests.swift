import NIOHTTP1
import Testing

@testable import reach

@Suite struct HTTPRouterTests {
    private let router = HTTPRouter(scrapes: ScrapeQueue(), timeout: .milliseconds(1))

    private func response(_ method: HTTPMethod, _ path: String) async -> HTTPResponse {
        await router.response(to: HTTPRequestHead(version: .http1_1, method: method, uri: path))
    }

    @Test(arguments: ["/metrics", "/targets", "/healthz"])
    func `without a running loop, the status is 503`(_ path: String) async {
        #expect(await response(.GET, path).status == .serviceUnavailable)
    }

    @Test func `unknown paths and other methods are refused without the loop`() async {
        for path in ["/", "/metric", "/metrics/x"] {
            #expect(await response(.GET, path).status == .notFound)
        }
        let refused = await response(.PUT, "/metrics")
        #expect(refused.status == .methodNotAllowed && refused.headers["Allow"] == ["GET, HEAD"])
        #expect(router.scrapes.count == 0)
    }
}

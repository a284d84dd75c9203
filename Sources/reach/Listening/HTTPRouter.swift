import NIOHTTP1
import Reporting

/// Maps requests to responses.
struct HTTPRouter: Sendable {
    let scrapes: ScrapeQueue
    /// How long a request waits for the watch loop.
    var timeout = Duration.seconds(5)

    /// Returns the response to a valid request.
    func response(to request: HTTPRequestHead) async -> HTTPResponse {
        guard let endpoint = ScrapeQueue.Endpoint(rawValue: request.path) else {
            let paths = ScrapeQueue.Endpoint.allCases.map(\.rawValue).joined(separator: ", ")
            return HTTPResponse(.notFound, text: "Not found. Paths: \(paths)\n")
        }
        guard request.method == .GET || request.method == .HEAD else {
            var response = HTTPResponse(.methodNotAllowed, text: "Method not allowed: use GET.\n")
            response.headers.add(name: "Allow", value: "GET, HEAD")
            return response
        }
        guard let answer = await scrapes.answer(to: endpoint, timeout: timeout) else {
            return HTTPResponse(
                .serviceUnavailable,
                text: "Unavailable: the program is not responding, or is exiting.\n"
            )
        }
        switch answer {
        case .alive:
            return HTTPResponse(text: "ok\n")
        case .targets(let record):
            return HTTPResponse(type: "application/json", text: record.json + "\n")
        case .metrics(let exposition):
            let format = MetricsFormat(accepting: request.headers.first(name: "Accept"))
            return HTTPResponse(type: format.contentType, metrics: exposition.text(in: format))
        }
    }
}

import NIOHTTP1
import Reporting

/// Maps requests to responses.
struct HTTPRouter: Sendable {
    let scrapes: ScrapeQueue
    /// Answers requests for probes; nil where there are none.
    var probes: ProbeEndpoint?
    /// How long a request waits for the watch loop.
    var timeout = Duration.seconds(5)

    /// Returns the response to a valid request.
    func response(to request: HTTPRequestHead) async -> HTTPResponse {
        let probes = probes?.isEnabled == true ? probes : nil
        if let probes, request.path == ProbeEndpoint.path {
            return request.method == .GET ? await probes.response(to: request) : Self.methodNotAllowed("GET")
        }
        guard let endpoint = ScrapeQueue.Endpoint(rawValue: request.path) else {
            let paths = ScrapeQueue.Endpoint.allCases.map(\.rawValue) + (probes == nil ? [] : [ProbeEndpoint.path])
            return HTTPResponse(.notFound, text: "Not found. Paths: \(paths.joined(separator: ", "))\n")
        }
        guard request.method == .GET || request.method == .HEAD else { return Self.methodNotAllowed("GET, HEAD") }
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

    private static func methodNotAllowed(_ allowed: String) -> HTTPResponse {
        var response = HTTPResponse(.methodNotAllowed, text: "Method not allowed: use GET.\n")
        response.headers.add(name: "Allow", value: allowed)
        return response
    }
}

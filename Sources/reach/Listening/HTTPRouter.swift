import NIOHTTP1
import Reporting

/// Maps requests to responses.
struct HTTPRouter: Sendable {
    let scrapes: ScrapeQueue
    /// How long a request waits for the loop.
    var timeout = Duration.seconds(5)

    /// The response to a valid request.
    func response(to request: HTTPRequestHead) async -> HTTPResponse {
        guard let question = ScrapeQueue.Question(rawValue: request.path) else {
            let paths = ScrapeQueue.Question.allCases.map(\.rawValue).joined(separator: ", ")
            return HTTPResponse(.notFound, text: "There are \(paths).\n")
        }
        guard request.method == .GET || request.method == .HEAD else {
            var response = HTTPResponse(.methodNotAllowed, text: "This is only to be read: GET.\n")
            response.headers.add(name: "Allow", value: "GET, HEAD")
            return response
        }
        guard let answer = await scrapes.answer(to: question, timeout: timeout) else {
            return HTTPResponse(.serviceUnavailable, text: "The program is stuck, or ending.\n")
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

import NIOHTTP1
import Reporting

/// What there is to read at which path.
struct Pages: Sendable {
    let desk: Desk
    /// How long the loop may take to answer.
    var patience = Duration.seconds(5)

    /// The answer to a request.
    func page(for request: HTTPRequestHead) async -> Page {
        guard let question = Desk.Question(rawValue: request.path) else {
            return Page(.notFound, "There are \(Desk.Question.allCases.map(\.rawValue).joined(separator: ", ")).\n")
        }
        guard request.method == .GET || request.method == .HEAD else {
            var page = Page(.methodNotAllowed, "This is only to be read: GET.\n")
            page.fields.append(("Allow", "GET, HEAD"))
            return page
        }
        guard let answer = await desk.answer(to: question, within: patience) else {
            return Page(.serviceUnavailable, "The program is stuck, or ending.\n")
        }
        var page =
            switch answer {
            case .alive:
                Page(.ok, "ok\n")
            case .targets(let record):
                Page(type: "application/json", .words(record.json + "\n"))
            case .metrics(let exposition):
                metrics(exposition, accepting: request.headers.first(name: "Accept"))
            }
        page.hasBody = request.method != .HEAD
        return page
    }

    private func metrics(_ exposition: Exposition, accepting accept: String?) -> Page {
        let format = MetricsFormat(accepting: accept)
        var page = Page(type: format.contentType, .metrics(exposition.text(in: format)))
        page.fields.append(("Vary", "Accept"))
        return page
    }
}

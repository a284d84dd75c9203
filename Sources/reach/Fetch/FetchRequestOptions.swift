import ArgumentParser
import Monitoring
import ReachKit

/// The request of `reach fetch`, with curl's option names.
struct FetchRequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X"), .long],
        help: ArgumentHelp("Method. (default: GET, or POST with -d)", valueName: "method")
    )
    var request: String?

    @Option(
        name: [.customShort("H"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Header field, 'Name: value'; may be repeated.", valueName: "field")
    )
    var header: [String] = []

    @Option(
        name: [.customShort("d"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Request body: a text, or the bytes of @FILE (@-: standard input); several are joined with &.",
            valueName: "data"
        )
    )
    var data: [String] = []

    @Option(help: ArgumentHelp("Maximum number of redirects to follow, 0 to 50.", valueName: "count"))
    var follow = 10

    func validate() throws {
        guard (0...50).contains(follow) else { throw ValidationError("--follow \(follow): must be between 0 and 50") }
        if let request, !request.isHTTPToken {
            throw ValidationError("-X: invalid method \"\(request)\" – such as GET, PUT, DELETE")
        }
        _ = try fields()
    }

    /// Returns the request. The files of its body are not opened yet.
    ///
    /// - Throws: ``StartupError`` when the URL is invalid.
    func fetchRequest(of url: String, timeout: Duration) throws(StartupError) -> Fetch.Request {
        do {
            var fetch = Fetch.Request(url, headers: try fields(), body: body, redirectLimit: follow, timeout: timeout)
            fetch.method = request ?? (data.isEmpty ? "GET" : "POST")
            if !data.isEmpty, fetch.headers[.contentType] == nil {
                fetch.headers[.contentType] = "application/x-www-form-urlencoded"
            }
            return try fetch.validated()
        } catch {
            throw StartupError(lines: ["\(error)"])
        }
    }

    private func fields() throws -> HTTPFields {
        HTTPFields(try header.enumerated().map { try HTTPField(field: $0.element, number: $0.offset + 1) })
    }

    private var body: Fetch.Body? {
        var body: Fetch.Body?
        for text in data {
            let part: Fetch.Body =
                switch text {
                case "@-": .standardInput
                case _ where text.hasPrefix("@"): .file(String(text.dropFirst()))
                default: .text(text)
                }
            if body == nil {
                body = part
            } else {
                body?.append("&")
                body?.append(part)
            }
        }
        return body
    }
}

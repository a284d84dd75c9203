import NIOHTTP1
import ReachReporting

/// Maps requests to responses.
struct HTTPRouter: Sendable {
    let requests: HTTPRequestQueue
    /// Answers requests for probes; nil where there are none.
    var probes: ProbeEndpoint?
    /// How long a request waits for the watch loop.
    var timeout = Duration.seconds(5)

    /// Returns the response to a valid request.
    func response(to request: HTTPRequestHead) async -> HTTPServerResponse {
        let probes = probes?.isEnabled == true ? probes : nil
        if let probes, request.path == ProbeEndpoint.path {
            return request.method == .GET ? await probes.response(to: request) : Self.methodNotAllowed("GET")
        }
        let endpoints = HTTPRequestQueue.Endpoint.allCases.filter { probes != nil || !$0.needsModules }
        guard let endpoint = endpoints.first(where: { $0.rawValue == request.path }) else {
            let paths = endpoints.map(\.rawValue) + (probes == nil ? [] : [ProbeEndpoint.path])
            return HTTPServerResponse(.notFound, text: "Not found. Paths: \(paths.joined(separator: ", "))\n")
        }
        let methods: [HTTPMethod] = endpoint == .reload ? [.POST, .PUT] : [.GET, .HEAD]
        guard methods.contains(request.method) else {
            return Self.methodNotAllowed(methods.map(\.rawValue).joined(separator: ", "))
        }
        guard let answer = await requests.answer(to: endpoint, timeout: timeout) else {
            return HTTPServerResponse(
                .serviceUnavailable,
                text: "Unavailable: the program is not responding, or is exiting.\n"
            )
        }
        switch answer {
        case .alive:
            return HTTPServerResponse(text: endpoint == .healthy ? "Healthy" : "ok\n")
        case .reloaded(let problems):
            guard !problems.isEmpty else { return HTTPServerResponse(text: "") }
            let text = "failed to reload config: \(problems.joined(separator: "\n"))\n"
            return HTTPServerResponse(.internalServerError, text: text)
        case .targets(let record):
            return HTTPServerResponse(type: "application/json", text: record.json + "\n")
        case .metrics(let exposition):
            let format = MetricsFormat(accepting: request.headers.first(name: "Accept"))
            return HTTPServerResponse(type: format.contentType, metrics: exposition.text(in: format))
        }
    }

    private static func methodNotAllowed(_ allowed: String) -> HTTPServerResponse {
        let first = allowed.prefix { $0 != "," }
        var response = HTTPServerResponse(.methodNotAllowed, text: "Method not allowed: use \(first).\n")
        response.headers.add(name: "Allow", value: allowed)
        return response
    }
}

/// A response to an HTTP request.
struct HTTPServerResponse: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// A response to HEAD has none.
        case none
        case text(String)
        /// Parts, each created when the previous one has been sent. Their length is not known in advance.
        case parts(any IteratorProtocol<String> & Sendable)
    }

    let status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body
    /// Whether the client may send further requests on the connection.
    var keepsConnection = false

    /// A response with a text as its body.
    init(_ status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", text: String) {
        self.status = status
        headers = ["Content-Type": type, "Content-Length": "\(text.utf8.count)"]
        body = .text(text)
    }

    /// A response with metrics as its body, whose length is not known in advance.
    init(type: String, metrics: ExpositionText) {
        status = .ok
        headers = ["Content-Type": type, "Vary": "Accept, Accept-Encoding"]
        body = .parts(metrics)
    }

    /// The status line and the header fields. A body of unknown length is sent in chunks, so that a client detects an
    /// incomplete one. HTTP/1.0 has no chunks; there the body ends with the connection.
    func head(for version: HTTPVersion) -> HTTPResponseHead {
        var headers = headers
        headers.add(contentsOf: [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ])
        if !keepsConnection { headers.add(name: "Connection", value: "close") }
        if case .parts = body, version != .http1_0 {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}

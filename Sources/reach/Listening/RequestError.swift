import NIOHTTP1

/// The reason to refuse a request before its path is routed.
enum RequestError: Error, Hashable {
    /// The request is not valid HTTP.
    case malformed
    /// The head is longer than ``HTTPRequestHandler/headLimit``.
    case headTooLong
    /// The version is neither HTTP/1.0 nor HTTP/1.1.
    case unsupportedVersion
    /// The host is not this machine.
    case misdirected
    /// The request changes something, and is not from a program of this machine.
    case forbidden

    /// The reason for an error of NIO's parser.
    init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow: self = .headTooLong
        // The parser pauses at the HTTP/2 connection preface.
        case .invalidVersion, .paused: self = .unsupportedVersion
        default: self = .malformed
        }
    }

    /// The response to a refused request.
    var response: HTTPResponse {
        switch self {
        case .malformed: HTTPResponse(.badRequest, text: "Malformed HTTP request.\n")
        case .headTooLong: HTTPResponse(.requestHeaderFieldsTooLarge, text: "Request head too long.\n")
        case .misdirected:
            HTTPResponse(
                .misdirectedRequest,
                text: "Invalid host: use localhost or a loopback address.\n"
            )
        case .forbidden:
            HTTPResponse(.forbidden, text: "Forbidden: use a loopback address of this machine.\n")
        case .unsupportedVersion:
            HTTPResponse(.httpVersionNotSupported, text: "Unsupported HTTP version: use HTTP/1.1.\n")
        }
    }
}

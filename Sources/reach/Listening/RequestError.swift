import NIOHTTP1

/// Why a request is refused before its path is looked at.
enum RequestError: Error, Hashable {
    /// It is not valid HTTP.
    case malformed
    /// Its head is longer than ``HTTPRequestHandler/headLimit``.
    case headTooLong
    /// Its version is neither HTTP/1.0 nor HTTP/1.1.
    case unsupportedVersion
    /// Its host is not this machine.
    case misdirected

    /// The reason for an error of NIO's parser.
    init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow: self = .headTooLong
        // The parser pauses at the preface of HTTP/2.
        case .invalidVersion, .paused: self = .unsupportedVersion
        default: self = .malformed
        }
    }

    /// The response to such a request.
    var response: HTTPResponse {
        switch self {
        case .malformed: HTTPResponse(.badRequest, text: "This is no HTTP request.\n")
        case .headTooLong: HTTPResponse(.requestHeaderFieldsTooLarge, text: "The request is too long.\n")
        case .misdirected:
            HTTPResponse(
                .misdirectedRequest,
                text: "The host is not this one: only localhost and loopback addresses are answered here.\n"
            )
        case .unsupportedVersion: HTTPResponse(.httpVersionNotSupported, text: "Here is HTTP/1.1.\n")
        }
    }
}

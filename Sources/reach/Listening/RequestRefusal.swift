import NIOHTTP1

/// Why a request is not even looked at.
enum RequestRefusal: Error, Hashable {
    /// It breaks the rules of HTTP.
    case malformed
    /// Its head has too many bytes.
    case headTooLong
    /// It is no HTTP/1.0 or 1.1.
    case otherVersion
    /// It is for another host than this one.
    case misdirected

    /// The answer to it.
    var page: Page {
        switch self {
        case .malformed: Page(.badRequest, "This is no HTTP request.\n")
        case .headTooLong: Page(.requestHeaderFieldsTooLarge, "The request is too long.\n")
        case .misdirected:
            Page(
                .misdirectedRequest,
                "The host is not this one: only localhost and loopback addresses are answered here.\n"
            )
        case .otherVersion: Page(.httpVersionNotSupported, "Here is HTTP/1.1.\n")
        }
    }
}

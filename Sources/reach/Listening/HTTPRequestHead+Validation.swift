import NIOCore
import NIOHTTP1
import ReachBasics

extension HTTPRequestHead {
    /// Performs the checks that NIO's parser leaves to servers.
    ///
    /// On a loopback address, a request with another host is refused. Such a name resolves to this machine by DNS rebinding,
    /// so that a page of another site could read the response.
    ///
    /// A reload is refused to other machines, and to pages in a browser, which name their origin in such a request.
    ///
    /// - Parameters:
    ///   - isLoopback: Whether the listener's address is a loopback address.
    ///   - client: The address of the client.
    func validate(isLoopback: Bool, from client: SocketAddress?) throws(RequestError) {
        // A line break in a value is an obsolete line folding (RFC 9112 §5.2).
        guard headers.allSatisfy({ $0.value.isFieldValue }) else { throw .malformed }
        // RFC 9112 §3.2: a server must refuse an HTTP/1.1 request without a Host field, and any request with two.
        let hosts = headers["Host"]
        guard hosts.count == 1 || (hosts.isEmpty && version == .http1_0) else { throw .malformed }
        // An HTTP/1.0 request may have no Host field; browsers do not send HTTP/1.0.
        if isLoopback, let host = uri.origin ?? hosts.first, !host.isLoopbackHost { throw .misdirected }
        if path == HTTPRequestQueue.Endpoint.reload.rawValue {
            guard client?.isLoopback == true, headers["Origin"].isEmpty else { throw .forbidden }
        }
    }

    /// The path, without the query.
    var path: String {
        let path = uri.utf8.prefix { $0 != UInt8(ascii: "?") }
        return String(Substring(path)).withoutOrigin
    }
}

extension String {
    /// The path of a request target in absolute form, `http://host/path` (RFC 9112 §3.2.2); the string itself if it is a path.
    fileprivate var withoutOrigin: String {
        guard !hasPrefix("/"), let scheme = firstRange(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    /// The host and port of a request target in absolute form; nil if it is a path.
    fileprivate var origin: String? {
        guard !hasPrefix("/"), let scheme = firstRange(of: "://") else { return nil }
        return String(self[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }

    /// Whether a host, with or without a port, is `localhost` or a loopback address. NIO's parser keeps trailing blanks.
    fileprivate var isLoopbackHost: Bool {
        var host = utf8[...]
        while host.last == UInt8(ascii: " ") || host.last == UInt8(ascii: "\t") { host.removeLast() }
        // The digits of a port, after a colon that is not within brackets.
        var name = host
        while name.last?.isASCIIDigit == true { name.removeLast() }
        if name.popLast() == UInt8(ascii: ":"), name.last != UInt8(ascii: ":") { host = name }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count == 4, parts[0].elementsEqual("127".utf8) {
            return parts.allSatisfy { part in part.allSatisfy(\.isASCIIDigit) && UInt8(Substring(part)) != nil }
        }
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            let address = try? SocketAddress(ipAddress: String(Substring(host.dropFirst().dropLast())), port: 0)
            return address?.isLoopback ?? false
        }
        return ["localhost", "localhost."].contains(Substring(host).lowercased())
    }
}

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
    var response: HTTPServerResponse {
        switch self {
        case .malformed: HTTPServerResponse(.badRequest, text: "Malformed HTTP request.\n")
        case .headTooLong: HTTPServerResponse(.requestHeaderFieldsTooLarge, text: "Request head too long.\n")
        case .misdirected:
            HTTPServerResponse(
                .misdirectedRequest,
                text: "Invalid host: use localhost or a loopback address.\n"
            )
        case .forbidden:
            HTTPServerResponse(.forbidden, text: "Forbidden: use a loopback address of this machine.\n")
        case .unsupportedVersion:
            HTTPServerResponse(.httpVersionNotSupported, text: "Unsupported HTTP version: use HTTP/1.1.\n")
        }
    }
}

import Foundation
import NIOHTTP1

extension HTTPRequestHead {
    /// Reads the head of a request (RFC 9112 §2–5). Its body is never looked at.
    static func parsed(_ head: [UInt8]) -> Result<HTTPRequestHead, RequestRefusal> {
        // Bytes above ASCII may stand in values of fields, none of which matters here.
        let text = String(decoding: head, as: UTF8.self)
        let lines = text.unicodeScalars.split(separator: "\n").map { line in
            String(line.last == "\r" ? line.dropLast() : line)
        }
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, words[0].isToken, !words[1].isEmpty else { return .failure(.malformed) }
        guard words[2].hasPrefix("HTTP/") else { return .failure(.malformed) }
        guard let version = HTTPVersion.heard[words[2]] else { return .failure(.otherVersion) }

        var fields = HTTPHeaders()
        for line in lines.dropFirst() where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[0].isToken, !parts[1].unicodeScalars.contains(where: \.breaksFields) else {
                return .failure(.malformed)
            }
            fields.add(name: parts[0], value: parts[1].trimmingCharacters(in: .whitespaces))
        }
        // RFC 9112 §3.2: a server must refuse a request without it, and one with two.
        let hosts = fields["Host"].count
        guard hosts == 1 || (hosts == 0 && version == .http1_0) else { return .failure(.malformed) }

        let method = HTTPMethod(rawValue: words[0])
        return .success(HTTPRequestHead(version: version, method: method, uri: words[1], headers: fields))
    }

    /// The request, unless it comes by a name that was made to stand for a loopback address (DNS rebinding): a page of
    /// another site would read what only this machine may.
    ///
    /// - Parameter toLoopback: whether the listener's address is a loopback address; any host is right elsewhere.
    func directed(toLoopback: Bool) -> Result<HTTPRequestHead, RequestRefusal> {
        // A request of HTTP/1.0 may have no host; browsers send none.
        guard toLoopback, let host = uri.origin ?? headers.first(name: "Host") else { return .success(self) }
        return host.isLoopbackHost ? .success(self) : .failure(.misdirected)
    }

    /// The path that is asked for, without a query.
    var path: String {
        String(uri.prefix { $0 != "?" }).withoutOrigin
    }
}

extension HTTPVersion {
    /// Those that are answered, as a request names them.
    fileprivate static let heard = ["HTTP/1.0": HTTPVersion.http1_0, "HTTP/1.1": .http1_1]
}

extension String {
    /// Whether it is what names of methods and fields are made of (RFC 9110 §5.6.2).
    fileprivate var isToken: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""(),/:;<=>?@[\]{}"#.utf8.contains($0) }
    }

    /// The path of a target as proxies are asked for it, `http://host/path` (RFC 9112 §3.2.2); itself if it is a path.
    fileprivate var withoutOrigin: String {
        guard let scheme = range(of: "://"), !hasPrefix("/") else { return self }
        let rest = self[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}

extension String {
    /// The host and port of a target as proxies are asked for it; nil if it is a path.
    fileprivate var origin: String? {
        guard let scheme = range(of: "://"), !hasPrefix("/") else { return nil }
        return String(self[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }

    /// Whether a host, with or without a port, is `localhost` or a loopback address.
    fileprivate var isLoopbackHost: Bool {
        guard let match = lowercased().wholeMatch(of: /(\[::1\]|[a-z0-9.]+)(:[0-9]*)?/) else { return false }
        if ["[::1]", "localhost", "localhost."].contains(match.1) { return true }
        let parts = match.1.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension Unicode.Scalar {
    /// Whether it may not stand in the value of a field (RFC 9110 §5.5).
    fileprivate var breaksFields: Bool {
        value == 0x7F || (value < 0x20 && value != 0x09)
    }
}

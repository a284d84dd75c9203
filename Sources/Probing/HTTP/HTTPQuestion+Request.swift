import Monitoring
import NIOHTTP1

extension HTTPQuestion {
    /// The fields that are ours to say: they frame the request, and end the connection after the answer.
    private static let ownFields: Set<String> = ["connection", "content-length", "transfer-encoding"]

    /// The first lines of the request.
    var requestHead: HTTPRequestHead {
        var headers = HTTPHeaders([
            ("Host", hostField), ("User-Agent", "reach/0.1"), ("Accept", "*/*"),
        ])
        var isReplaced: Set<String> = []
        for header in options.headers {
            let name = header.name.lowercased()
            guard !Self.ownFields.contains(name) else { continue }
            if isReplaced.insert(name).inserted { headers.remove(name: name) }
            headers.add(name: header.name, value: header.value)
        }
        headers.add(name: "Connection", value: "close")
        if let body = options.bodySent { headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: options.method),
            uri: Self.encoded(path),
            headers: headers
        )
    }

    /// The host, with its port where that is not the scheme's own (RFC 9110 §7.2).
    private var hostField: String {
        // An address on a link is told to its own host without the link.
        let bare = host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
        return port == Self.defaultPort(isSecure: isSecure) ? bare : "\(bare):\(port)"
    }

    /// A path whose every byte may stand in a request (RFC 3986 §2.1, RFC 9112 §3.2): others are written as numbers, as
    /// browsers do, whoever left them in.
    private static func encoded(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || plain.contains(byte) {
                text.unicodeScalars.append(scalar)
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// What may stand for itself besides letters. A fragment's `#` is not among it: fragments are never sent.
    private static let plain = Set("0123456789-._~:/?[]@!$&'()*+,;=%".utf8)
}

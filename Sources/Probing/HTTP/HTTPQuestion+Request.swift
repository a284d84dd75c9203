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
            uri: requestTarget,
            headers: headers
        )
    }

    /// The host, with its port where that is not the scheme's own (RFC 9110 §7.2).
    private var hostField: String {
        // An address on a link is told to its own host without the link.
        let bare = host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
        return port == Self.defaultPort(isSecure: isSecure) ? bare : "\(bare):\(port)"
    }
}

import Monitoring
import NIOHTTP1

extension HTTPQuestion {
    /// The head of the request.
    var requestHead: HTTPRequestHead {
        var headers = HTTPHeaders([
            ("Host", hostField), ("User-Agent", HTTPOptions.userAgent), ("Accept", "*/*"),
        ])
        var replaced: Set<String> = []
        for header in options.headers {
            let name = header.name.lowercased()
            guard !HTTPOptions.framingFields.contains(name) else { continue }
            if replaced.insert(name).inserted { headers.remove(name: name) }
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

    /// The host, with its port unless that is the scheme's default (RFC 9110 §7.2).
    private var hostField: String {
        // A zone identifier is local to this machine and is left out.
        let bare = host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
        return port == Self.defaultPort(isSecure: isSecure) ? bare : "\(bare):\(port)"
    }
}

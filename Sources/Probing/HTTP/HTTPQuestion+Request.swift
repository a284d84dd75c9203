import Monitoring
import NIOCore
import NIOHTTP1

extension HTTPQuestion {
    /// The head of the request. A proxy without a tunnel gets the whole URL (RFC 9112 §3.2.2), and its credentials.
    var requestHead: HTTPRequestHead {
        var headers = HTTPHeaders([
            ("Host", hostField), ("User-Agent", HTTPOptions.userAgent), ("Accept", "*/*"),
        ])
        let forwarder = isSecure ? nil : proxy
        if let value = forwarder?.authorization { headers.add(name: "Proxy-Authorization", value: value) }
        var replaced: Set<String> = []
        for header in options.headers {
            let name = header.name.lowercased()
            guard !HTTPOptions.framingFields.contains(name) else { continue }
            if replaced.insert(name).inserted { headers.remove(name: name) }
            headers.add(name: header.name, value: header.value)
        }
        // A module can upgrade the connection. Other requests have no such field.
        let connection = options.headers.last { $0.name.lowercased() == "connection" }?.value
        headers.add(name: "Connection", value: connection ?? "close")
        if let body = options.bodySent { headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: options.method),
            uri: forwarder == nil ? requestTarget : "http://\(hostField)\(requestTarget)",
            headers: headers
        )
    }

    /// Adds the handlers that encode and check requests, and the one that sends them.
    static func addHandlers(to channel: any Channel, then handler: some ChannelInboundHandler) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(handler)
    }

    /// Sends the request on a channel with these handlers.
    func send(on context: ChannelHandlerContext) {
        let send = { (part: HTTPClientRequestPart) in context.write(NIOAny(part), promise: nil) }
        send(.head(requestHead))
        if let body = options.bodySent { send(.body(.byteBuffer(ByteBuffer(string: body)))) }
        send(.end(nil))
        context.flush()
    }

    /// The host, with its port unless that is the scheme's default (RFC 9110 §7.2).
    private var hostField: String {
        // A zone identifier is local to this machine and is left out.
        let bare = host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
        return port == Self.defaultPort(isSecure: isSecure) ? bare : "\(bare):\(port)"
    }
}

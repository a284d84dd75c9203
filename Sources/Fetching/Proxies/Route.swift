import AsyncHTTPClient
import Monitoring
import NIOCore
import NIOHTTP1

/// The way of a request to its server.
enum Route: Sendable, Hashable {
    case direct
    /// The proxy connects us, and sees nothing of what is said then (RFC 9110 §9.3.6): for TLS.
    case tunnel(Proxy)
    /// The proxy is told the whole URL, and asks for us (RFC 9112 §3.2.2): without TLS.
    case forwarding(Proxy)

    init(to question: HTTPQuestion, by proxies: Proxies) throws(ProxyProblem) {
        guard let proxy = try proxies.proxy(for: question) else {
            self = .direct
            return
        }
        self = question.isSecure ? .tunnel(proxy) : .forwarding(proxy)
    }

    /// What a client that goes this way needs to know.
    func configure(_ configuration: inout HTTPClient.Configuration) {
        switch self {
        case .direct:
            break
        case .tunnel(let proxy):
            configuration.proxy = .server(
                host: proxy.host,
                port: Int(proxy.port),
                authorization: proxy.credentials.map { HTTPClient.Authorization(userAndPassword: $0) }
            )
        case .forwarding:
            configuration.http1_1ConnectionDebugInitializer = { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
                    try pipeline.addHandler(AbsoluteForm(), position: .after(encoder))
                }
            }
        }
    }

    /// Addresses a request to whoever is next on the way.
    func address(_ request: inout HTTPClientRequest) {
        guard case .forwarding(let proxy) = self else { return }
        let url = request.url
        let host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
        request.url = "http://\(host):\(proxy.port)/\(url)"
        if !request.headers.contains(name: "Host") {
            let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
            request.headers.add(name: "Host", value: String(authority))
        }
        if let credentials = proxy.credentials {
            let value = HTTPClient.Authorization(userAndPassword: credentials).headerValue
            request.headers.replaceOrAdd(name: "Proxy-Authorization", value: value)
        }
    }
}

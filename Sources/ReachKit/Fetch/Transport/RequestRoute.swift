#if Fetch
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ReachBasics
import ReachMonitoring

/// The route of a request to its server: direct, or by a proxy.
enum RequestRoute: Sendable, Hashable {
    case direct
    /// Through a tunnel that the proxy makes, for TLS (CONNECT, RFC 9110 §9.3.6).
    case tunnel(Proxy)
    /// By the proxy, which gets the request with the whole URL, without TLS (RFC 9112 §3.2.2).
    case forwarding(Proxy)

    init(to question: HTTPQuestion, by proxies: Proxies) throws(Fetch.Error) {
        guard let proxy = try proxies.proxy(of: question) else {
            self = .direct
            return
        }
        self = question.isSecure ? .tunnel(proxy) : .forwarding(proxy)
    }

    /// Configures a client for this route.
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
            configuration.addHandlerAfterEncoder { AbsoluteForm() }
        }
    }

    /// Changes the URL and the fields of a request for the first hop.
    func prepare(_ request: inout HTTPClientRequest) {
        guard case .forwarding(let proxy) = self else { return }
        let url = request.url
        request.url = "http://\(proxy.host.bracketed):\(proxy.port)/\(url)"
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

extension Proxies {
    /// The proxy for a request; nil where its host is connected to directly.
    ///
    /// - Throws: ``Fetch/Error/invalid(_:)``, one line that does not contain the password.
    func proxy(of question: HTTPQuestion) throws(Fetch.Error) -> Proxy? {
        do {
            return try proxy(for: question)
        } catch {
            throw .invalid(error.description)
        }
    }
}

/// Turns the path `/http://host/path` into the absolute form that a proxy needs, which the client cannot send by
/// itself.
private final class AbsoluteForm: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.uri.removeFirst()
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
#endif

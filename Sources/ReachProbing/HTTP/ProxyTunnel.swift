import NIOCore
import ReachBasics
import ReachMonitoring

/// A tunnel through a proxy to a server with TLS (CONNECT, RFC 9110 §9.3.6).
struct ProxyTunnel {
    private let authority: String
    private let authorization: String?

    init(through proxy: Proxy, to question: HTTPQuestion) {
        // A zone identifier is local to this machine.
        let host = question.host.prefix { $0 != "%" }
        authority = (host.contains(":") ? "[\(host)]" : String(host)) + ":\(question.port)"
        authorization = proxy.authorization
    }

    /// The request for the tunnel.
    var request: String {
        let field = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        let agent = HTTPOptions.userAgent
        return "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: \(agent)\r\n\(field)\r\n"
    }

    /// Returns the failure of a tunnel that the proxy does not make.
    static func failure(of response: HTTPResponse) -> Failure {
        let reason: Reason =
            switch response.status {
            case 400...499: .prohibited
            // The proxy has no connection to the server.
            case 500...599: .hostUnreachable
            default: .protocolError
            }
        return Failure(reason, detail: response.statusText)
    }
}

extension Proxy {
    /// The value of `Proxy-Authorization` (RFC 7617); nil without credentials.
    var authorization: String? {
        credentials.map { "Basic \(Array($0.utf8).base64)" }
    }
}

/// A channel handler that requests a tunnel from a proxy, then adds the TLS handler and removes itself.
final class ProxyTunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let tunnel: ProxyTunnel
    private let startTLS: (ChannelPipeline.SynchronousOperations) throws -> Void
    private let failed: (Failure) -> Void
    // The response to CONNECT has no body, like that to HEAD.
    private var parser = HTTPResponseParser(answering: "HEAD", keepsBody: false)
    private var isOver = false

    /// - Parameters:
    ///   - secure: adds the TLS handler to the pipeline, right after this handler.
    ///   - failed: called if the proxy does not make the tunnel.
    init(
        _ tunnel: ProxyTunnel,
        secure startTLS: @escaping (ChannelPipeline.SynchronousOperations) throws -> Void,
        failed: @escaping (Failure) -> Void
    ) {
        self.tunnel = tunnel
        self.startTLS = startTLS
        self.failed = failed
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: tunnel.request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do throws(Failure) {
            try parser.receive(unwrapInboundIn(data))
        } catch {
            isOver = true
            return failed(error)
        }
        guard let response = parser.response else { return }
        isOver = true
        guard 200...299 ~= response.status else { return failed(ProxyTunnel.failure(of: response)) }
        let pipeline = context.pipeline.syncOperations
        do {
            try startTLS(pipeline)
        } catch {
            context.fireErrorCaught(error)
        }
        pipeline.removeHandler(context: context, promise: nil)
    }
}

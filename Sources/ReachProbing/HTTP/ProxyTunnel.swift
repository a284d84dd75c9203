import NIOCore
import ReachBasics
import ReachMonitoring

/// The negotiation of a tunnel through a proxy to a server with TLS (CONNECT, RFC 9110 §9.3.6).
struct ProxyTunnel: TLSNegotiation {
    let opening: [UInt8]?
    // The response to CONNECT has no body, like that to HEAD.
    private var parser = HTTPResponseParser(answering: "HEAD", keepsBody: false)
    private var isOver = false

    init(through proxy: Proxy, to question: HTTPQuestion) {
        let authority = "\(question.hostWithoutZone):\(question.port)"
        let field = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        let agent = HTTPOptions.userAgent
        let request = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: \(agent)\r\n\(field)\r\n"
        opening = Array(request.utf8)
    }

    mutating func receive(_ bytes: ByteBufferView) -> [Action] {
        guard !isOver else { return [] }
        do throws(Failure) {
            try parser.receive(ByteBuffer(bytes))
        } catch {
            isOver = true
            return [.fail(error)]
        }
        guard let response = parser.response else { return [.wait] }
        isOver = true
        return [200...299 ~= response.status ? .begin : .fail(Self.failure(of: response))]
    }

    /// Returns the failure of a tunnel that the proxy does not make.
    private static func failure(of response: HTTPResponse) -> Failure {
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

#if Fetch
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import ReachMonitoring
import ReachProbing
import ReachSystem

extension Fetch.Error {
    /// Maps an error of the HTTP client to the error of the exchange.
    init(client error: any Swift.Error) {
        switch error {
        // From a file of the request's body.
        case let error as Fetch.Error:
            self = error
        // From the head of a response.
        case let error as Failure:
            self.init(error)
        case is CancellationError:
            self = .cancelled
        case let error as RejectedPeer:
            self.init(error.failure)
        case is UnansweredRequest:
            self = .network(Fetch.TransportError(.closed))
        case let error as HTTPClientError:
            self.init(error)
        case let error as NIOConnectionError:
            self.init(error)
        case let error as IOError:
            self.init(errno: error.errnoCode)
        case ChannelError.connectTimeout:
            self = .timeout
        case is ChannelError:
            self = .network(Fetch.TransportError(.closed))
        case HTTPParserError.invalidEOFState:
            // The server has closed the connection in the middle of its response.
            self = .network(Fetch.TransportError(.closed))
        case is HTTPParserError:
            self = .notHTTP("the answer is not HTTP")
        case NIOHTTPDecompression.DecompressionError.limit:
            self = .tooLong(limit: HTTPTransport.maxDecompressedLength)
        case let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData:
            // The server may have ended the body early.
            self = .network(Fetch.TransportError(.closed))
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            let detail = "the body is not valid gzip or deflate data"
            self = .network(Fetch.TransportError(.protocolError, detail: detail))
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self.init(Failure(tls: error))
        case _ where "\(type(of: error))" == "NoResult":
            // An internal type of the client: the connection ended in the TLS handshake.
            self = .network(Fetch.TransportError(.closed))
        default:
            self = .fault(Fault(.internal, detail: "\(type(of: error))"))
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .cancelled, .requestStreamCancelled, .alreadyShutdown:
            self = .cancelled
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout:
            self = .timeout
        case .remoteConnectionClosed, .uncleanShutdown:
            self = .network(Fetch.TransportError(.closed))
        case .proxyAuthenticationRequired:
            self = .network(Fetch.TransportError(.httpStatus, detail: "the proxy requires authentication (HTTP 407)"))
        case .invalidProxyResponse:
            // The client does not report the status. Mostly the proxy could not connect.
            self = .network(Fetch.TransportError(.hostUnreachable, detail: "the proxy did not connect to the host"))
        case .invalidURL, .emptyHost, .emptyScheme:
            self = .fault(Fault(.internal, detail: "the URL cannot be fetched"))
        default:
            self = .fault(Fault(.internal, detail: error.shortDescription))
        }
    }

    /// All addresses of the name have failed. The error of the last one is reported.
    private init(_ error: NIOConnectionError) {
        if let last = error.connectionErrors.last {
            self.init(client: last.error)
        } else {
            // SwiftNIO does not pass on the resolver's error.
            self = .network(Fetch.TransportError(.nameNotFound, detail: "the name \(error.host) was not found"))
        }
    }

    private init(errno code: CInt) {
        self =
            switch code {
            case ECONNREFUSED: .network(Fetch.TransportError(.refused))
            case ECONNRESET, ECONNABORTED: .network(Fetch.TransportError(.reset))
            case EHOSTUNREACH, EHOSTDOWN: .network(Fetch.TransportError(.hostUnreachable))
            case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: .network(Fetch.TransportError(.networkUnreachable))
            case EACCES, EPERM: .network(Fetch.TransportError(.prohibited))
            case EPIPE, ENOTCONN: .network(Fetch.TransportError(.closed))
            case ETIMEDOUT: .timeout
            case EMFILE, ENFILE: .fault(Fault(.tooManyFiles, detail: "out of file descriptors"))
            case ENOMEM, ENOBUFS: .fault(Fault(.noMemory, detail: "the kernel is out of buffers"))
            default: .fault(Fault(.internal, detail: SystemError(code).description))
            }
    }
}

extension Failure {
    /// The TLS library has rejected the chain of certificates. It does not report why.
    static let untrustedPeer = Failure(.certificateUntrusted, detail: "certificate not trusted, or expired")

    /// Maps an error of the TLS library to a failure, as a probe does.
    fileprivate init(tls error: any Swift.Error) {
        let text = "\(error)"
        if error as? NIOSSLExtraError == .failedToValidateHostname {
            self.init(.certificateName)
        } else if text.contains("CERTIFICATE_VERIFY_FAILED") {
            self = .untrustedPeer
        } else if ["eofDuringHandshake", "EOF during handshake", "uncleanShutdown"].contains(where: text.contains) {
            self.init(.closed)
        } else if text.contains("syscallError") {
            self.init(.reset)
        } else {
            self = Failure(ofHandshake: error) ?? Failure(.tlsFailed)
        }
    }
}
#endif

import AsyncHTTPClient
import LibC
import Monitoring
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension FetchOutcome {
    /// What an error of the client says about a try.
    init(_ error: any Error) {
        switch error {
        case is CancellationError:
            self = .cancelled
        case let error as HTTPClientError:
            self.init(error)
        case let error as NIOConnectionError:
            self.init(error)
        case let error as IOError:
            self.init(errno: error.errnoCode)
        case ChannelError.connectTimeout:
            self = .timeout
        case is ChannelError:
            self = .failure(Failure(.closed))
        case HTTPParserError.invalidEOFState:
            // The server has closed in the middle of its answer, in order.
            self = .failure(Failure(.closed))
        case is HTTPParserError:
            self = .failure(Failure(.protocolError, detail: "the answer is not HTTP"))
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self = .failure(Failure(tls: error))
        case _ where "\(type(of: error))" == "NoResult":
            // The client's own word, which it shows to nobody, for a connection that ends while TLS begins.
            self = .failure(Failure(.closed))
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
            self = .failure(Failure(.closed))
        case .proxyAuthenticationRequired:
            self = .failure(Failure(.httpStatus, detail: "the proxy wants to know who asks (HTTP 407)"))
        case .invalidProxyResponse:
            // The client does not say with which status; mostly the proxy could not get there.
            self = .failure(Failure(.hostUnreachable, detail: "the proxy did not connect to the host"))
        case .invalidURL, .emptyHost, .emptyScheme:
            self = .fault(Fault(.internal, detail: "the URL cannot be asked"))
        default:
            self = .fault(Fault(.internal, detail: error.shortDescription))
        }
    }

    /// A name has several addresses, and what the last of them said counts.
    private init(_ error: NIOConnectionError) {
        if let last = error.connectionErrors.last {
            self.init(last.error)
        } else {
            // The system's resolver told why; SwiftNIO does not pass it on.
            self = .failure(Failure(.nameNotFound, detail: "the name \(error.host) was not found"))
        }
    }

    private init(errno code: CInt) {
        self =
            switch code {
            case ECONNREFUSED: .failure(Failure(.refused))
            case ECONNRESET, ECONNABORTED: .failure(Failure(.reset))
            case EHOSTUNREACH, EHOSTDOWN: .failure(Failure(.hostUnreachable))
            case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: .failure(Failure(.networkUnreachable))
            case EACCES, EPERM: .failure(Failure(.prohibited))
            case EPIPE, ENOTCONN: .failure(Failure(.closed))
            case ETIMEDOUT: .timeout
            case EMFILE, ENFILE: .fault(Fault(.tooManyFiles, detail: "out of file descriptors"))
            case ENOMEM, ENOBUFS: .fault(Fault(.noMemory, detail: "the kernel is out of buffers"))
            default: .fault(Fault(.internal, detail: String(cString: strerror(code))))
            }
    }
}

extension Failure {
    /// What an error of the TLS library says; its words name the place in its source, which helps nobody here.
    fileprivate init(tls error: any Error) {
        let text = "\(error)"
        if error as? NIOSSLExtraError == .failedToValidateHostname {
            self.init(.certificateName)
        } else if text.contains("CERTIFICATE_VERIFY_FAILED") {
            self.init(.certificateUntrusted, detail: "certificate not trusted, or expired")
        } else if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            self.init(.protocolError, detail: "the answer is not TLS")
        } else if ["eofDuringHandshake", "EOF during handshake", "uncleanShutdown"].contains(where: text.contains) {
            self.init(.closed)
        } else if text.contains("syscallError") {
            self.init(.reset)
        } else {
            self.init(.tlsFailed)
        }
    }
}

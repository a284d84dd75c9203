#if TLS

import NIOCore
import NIOSSL
import ReachMonitoring

/// The TLS client of one connection: its handshake, and the decision about its peer. Confined to its event loop.
final class TLSClient {
    private let contexts: TLSContexts
    /// The certificate for a server that requests one.
    private let certificate: ClientCertificate?
    private let protocols: [String]
    let verification: PeerVerification
    /// The certificates that the peer sent, in DER, its own first.
    private(set) var chain: [[UInt8]] = []
    /// The decision about the peer; nil before it has sent its certificates.
    private var decision: PeerDecision?

    /// - Parameter protocols: the protocols to offer (ALPN, RFC 7301).
    init(
        of identity: PeerIdentity,
        by files: TLSContexts.Files,
        offering protocols: [String] = [],
        contexts: TLSContexts
    ) {
        self.contexts = contexts
        self.protocols = protocols
        certificate = files.certificate
        verification = PeerVerification(identity: identity, trust: files.trust)
    }

    /// Adds the handler of the handshake to a pipeline.
    func addHandler(
        to pipeline: ChannelPipeline.SynchronousOperations,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws {
        let handler = try contexts.makeHandler(for: verification, presenting: certificate, offering: protocols) {
            [weak self] in self?.accepts($0) ?? false
        }
        try pipeline.addHandler(handler, position: position)
    }

    private func accepts(_ chain: [[UInt8]]) -> Bool {
        self.chain = chain
        let decision = verification.decision(on: chain, at: contexts.now)
        self.decision = decision
        return if case .accept = decision { true } else { false }
    }

    /// The decision after a completed handshake.
    var decisionOnCompletion: PeerDecision { decision ?? .reject(.failure(.malformedCertificate)) }

    /// The outcome if the handshake failed because the peer was rejected; nil for any other error.
    var rejection: Outcome? {
        if case .reject(let outcome) = decision { outcome } else { nil }
    }

    /// Returns whether a peer closed without TLS's closure alert.
    static func isUncleanClosure(_ error: any Error) -> Bool {
        if case NIOSSLError.uncleanShutdown = error { true } else { false }
    }

    /// Closes a channel at once, with or without TLS, and does not wait for the peer's closure alert.
    static func drop(_ channel: any Channel) {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}

extension Outcome {
    /// Creates the outcome of an error on a TLS connection or before its handshake.
    init(tls error: any Error, to address: IPAddress) {
        switch error {
        case NIOSSLError.handshakeFailed(.sslError(let errors)) where errors.contains(.eofDuringHandshake):
            self = .failure(Failure(.closed, detail: "closed during the TLS handshake"))
        case NIOSSLError.handshakeFailed(let error):
            self = .failure(Failure(handshake: error))
        case let error as BoringSSLError:
            self = .failure(Failure(handshake: error))
        case NIOSSLError.uncleanShutdown:
            self = .failure(Failure(.closed))
        case NIOSSLError.unableToAllocateBoringSSLObject, is NIOSSLExtraError:
            // Raised before anything is sent, for example by a name that is not valid in a handshake.
            self = .fault(Fault(.internal, detail: String(quoting: "TLS: \(error)".utf8, limit: 60)))
        case is NIOSSLError:
            self = .failure(Failure(.tlsFailed, detail: String(quoting: "TLS: \(error)".utf8, limit: 60)))
        default:
            self.init(error, to: address)
        }
    }
}

extension Failure {
    /// Creates the failure of a handshake, or of an alert after it; nil for another error.
    package init?(ofHandshake error: any Error) {
        switch error {
        case NIOSSLError.handshakeFailed(let error): self.init(handshake: error)
        case let error as BoringSSLError: self.init(handshake: error)
        default: return nil
        }
    }

    /// Whether the peer has none of the protocols that the handshake offered (RFC 7301 §3.2).
    package var isRefusedProtocol: Bool { reason == .tlsFailed && detail == "TLS alert: no application protocol" }

    /// Creates the failure of a handshake. The text of a BoringSSL error ends in a reason such as
    /// `WRONG_VERSION_NUMBER` and a source location.
    fileprivate init(handshake error: BoringSSLError) {
        let errors: NIOBoringSSLErrorStack =
            switch error {
            case .sslError(let errors), .unknownError(let errors), .invalidSNIName(let errors): errors
            default: []
            }
        let text = errors.first?.description ?? ""
        let head = text.firstRange(of: " at ").map { text[..<$0.lowerBound] } ?? text[...]
        let reason = head.split(separator: ":").last.map { $0.lowercased().replacing("_", with: " ") } ?? ""
        switch reason {
        case "wrong version number", "http request", "https proxy request", "unexpected record":
            self.init(.protocolError, detail: "the answer is not TLS")
        case "":
            let cause = if case .syscallError = error { "the connection broke" } else { "\(error)" }
            self.init(.tlsFailed, detail: String(quoting: "TLS handshake failed: \(cause)".utf8, limit: 60))
        case "unsupported protocol", "tlsv1 alert protocol version":
            self.init(.tlsFailed, detail: "no common version of TLS")
        default:
            // An alert has the name of the version that introduced it, regardless of the negotiated version.
            let alert = reason.firstRange(of: " alert ").map { String(reason[$0.upperBound...]) }
            let detail = alert.map { Self.words(ofAlert: $0) } ?? "TLS: \(reason)"
            self.init(.tlsFailed, detail: String(quoting: detail.utf8, limit: 60))
        }
    }

    /// Returns the meaning of a server's alert. Those about a certificate are about that of the client, since the server
    /// checks no other. A server whose certificate the client cannot verify by any algorithm sends the same alert as one
    /// without a common cipher (RFC 8446 §4.4.2.2).
    private static func words(ofAlert alert: String) -> String {
        switch alert {
        case "handshake failure":
            "no common cipher or kind of key: handshake failure"
        case "certificate required", "no certificate":
            "the server requires a client certificate"
        case "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
            "certificate unknown", "unknown ca", "access denied":
            // Some servers send these alerts also if there was no certificate.
            "client certificate missing or refused: \(alert)"
        default:
            "TLS alert: \(alert)"
        }
    }
}

#endif

#if Fetch
import Monitoring
import NIOCore
import NIOSSL

/// The peer of a TLS connection of a module, with the certificates that it sent.
struct ModulePeer {
    /// The certificates in DER, the peer's own first.
    let chain: [[UInt8]]
    /// Whether the chain has all certificates that the peer sent. BoringSSL reports only the first of those that it
    /// verifies itself.
    let isComplete: Bool
    /// A connection to the same peer without verification, whose chain is complete; nil if it cannot be repeated.
    let repeated: Connection.Configuration?
    private let version: String
    /// The trusted certificates; nil if the chain is not verified.
    private let anchors: TrustAnchors?

    /// Describes the peer of an open connection.
    init?(of channel: any Channel, _ connection: Connection, _ configuration: Connection.Configuration) {
        let chain = connection.tls?.chain ?? []
        let unverified = Connection.Configuration(
            destination: configuration.destination,
            identity: configuration.identity,
            options: configuration.options.withoutVerification,
            tunnel: configuration.tunnel
        )
        self.init(
            of: channel,
            chain: chain,
            anchors: connection.tls?.verification.anchors,
            repeated: chain.isEmpty ? unverified : nil
        )
    }

    /// Describes the peer of a channel after its handshake.
    ///
    /// - Parameter chain: The certificates that the peer sent; empty if BoringSSL verified them.
    init?(
        of channel: any Channel,
        chain: [NIOSSLCertificate],
        anchors: TrustAnchors?,
        repeated: Connection.Configuration? = nil
    ) {
        let pipeline = channel.pipeline.syncOperations
        guard let handler = try? pipeline.handler(type: NIOSSLClientHandler.self) else { return nil }
        let leaf = handler.peerCertificate
        let all = chain.isEmpty ? [leaf].compactMap(\.self) : chain
        let der = Self.bytes(of: all)
        guard !der.isEmpty else { return nil }
        self.chain = der
        isComplete = !chain.isEmpty
        self.anchors = anchors
        self.repeated = repeated
        version =
            switch handler.tlsVersion {
            case .tlsv1: "TLS 1.0"
            case .tlsv11: "TLS 1.1"
            case .tlsv12: "TLS 1.2"
            case .tlsv13: "TLS 1.3"
            default: "unknown"
            }
    }

    /// The certificates in DER.
    static func bytes(of chain: [NIOSSLCertificate]) -> [[UInt8]] {
        chain.compactMap { try? $0.toDERBytes() }
    }

    /// The same peer with its complete chain.
    init(_ peer: ModulePeer, chain: [[UInt8]]) {
        self.chain = chain
        isComplete = true
        repeated = nil
        version = peer.version
        anchors = peer.anchors
    }

    /// The description for the report; nil for a malformed certificate.
    var report: TLSModuleReport? {
        guard let certificate = PeerCertificate(der: chain) else { return nil }
        let leaf = certificate.leaf
        let names = (try? leaf.alternativeNames()) ?? []
        return TLSModuleReport(
            version: version,
            earliestExpiry: certificate.earliestExpiry,
            chainExpiry: anchors.map { certificate.chainExpiry(by: $0) },
            fingerprint: SHA256Hasher.digest(of: chain[0]).hexadecimal,
            subject: DistinguishedName(der: leaf.subject).description,
            issuer: DistinguishedName(der: leaf.issuer).description,
            names: names.filter { $0.tag == 2 }.map { String(decoding: $0.bytes, as: UTF8.self) },
            serialNumber: leaf.serialNumber.drop { $0 == 0 }.hexadecimal
        )
    }
}

extension TLSOptions {
    /// The options without verification.
    fileprivate var withoutVerification: TLSOptions {
        var options = self
        options.verifies = false
        return options
    }
}
#endif

#if Fetch
import Monitoring
import NIOCore
import NIOSSL

/// The peer of a TLS connection of a module, with the certificates that it sent.
struct ModulePeer {
    /// The certificates in DER, the peer's own first.
    let chain: [[UInt8]]
    private let version: String
    /// When the verified chain expires; nil if it is not verified.
    private let chainExpiry: Int64?

    /// Describes the peer of a channel after its handshake.
    init?(of channel: any Channel, _ client: TLSClient?) {
        guard let client, !client.chain.isEmpty,
            let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        else { return nil }
        chain = client.chain
        if case .accept(let expiry) = client.decisionOnCompletion, !client.verification.acceptsAnything {
            chainExpiry = expiry
        } else {
            chainExpiry = nil
        }
        version =
            switch handler.tlsVersion {
            case .tlsv1: "TLS 1.0"
            case .tlsv11: "TLS 1.1"
            case .tlsv12: "TLS 1.2"
            case .tlsv13: "TLS 1.3"
            default: "unknown"
            }
    }

    /// The description for the report; nil for a malformed certificate.
    var report: TLSModuleReport? {
        guard let certificate = PeerCertificate(der: chain) else { return nil }
        let leaf = certificate.leaf
        let names = (try? leaf.alternativeNames()) ?? []
        return TLSModuleReport(
            version: version,
            earliestExpiry: certificate.earliestExpiry,
            chainExpiry: chainExpiry,
            fingerprint: SHA256Hasher.digest(of: chain[0]).hexadecimal,
            subject: DistinguishedName(der: leaf.subject).description,
            issuer: DistinguishedName(der: leaf.issuer).description,
            names: names.filter { $0.tag == 2 }.map { String(decoding: $0.bytes, as: UTF8.self) },
            serialNumber: leaf.serialNumber.drop { $0 == 0 }.hexadecimal
        )
    }
}
#endif

#if Fetch || TLS
package import Monitoring
package import NIOSSL
import SwiftASN1

// For clients that let BoringSSL build and verify the chain, since they do not see it.

extension NIOSSLCertificate {
    /// Returns a certificate in OpenSSL's format of one with its trusted purposes: BoringSSL trusts it for servers even if
    /// it is not a root.
    static func anchor(_ der: [UInt8]) -> NIOSSLCertificate? {
        // SEQUENCE { SEQUENCE { id-kp-serverAuth } }
        let purposes: [UInt8] = [0x30, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        let document = PEMDocument(type: "TRUSTED CERTIFICATE", derBytes: der + purposes)
        return try? NIOSSLCertificate.fromPEMBytes(Array(document.pemString.utf8)).first
    }

    /// Returns the certificates of a CA file that are valid now, each trusted whether it is a root or not. BoringSSL may
    /// prefer an expired authority to a valid one of the same name, and ignores the validity of one that is not a root.
    package static func anchors(_ certificates: [NIOSSLCertificate]) -> [NIOSSLCertificate] {
        let now = TLSContexts.systemTime()
        return certificates.compactMap { certificate in
            guard let der = try? certificate.toDERBytes(), let fields = try? CertificateFields(der: der),
                fields.validity.failure(at: now) == nil
            else { return nil }
            return fields.isAuthority ? anchor(der) : certificate
        }
    }

    /// Returns why this certificate does not identify a server, whose chain BoringSSL has verified.
    package func failure(of host: String) -> Failure? {
        guard let der = try? toDERBytes(), let peer = PeerCertificate(der: [der]) else { return .malformedCertificate }
        return peer.failure(as: PeerIdentity(host), at: TLSContexts.systemTime()) ?? peer.weakness()
    }
}
#endif

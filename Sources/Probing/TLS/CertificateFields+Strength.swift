#if Fetch || TLS
import SwiftASN1

// The strength of keys and signatures. OpenSSL at any security level, Go and browsers refuse what is called weak here.

extension CertificateFields {
    /// The minimum length of an RSA key in bits.
    private static let minRSABits = 1_024

    /// Signature algorithms whose hash function is broken.
    private static let weakSignatures: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113_549, 1, 1, 2]: "MD2", [1, 2, 840, 113_549, 1, 1, 3]: "MD4",
        [1, 2, 840, 113_549, 1, 1, 4]: "MD5",
        [1, 2, 840, 113_549, 1, 1, 5]: "SHA-1", [1, 3, 14, 3, 2, 29]: "SHA-1", [1, 2, 840, 10_040, 4, 3]: "SHA-1",
        [1, 2, 840, 10_045, 4, 1]: "SHA-1",
    ]

    /// Algorithms of keys that BoringSSL does not have.
    private static let unsupportedKeys: [ASN1ObjectIdentifier: String] = [
        [1, 3, 101, 113]: "Ed448", [1, 2, 840, 113_549, 1, 1, 10]: "RSA-PSS", [1, 2, 840, 10_040, 4, 1]: "DSA",
    ]

    /// Why the issuer's signature proves nothing, as in `signed with SHA-1`; nil if it does.
    var signatureWeakness: String? {
        Self.weakSignatures[signatureAlgorithm].map { "signed with \($0)" }
    }

    /// Why the key is too short, as in `RSA key of 512 bits`; nil if it is not.
    var keyWeakness: String? {
        rsaBits.flatMap { $0 < Self.minRSABits ? "RSA key of \($0) bits" : nil }
    }

    /// The name of the key's algorithm if BoringSSL does not have it.
    var unsupportedKey: String? {
        keyAlgorithm.flatMap { Self.unsupportedKeys[$0] }
    }

    /// Whether the signature is by RSA-PSS. BoringSSL, as Go, verifies it only if its salt is as long as the hash.
    var isSignedByPSS: Bool { signatureAlgorithm == [1, 2, 840, 113_549, 1, 1, 10] }

    /// Whether the key is an RSA key.
    var hasRSAKey: Bool { keyAlgorithm == [1, 2, 840, 113_549, 1, 1, 1] }

    /// SEQUENCE { SEQUENCE { OBJECT IDENTIFIER, parameters }, BIT STRING } (RFC 5280 §4.1).
    private var keyAlgorithm: ASN1ObjectIdentifier? {
        try? publicKey.children.first?.children.first?.objectIdentifier
    }

    /// The length of an RSA key (RFC 8017 §A.1.1); nil for another key.
    private var rsaBits: Int? {
        guard hasRSAKey, let node = try? publicKey.children.last, let key = try? ASN1BitString(derEncoded: node),
            let modulus = try? DER.parse(key.bytes).children.first?.primitive?.drop(while: { $0 == 0 })
        else { return nil }
        return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    }
}
#endif

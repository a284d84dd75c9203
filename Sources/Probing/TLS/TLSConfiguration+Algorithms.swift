#if Fetch || TLS
package import NIOSSL

extension TLSConfiguration {
    /// Accepts the curves and the signatures of handshakes that OpenSSL accepts by default, as far as BoringSSL has them.
    /// BoringSSL's own default leaves Ed25519 and P-521 out, and it has neither Ed448 nor RSA-PSS keys.
    package mutating func acceptAllAlgorithms() {
        curves = [.x25519_MLKEM768, .x25519, .secp256r1, .secp384r1, .secp521r1]
        verifySignatureAlgorithms = [
            .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
            .rsaPkcs1Sha384, .ed25519, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .rsaPkcs1Sha1,
        ]
    }
}
#endif

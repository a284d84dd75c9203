/// Which certificate a server has, and who issued it: what may fail for several targets at once.
public struct CertificateIdentity: Sendable, Hashable, Codable {
    /// The first host that the certificate is for, and its serial number: `www.example.com, serial 04a1b2c3d4e5…`. Of a long
    /// number, the first six bytes.
    public let name: String
    /// The authority that issued it, by its common name or organization; nil if it is self-signed.
    public let issuer: String?

    /// Creates the identity of a certificate.
    public init(name: String, issuer: String?) {
        (self.name, self.issuer) = (name, issuer)
    }
}

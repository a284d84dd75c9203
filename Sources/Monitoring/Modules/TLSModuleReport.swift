/// A connection by TLS, and the certificates of its peer.
package struct TLSModuleReport: Sendable, Hashable {
    /// The version: `TLS 1.3`.
    package var version: String
    /// The earliest expiry of a certificate that the peer sent, in seconds since 1970.
    package var earliestExpiry: Int64
    /// The latest expiry of a verified chain, which expires with its first certificate; nil without verification.
    package var chainExpiry: Int64?
    /// The SHA-256 hash of the peer's certificate, in hexadecimal.
    package var fingerprint: String
    /// The subject of the peer's certificate (RFC 4514).
    package var subject: String
    /// The issuer of the peer's certificate (RFC 4514).
    package var issuer: String
    /// The DNS names of the peer's certificate.
    package var names: [String]
    /// The serial number of the peer's certificate, in hexadecimal.
    package var serialNumber: String

    /// Creates the description of a connection.
    package init(
        version: String,
        earliestExpiry: Int64,
        chainExpiry: Int64?,
        fingerprint: String,
        subject: String,
        issuer: String,
        names: [String],
        serialNumber: String
    ) {
        self.version = version
        self.earliestExpiry = earliestExpiry
        self.chainExpiry = chainExpiry
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.serialNumber = serialNumber
    }
}

/// What is asked of a TLS handshake and of the certificate.
public struct TLSOptions: Sendable, Hashable {
    /// A protocol that begins in clear and is asked to change to TLS.
    public enum StartTLS: String, Sendable, Hashable, CaseIterable {
        /// RFC 3207.
        case smtp
        /// RFC 9051 §6.2.1.
        case imap
        /// RFC 2595.
        case pop3
        /// RFC 4217.
        case ftp
        /// The SSLRequest message of PostgreSQL's protocol.
        case postgres
    }

    /// A PEM file with the authorities that are trusted in place of the system's.
    public var ca: String?
    /// The name that is asked for and that the certificate must bear, in place of the host.
    public var serverName: String?
    /// Whether the certificate is judged at all.
    public var verifies: Bool
    /// A certificate that expires within so many days degrades the target.
    public var warnDays: Int?
    /// The protocol that is spoken before TLS.
    public var starttls: StartTLS?

    /// Options that judge the certificate by the system's authorities and the host's name.
    public init(
        ca: String? = nil,
        serverName: String? = nil,
        verifies: Bool = true,
        warnDays: Int? = nil,
        starttls: StartTLS? = nil
    ) {
        self.ca = ca
        self.serverName = serverName
        self.verifies = verifies
        self.warnDays = warnDays
        self.starttls = starttls
    }
}

import Monitoring

/// What is to be said of a peer's certificate.
enum CertificateVerdict: Sendable, Hashable {
    /// Nothing is wrong with it; it expires at this moment, in seconds since 1970.
    case good(expiry: Int64?)
    /// It is not what the target needs.
    case bad(Failure)
    /// We cannot judge it.
    case unknown(Fault)
}

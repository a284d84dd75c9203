/// A host and port that provide a service (RFC 2782).
package struct ServiceRecord: Sendable, Hashable {
    /// The host, without a dot at the end.
    package let host: String
    package let port: UInt16
}

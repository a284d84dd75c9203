/// An HTTP proxy.
struct Proxy: Sendable, Hashable {
    /// Its name or address.
    let host: String
    /// The port that it listens on.
    let port: UInt16
    /// `USER:PASSWORD`; nil where it needs none.
    let credentials: String?
}

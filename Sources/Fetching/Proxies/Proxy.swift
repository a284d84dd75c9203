/// A server that asks others on our behalf.
public struct Proxy: Sendable, Hashable {
    /// Its name or address.
    public let host: String
    /// The port that it listens on.
    public let port: UInt16
    /// Who we are to it, `USER:PASSWORD`; nil where it does not want to know.
    let credentials: String?
}

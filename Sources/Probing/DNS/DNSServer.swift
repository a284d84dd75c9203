/// Whom a query goes to.
struct DNSServer: Sendable, Hashable {
    let address: IPAddress
    var port: UInt16 = 53
    /// Where queries to it leave this machine; nil for the system's choice.
    var origin: Origin?
}

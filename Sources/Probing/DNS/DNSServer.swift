/// Whom a query goes to.
struct DNSServer: Sendable, Hashable {
    let address: IPAddress
    var port: UInt16 = 53
}

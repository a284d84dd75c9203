/// What an answer to a query over a shared socket is known by, before anybody reads its question.
struct DNSWait: Sendable, Hashable {
    let address: IPAddress
    let port: UInt16
    let id: UInt16
}

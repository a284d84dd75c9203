#if Fetch
import Monitoring

/// The query of a DNS module (RFC 1035 §4.1), without EDNS.
struct DNSModuleQuery {
    /// The message, without the length prefix of TCP.
    let message: [UInt8]

    init(id: UInt16, name: DNSName, _ module: DNSModule) {
        let flags: UInt16 = module.desiresRecursion ? 0x0100 : 0
        let head = [id, flags, 1, 0, 0, 0].flatMap(\.inNetworkOrder)
        message = head + name.wire + module.type.inNetworkOrder + module.recordClass.inNetworkOrder
    }
}
#endif

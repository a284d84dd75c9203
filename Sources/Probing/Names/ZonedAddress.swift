import LibC
import Monitoring

/// A link-local address with the name of its interface, `fe80::1%eth0`. The kernel uses the index of the interface,
/// which differs after the interface is deleted and created again.
struct ZonedAddress: Sendable, Hashable {
    /// The address without an interface.
    let address: IPAddress
    /// The name of the interface.
    let zone: String

    /// Parses such an address; nil for a name, any other address, and an interface given by its index.
    init?(_ text: String) {
        guard let percent = text.firstIndex(of: "%") else { return nil }
        let zone = text[text.index(after: percent)...]
        guard UInt32(zone) == nil, let address = IPAddress(literal: String(text[..<percent])), address.lacksInterface
        else { return nil }
        self.address = address
        self.zone = String(zone)
    }

    /// The address with the current index of the interface; nil if there is no such interface.
    var current: IPAddress? {
        let index = if_nametoindex(zone)
        return index == 0 ? nil : address.onLink(index)
    }

    /// The failure of a probe if there is no such interface.
    var noInterface: Failure {
        Failure(.noRoute, detail: "\(zone) does not exist")
    }
}

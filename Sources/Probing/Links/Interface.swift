/// A network interface of this machine, as it is at one moment.
struct Interface: Sendable, Hashable {
    let name: String
    /// Whether it is switched on.
    var isUp: Bool
    /// Whether packets can pass: the cable is in, the radio is connected.
    var isRunning: Bool
    var isLoopback = false
    /// Whether it joins containers and virtual machines of this machine, and leads out only if the routes say so.
    var isBridge = false
    var addresses: [IPAddress] = []

    /// Why nothing can pass; nil where something can.
    var trouble: String? {
        guard isUp else { return "\(name) is down" }
        return isRunning ? nil : "\(name) has no carrier"
    }

    /// Whether it may lead to others: something can pass, and it has an address that is not only its neighbours'.
    var mayLeadOut: Bool {
        trouble == nil && !isLoopback && addresses.contains { !$0.isLinkLocal }
    }
}

extension IPAddress {
    /// Whether it means something on its own link only, as one does that no router and no server gave (RFC 3927,
    /// RFC 4291).
    var isLinkLocal: Bool {
        switch family {
        case .ipv4: high >> 48 == 0xA9FE
        case .ipv6: high >> 54 == 0xFE80 >> 6
        }
    }
}

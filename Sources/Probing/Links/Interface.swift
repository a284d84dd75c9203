/// A snapshot of a network interface of this machine.
struct Interface: Sendable, Hashable {
    let name: String
    /// Whether it is administratively up.
    var isUp: Bool
    /// Whether it can carry packets: the cable is in, the radio is connected.
    var isRunning: Bool
    var isLoopback = false
    /// Whether it is a bridge of local containers and virtual machines. It is outbound only by a default route.
    var isBridge = false
    var addresses: [IPAddress] = []

    /// Why it cannot carry packets; nil if it can.
    var problem: String? {
        guard isUp else { return "\(name) is down" }
        return isRunning ? nil : "\(name) has no carrier"
    }

    /// Whether it may be outbound: it carries packets, and has an address that is not link-local.
    var mayBeOutbound: Bool {
        problem == nil && !isLoopback && addresses.contains { !$0.isLinkLocal }
    }
}

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

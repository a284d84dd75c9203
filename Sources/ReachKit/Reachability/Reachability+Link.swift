import Probing

extension Reachability {
    /// What sort of link leads to a subject. Linux tells by `/sys/class/net`, other systems by the interface's name.
    public enum Link: String, Sendable, Hashable, CaseIterable {
        /// A cable, or what behaves like one.
        case wired
        /// Wireless LAN.
        case wifi
        /// A mobile network.
        case cellular
        /// A tunnel, whatever it goes through.
        case vpn
        /// The subject is this machine itself.
        case loopback
        /// The system does not tell.
        case other

        init(_ kind: LinkKind?) {
            self =
                switch kind {
                case .wired: .wired
                case .wifi: .wifi
                case .cellular: .cellular
                case .vpn: .vpn
                case .loopback: .loopback
                case nil: .other
                }
        }
    }
}

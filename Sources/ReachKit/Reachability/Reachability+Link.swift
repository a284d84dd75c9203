import Probing

extension Reachability {
    /// The type of the link that packets to a subject leave by. Linux reports it in `/sys/class/net`; on other systems,
    /// the interface's name implies it.
    public enum Link: String, Sendable, Hashable, Codable, CaseIterable {
        /// Ethernet, or an interface that behaves like it.
        case wired
        /// Wireless LAN.
        case wifi
        /// A mobile network.
        case cellular
        /// A tunnel, over any other link.
        case vpn
        /// The loopback interface: the subject is this machine itself.
        case loopback
        /// Unknown to the system.
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

/// The kind of link behind an interface. The raw values are shown to users.
public enum LinkKind: String, Sendable, Hashable, CaseIterable {
    /// A cable, or an interface that behaves like one.
    case wired
    /// Wireless LAN.
    case wifi
    /// A mobile network.
    case cellular
    /// A tunnel through another link.
    case vpn
    /// This machine itself.
    case loopback

    /// The kind of an interface; nil if the system does not report it.
    ///
    /// - Parameter read: returns the contents of a file of Linux's `/sys/class/net/INTERFACE`; empty for a folder, nil
    ///   if there is none.
    init?(of interface: Interface, read: (_ file: String) -> String?) {
        let type = read("type").flatMap { Int($0.filter(\.isNumber)) }
        let deviceType = read("uevent")?.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst(8)
        if interface.isLoopback || type == 772 {
            self = .loopback
        } else if deviceType == "wwan" || interface.name.hasPrefix("wwan") {
            self = .cellular
        } else if deviceType == "wlan" || read("wireless") != nil || read("phy80211") != nil {
            self = .wifi
        } else if deviceType == "wireguard" || read("tun_flags") != nil || type.map(Self.tunnels.contains) == true {
            self = .vpn
        } else if type != nil {
            self = .wired
        } else {
            self.init(name: interface.name)
        }
    }

    /// The tunnel types of <linux/if_arp.h>: PPP, IP in IP, IPv6 in IPv6, IPv6 in IPv4, GRE, GRE over IPv6, and those
    /// without a link layer, as tun and WireGuard.
    private static let tunnels: Set<Int> = [512, 768, 769, 776, 778, 823, 65_534]

    /// Derives the kind from the interface's name, if there is no other information.
    private init?(name: String) {
        let kind = Self.names.first { name.hasPrefix($0.prefix) }?.kind
        guard let kind else { return nil }
        self = kind
    }

    private static let names: [(prefix: String, kind: LinkKind)] = {
        var names: [(prefix: String, kind: LinkKind)] = [
            ("lo", .loopback), ("wwan", .cellular), ("rmnet", .cellular), ("pdp_ip", .cellular), ("wl", .wifi),
            ("awdl", .wifi), ("tun", .vpn), ("tap", .vpn), ("utun", .vpn), ("wg", .vpn), ("ppp", .vpn),
            ("ipsec", .vpn), ("eth", .wired),
        ]
        #if !canImport(Darwin)
        // On macOS, Wi-Fi has such a name too.
        names.append(("en", .wired))
        #endif
        return names
    }()
}

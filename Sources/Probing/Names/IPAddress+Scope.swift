extension IPAddress {
    /// The same address on the link of this index, which only a link-local IPv6 address needs.
    func onLink(_ index: UInt32) -> IPAddress {
        guard family == .ipv6, isLinkLocal else { return self }
        return IPAddress(ipv6: high, low, scope: index)
    }

    /// Whether it means something on its own link only, as one does that no router and no server gave (RFC 3927,
    /// RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        switch family {
        case .ipv4: high >> 48 == 0xA9FE
        case .ipv6: high >> 54 == 0xFE80 >> 6
        }
    }
}

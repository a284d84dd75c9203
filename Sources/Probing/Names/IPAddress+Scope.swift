extension IPAddress {
    /// Whether it means something on its own link only, as one does that no router and no server gave (RFC 3927,
    /// RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        switch family {
        case .ipv4: high >> 48 == 0xA9FE
        case .ipv6: high >> 54 == 0xFE80 >> 6
        }
    }
}

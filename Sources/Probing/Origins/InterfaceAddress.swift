#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An address of one of this machine's interfaces that are up.
struct InterfaceAddress: Sendable, Hashable {
    /// The interface's name: `eth0`.
    let name: String
    let address: IPAddress

    /// All of them, in the system's order.
    static var all: [InterfaceAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        guard let first = list else { return [] }
        return sequence(first: first, next: { $0.pointee.ifa_next })
            .compactMap { entry in
                let entry = entry.pointee
                guard entry.ifa_flags & isUp != 0,
                    let address = entry.ifa_addr.flatMap({ IPAddress(UnsafePointer($0)) })
                else { return nil }
                return InterfaceAddress(name: String(cString: entry.ifa_name), address: address)
            }
    }

    /// The flag of an interface that is switched on.
    private static let isUp = UInt32(IFF_UP)
}

import Monitoring

extension Reason {
    /// Maps the type and code of an ICMP error message to a reason; nil for types that are no errors, and for errors
    /// that are no verdict on a request, such as one that was too big for a link.
    init?(icmpType type: UInt8, code: UInt8, family: IPAddress.Family) {
        let reason: Reason? =
            switch family {
            case .ipv4: Self.ipv4(type, code)
            case .ipv6: Self.ipv6(type, code)
            }
        guard let reason else { return nil }
        self = reason
    }

    /// RFC 792 and RFC 1812 §5.2.7.1.
    private static func ipv4(_ type: UInt8, _ code: UInt8) -> Reason? {
        switch (type, code) {
        case (3, 0), (3, 5), (3, 6), (3, 11): .networkUnreachable
        case (3, 1), (3, 2), (3, 7), (3, 8), (3, 12): .hostUnreachable
        case (3, 3): .refused
        case (3, 9), (3, 10), (3, 13), (3, 14), (3, 15): .prohibited
        case (11, 0): .ttlExceeded
        default: nil
        }
    }

    /// RFC 4443 §3.
    private static func ipv6(_ type: UInt8, _ code: UInt8) -> Reason? {
        switch (type, code) {
        case (1, 0), (1, 2): .networkUnreachable
        case (1, 1), (1, 5), (1, 6): .prohibited
        case (1, 3): .hostUnreachable
        case (1, 4): .refused
        case (3, 0): .ttlExceeded
        default: nil
        }
    }
}

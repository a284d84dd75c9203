import LibC
import Monitoring

extension Family {
    /// Returns the family of a numeric address, including `fe80::1%eth0`; nil for a name. An IPv4-mapped address,
    /// `::ffff:192.0.2.1`, is an IPv4 address (RFC 4291 §2.5.5.2).
    init?(ofAddress text: String) {
        var buffer = in6_addr()
        if inet_pton(AF_INET, text, &buffer) == 1 {
            self = .v4
            return
        }
        let address = text.prefix { $0 != "%" }
        let isWhole = address.endIndex == text.endIndex || text.index(after: address.endIndex) < text.endIndex
        guard isWhole, inet_pton(AF_INET6, String(address), &buffer) == 1 else { return nil }
        let isMapped = withUnsafeBytes(of: buffer) { bytes in
            bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        }
        self = isMapped ? .v4 : .v6
    }

    /// The name for people: `IPv4`.
    var title: String {
        self == .any ? "any" : "IPv\(rawValue)"
    }
}

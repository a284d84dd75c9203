import LibC
import Monitoring

extension Family {
    /// The family of an address in numbers, `fe80::1%eth0` too; nil for a name.
    init?(ofAddress text: String) {
        var room = in6_addr()
        if inet_pton(AF_INET, text, &room) == 1 {
            self = .v4
            return
        }
        let address = text.prefix { $0 != "%" }
        let isWhole = address.endIndex == text.endIndex || text.index(after: address.endIndex) < text.endIndex
        guard isWhole, inet_pton(AF_INET6, String(address), &room) == 1 else { return nil }
        self = .v6
    }

    /// What the family is called: `IPv4`.
    var title: String {
        self == .any ? "any" : "IPv\(rawValue)"
    }
}

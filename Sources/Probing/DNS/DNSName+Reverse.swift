import Monitoring

extension DNSName {
    /// Creates the name to query. For `PTR`, an address is converted to its name in the reverse tree. Nil if the name
    /// is invalid.
    init?(queriedBy question: DNSQuestion) {
        if question.type == .ptr, let address = IPAddress(complete: question.name) {
            self.init(reverse: address)
        } else {
            self.init(question.name)
        }
    }

    /// Creates `1.2.0.192.in-addr.arpa` (RFC 1035 §3.5), or a name with one nibble per label under `ip6.arpa` (RFC 3596
    /// §2.5).
    private init?(reverse address: IPAddress) {
        switch address.family {
        case .ipv4:
            self.init(address.bytes.reversed().map { "\($0)" }.joined(separator: ".") + ".in-addr.arpa")
        case .ipv6:
            let nibbles = address.bytes.reversed().flatMap { [$0 & 0xF, $0 >> 4] }
            self.init(nibbles.map { String($0, radix: 16) }.joined(separator: ".") + ".ip6.arpa")
        }
    }
}

extension IPAddress {
    /// Parses a complete address. The system's parser also accepts `1` and `1.2`, which are names in a query.
    fileprivate init?(complete text: String) {
        guard text.contains(":") || text.split(separator: ".", omittingEmptySubsequences: false).count == 4 else {
            return nil
        }
        self.init(literal: text)
    }
}

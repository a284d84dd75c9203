import Monitoring

extension DNSName {
    /// The name that a question asks for. An address whose `PTR` is asked for is turned into its name in the reverse
    /// tree. Nil for what is no name.
    init?(askedBy question: DNSQuestion) {
        if question.type == .ptr, let address = IPAddress(written: question.name) {
            self.init(reverse: address)
        } else {
            self.init(question.name)
        }
    }

    /// `1.2.0.192.in-addr.arpa` (RFC 1035 §3.5), or one nibble a label under `ip6.arpa` (RFC 3596 §2.5).
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
    /// An address that is written out. The system's reader takes `1` and `1.2` for addresses too, which in a question
    /// are names.
    fileprivate init?(written text: String) {
        guard text.contains(":") || text.split(separator: ".", omittingEmptySubsequences: false).count == 4 else {
            return nil
        }
        self.init(literal: text)
    }
}

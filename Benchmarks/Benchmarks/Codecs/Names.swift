import Monitoring

/// Queries, and what servers answer.
enum Names {
    static func query(_ id: Int = 0) -> DNSQuery {
        guard let name = DNSName("www.example.com") else { preconditionFailure("a name of three labels is one") }
        return DNSQuery(id: UInt16(id), name: name, type: .a)
    }

    /// Answers with one record each, as a server of ours would write them.
    static func answers(_ count: Int) -> [(query: DNSQuery, message: [UInt8])] {
        (0..<count).map { number in
            let query = query(number)
            var message = query.message
            message.removeLast(11)  // the pseudo-record
            message.replaceSubrange(2..<12, with: [0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
            // The name is the one at byte 12; type, class, lifetime, length, address.
            message += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]
            return (query, message)
        }
    }
}

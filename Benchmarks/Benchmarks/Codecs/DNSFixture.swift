import ReachMonitoring

/// DNS queries and answers.
enum DNSFixture {
    static func query(_ id: Int = 0) -> DNSQuery {
        guard let name = DNSName("www.example.com") else { preconditionFailure("invalid DNS name") }
        return DNSQuery(id: UInt16(id), name: name, type: .a)
    }

    /// Queries and their answers, with one record each.
    static func answers(_ count: Int) -> [(query: DNSQuery, message: [UInt8])] {
        (0..<count).map { number in
            let query = query(number)
            var message = query.message
            message.removeLast(11)  // the pseudo-record
            message.replaceSubrange(2..<12, with: [0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
            // A pointer to the name at byte 12; type, class, TTL, length, address.
            message += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]
            return (query, message)
        }
    }
}

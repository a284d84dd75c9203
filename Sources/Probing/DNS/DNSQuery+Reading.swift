import Monitoring

extension DNSQuery {
    /// What a message is to a query.
    enum Reading: Sendable, Hashable {
        /// It answers it.
        case answer(DNSAnswer)
        /// It answers it, but would not fit into a datagram: to be asked again by TCP.
        case truncated
        /// It answers it, and breaks the rules.
        case malformed
        /// It answers another question, or none.
        case noise
    }

    /// Reads a message that came to the socket that asked.
    func read(_ message: [UInt8]) -> Reading {
        var reader = DNSReader(message)
        guard
            let id = reader.short(), let flags = reader.short(), let questions = reader.short(),
            let answers = reader.short(), reader.bytes(4) != nil,
            id == self.id, flags & Flags.isResponse != 0, flags & Flags.operation == 0
        else { return .noise }
        let code = UInt8(flags & Flags.code)
        // A server that does not read questions need not repeat them.
        if questions == 0, code != 0, code != 3 { return .answer(DNSAnswer(code: code)) }
        guard
            questions == 1, reader.name() == name, reader.short() == type.rawValue,
            reader.short() == DNSRecord.internet
        else { return .noise }
        if flags & Flags.isTruncated != 0 { return .truncated }
        var answer = DNSAnswer(code: code)
        for _ in 0..<min(Int(answers), DNSAnswer.mostRecords) {
            guard let record = DNSRecord(from: &reader) else { return .malformed }
            answer.records.append(record)
        }
        return .answer(answer)
    }

    /// The bits of a message's second word (RFC 1035 §4.1.1).
    private enum Flags {
        static let isResponse: UInt16 = 0x8000
        static let operation: UInt16 = 0x7800
        static let isTruncated: UInt16 = 0x0200
        static let code: UInt16 = 0x000F
    }
}

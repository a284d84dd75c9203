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
            let answers = reader.short(), let authorities = reader.short(), let additions = reader.short(),
            id == self.id, flags & Flags.isResponse != 0, flags & Flags.operation == 0
        else { return .noise }
        let code = flags & Flags.code
        // A server that does not read questions need not repeat them.
        if questions == 0 {
            let code = code | Self.extendedCode(in: Int(answers) + Int(authorities) + Int(additions), of: reader)
            return code == 0 || code == 3 ? .noise : .answer(DNSAnswer(code: code))
        }
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
        if answers <= DNSAnswer.mostRecords {
            answer.code |= Self.extendedCode(in: Int(authorities) + Int(additions), of: reader)
        }
        return .answer(answer)
    }

    /// The upper bits of the response code, from the pseudo-record of the extensions (RFC 6891 §6.1.3); zero without one. What
    /// else is behind the answers is not looked at, nor whether it follows the rules.
    private static func extendedCode(in count: Int, of reader: DNSReader) -> UInt16 {
        var reader = reader
        for _ in 0..<min(count, DNSAnswer.mostRecords) {
            guard
                reader.name() != nil, let type = reader.short(), reader.short() != nil, let bits = reader.long(),
                let length = reader.short(), reader.bytes(Int(length)) != nil
            else { return 0 }
            if type == DNSRecord.options { return UInt16(bits >> 24) << 4 }
        }
        return 0
    }

    /// The bits of a message's second word (RFC 1035 §4.1.1).
    private enum Flags {
        static let isResponse: UInt16 = 0x8000
        static let operation: UInt16 = 0x7800
        static let isTruncated: UInt16 = 0x0200
        static let code: UInt16 = 0x000F
    }
}

import Monitoring

extension DNSQuery {
    /// The relation of a message to a query.
    enum ParseResult: Sendable, Hashable {
        /// The answer.
        case answer(DNSAnswer)
        /// A truncated answer. The query must be sent again by TCP.
        case truncated
        /// A malformed answer.
        case malformed
        /// Not an answer to this query.
        case unrelated
    }

    /// Parses a message received on the socket of this query.
    func parse(_ message: [UInt8]) -> ParseResult {
        var reader = DNSReader(message)
        guard
            let id = reader.readUInt16(), let flags = reader.readUInt16(), let questions = reader.readUInt16(),
            let answers = reader.readUInt16(), let authorities = reader.readUInt16(),
            let additions = reader.readUInt16(),
            id == self.id, flags & Flags.isResponse != 0, flags & Flags.operation == 0
        else { return .unrelated }
        let code = flags & Flags.code
        // A server that rejects the query may omit the question.
        if questions == 0 {
            var answer = DNSAnswer(code: code)
            answer.addOptions(in: Int(answers) + Int(authorities) + Int(additions), of: reader)
            return answer.code == 0 || answer.code == 3 ? .unrelated : .answer(answer)
        }
        guard
            questions == 1, reader.readName() == name, reader.readUInt16() == type.rawValue,
            reader.readUInt16() == DNSRecord.internet
        else { return .unrelated }
        if flags & Flags.isTruncated != 0 { return .truncated }
        var answer = DNSAnswer(code: code)
        for _ in 0..<min(Int(answers), DNSAnswer.maxRecords) {
            guard let record = DNSRecord(from: &reader) else { return .malformed }
            answer.records.append(record)
        }
        if answers <= DNSAnswer.maxRecords {
            answer.addOptions(in: Int(authorities) + Int(additions), of: reader)
        }
        return .answer(answer)
    }

    /// The flags in the second word of a message (RFC 1035 §4.1.1).
    private enum Flags {
        static let isResponse: UInt16 = 0x8000
        static let operation: UInt16 = 0x7800
        static let isTruncated: UInt16 = 0x0200
        static let code: UInt16 = 0x000F
    }
}

extension DNSAnswer {
    /// Adds the upper bits of the response code from the OPT pseudo-record (RFC 6891 §6.1.3), if there is one. Other records
    /// after the answers are skipped without validation.
    fileprivate mutating func addOptions(in count: Int, of reader: DNSReader) {
        var reader = reader
        for _ in 0..<min(count, Self.maxRecords) {
            guard
                reader.readName() != nil, let type = reader.readUInt16(), reader.readUInt16() != nil,
                let bits = reader.readUInt32(),
                let length = reader.readUInt16(), reader.readBytes(Int(length)) != nil
            else { return }
            guard type == DNSRecord.options else { continue }
            hasOptions = true
            code |= UInt16(bits >> 24) << 4
            return
        }
    }
}

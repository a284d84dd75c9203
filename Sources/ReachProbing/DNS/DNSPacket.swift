import ReachMonitoring

/// A message with the records of all sections (RFC 1035 §4.1). The data of the records is not parsed.
struct DNSPacket: Sendable {
    /// A question (RFC 1035 §4.1.2).
    struct Question: Sendable {
        let name: DNSName
        let type: UInt16
        let recordClass: UInt16

        /// Parses the next question; nil if it is malformed.
        init?(from reader: inout DNSReader) {
            guard let name = reader.readName(), let type = reader.readUInt16(), let recordClass = reader.readUInt16()
            else { return nil }
            (self.name, self.type, self.recordClass) = (name, type, recordClass)
        }
    }

    let id: UInt16
    /// The flags and the lower bits of the response code.
    let flags: UInt16
    /// The numbers of questions and of answers that the header declares.
    let questionCount: UInt16
    let answerCount: UInt16
    private(set) var questions: [Question] = []
    private(set) var answers: [DNSRawRecord] = []
    private(set) var authorities: [DNSRawRecord] = []
    private(set) var additions: [DNSRawRecord] = []
    /// Whether all sections were parsed. Some servers send an error as a header alone, whatever it declares.
    private(set) var isComplete = true

    /// Parses a message; nil if it has no header.
    init?(_ bytes: [UInt8]) {
        var reader = DNSReader(bytes)
        guard let id = reader.readUInt16(), let flags = reader.readUInt16(), let questionCount = reader.readUInt16(),
            let answerCount = reader.readUInt16(), let authorityCount = reader.readUInt16(),
            let additionCount = reader.readUInt16()
        else { return nil }
        (self.id, self.flags, self.questionCount, self.answerCount) = (id, flags, questionCount, answerCount)
        guard reader.position < bytes.count else { return }
        questions = section(questionCount, from: &reader, Question.init)
        answers = section(answerCount, from: &reader, DNSRawRecord.init)
        authorities = section(authorityCount, from: &reader, DNSRawRecord.init)
        additions = section(additionCount, from: &reader, DNSRawRecord.init)
    }

    private mutating func section<Item>(
        _ count: UInt16,
        from reader: inout DNSReader,
        _ read: (inout DNSReader) -> Item?
    ) -> [Item] {
        var items: [Item] = []
        for _ in 0..<count where isComplete {
            if let item = read(&reader) { items.append(item) } else { isComplete = false }
        }
        return items
    }

    var isResponse: Bool { flags & 0x8000 != 0 }

    /// The operation; zero for a query.
    var operation: UInt16 { flags >> 11 & 0x0F }

    /// Whether the server has left out records that did not fit.
    var isTruncated: Bool { flags & 0x0200 != 0 }

    /// The pseudo-record of EDNS (RFC 6891 §6.1.1).
    var options: DNSRawRecord? { additions.last { $0.type == DNSRecord.options } }

    /// The response code, with the upper bits from EDNS (RFC 6891 §6.1.3).
    var code: UInt16 { flags & 0x000F | (options.map { UInt16($0.lifetime >> 24) << 4 } ?? 0) }
}

/// A resource record with its data unparsed (RFC 1035 §3.2.1).
struct DNSRawRecord: Sendable {
    let name: DNSName
    let type: UInt16
    let recordClass: UInt16
    /// How long the record may be kept, in seconds, as sent.
    let lifetime: UInt32
    let data: ArraySlice<UInt8>
    /// The message from the data on: names in the data may point anywhere before it.
    private let reader: DNSReader

    /// Parses the next record; nil if it is malformed.
    init?(from reader: inout DNSReader) {
        guard
            let name = reader.readName(), let type = reader.readUInt16(), let recordClass = reader.readUInt16(),
            let lifetime = reader.readUInt32(), let length = reader.readUInt16()
        else { return nil }
        self.reader = reader
        guard let data = reader.readBytes(Int(length)) else { return nil }
        (self.name, self.type, self.recordClass, self.lifetime, self.data) = (name, type, recordClass, lifetime, data)
    }

    /// Parses the data; nil if it is malformed. Empty data has no values, whatever its fields.
    func values(of fields: [DNSRecordField]) -> [DNSRecordField.Value]? {
        var reader = reader
        let end = reader.position + data.count
        var values: [DNSRecordField.Value] = []
        for field in fields where !data.isEmpty {
            guard reader.position <= end, let next = field.values(from: &reader, to: end) else { return nil }
            values += next
        }
        return reader.position == end ? values : nil
    }
}

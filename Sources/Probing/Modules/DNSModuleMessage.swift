#if Fetch
import Monitoring

/// An answer with the records of all sections.
struct DNSModuleMessage {
    /// A record in the format of zone files, as the blackbox exporter writes it.
    struct Record {
        let text: String
        /// The serial number of an SOA record.
        let serial: UInt32?
    }

    let id: UInt16
    let code: UInt16
    let isResponse: Bool
    /// Whether the server has left out records that did not fit.
    let isTruncated: Bool
    /// Whether all records were parsed.
    private(set) var isComplete = true
    private(set) var answers: [Record] = []
    private(set) var authorities: [Record] = []
    private(set) var additions: [Record] = []

    /// Parses a message; nil if it has no header.
    init?(_ bytes: [UInt8]) {
        var reader = DNSReader(bytes)
        guard let id = reader.readUInt16(), let flags = reader.readUInt16(), let questions = reader.readUInt16(),
            let answers = reader.readUInt16(), let authorities = reader.readUInt16(),
            let additions = reader.readUInt16()
        else { return nil }
        self.id = id
        code = flags & 0x000F
        isResponse = flags & 0x8000 != 0
        isTruncated = flags & 0x0200 != 0
        for _ in 0..<questions {
            guard reader.readName() != nil, reader.readUInt32() != nil else {
                isComplete = false
                return
            }
        }
        self.answers = records(answers, from: &reader)
        self.authorities = records(authorities, from: &reader)
        self.additions = records(additions, from: &reader)
    }

    private mutating func records(_ count: UInt16, from reader: inout DNSReader) -> [Record] {
        var records: [Record] = []
        for _ in 0..<count where isComplete {
            guard let record = Record(from: &reader) else {
                isComplete = false
                break
            }
            records.append(record)
        }
        return records
    }
}

extension DNSModuleMessage.Record {
    /// Parses the next record; nil if it is malformed.
    fileprivate init?(from reader: inout DNSReader) {
        var head = reader
        guard let record = DNSRecord(from: &reader), let name = head.readName(), let type = head.readUInt16(),
            let recordClass = head.readUInt16(), let lifetime = head.readUInt32(), let length = head.readUInt16(),
            let data = head.readBytes(Int(length))
        else { return nil }
        // The format of records of unknown types (RFC 3597 §5).
        let isKnown = record.value != .other
        let names = [
            isKnown ? DNSModule.className(recordClass) : "CLASS\(recordClass)",
            isKnown ? DNSModule.typeName(type) : "TYPE\(type)",
        ]
        let fields = [name.rooted, "\(lifetime)"] + names
        text = (fields + [Self.text(of: record, data)]).joined(separator: "\t")
        if case .authority(_, _, let numbers) = record.value { serial = numbers.first } else { serial = nil }
    }

    private static func text(of record: DNSRecord, _ data: ArraySlice<UInt8>) -> String {
        switch record.value {
        case .address, .text: record.text
        case .name(let name): name.rooted
        case .host(let numbers, let name): (numbers.map { "\($0)" } + [name.rooted]).joined(separator: " ")
        case .authority(let server, let mailbox, let numbers):
            ([server.rooted, mailbox.rooted] + numbers.map { "\($0)" }).joined(separator: " ")
        case .other: "\\# \(data.count) \(data.hexadecimal)"
        }
    }
}

extension DNSName {
    /// The name with a trailing dot.
    fileprivate var rooted: String {
        let text = description
        return text == "." ? text : text + "."
    }
}
#endif

import ReachMonitoring

/// A resource record (RFC 1035 §3.2.1).
struct DNSRecord: Sendable, Hashable {
    /// The class IN (RFC 1035 §3.2.4).
    static let internet: UInt16 = 1
    /// The type OPT, the pseudo-record of EDNS (RFC 6891 §6.1.1).
    static let options: UInt16 = 41

    let name: DNSName
    /// The number of its type, which may be an unsupported one.
    let type: UInt16
    let value: Value
    /// The number of its class. All queries are for the class IN.
    var recordClass = DNSRecord.internet
    /// How long the record may be kept, in seconds.
    var timeToLive: UInt32 = 0

    /// The value of a record.
    enum Value: Sendable, Hashable {
        /// `A` and `AAAA`.
        case address(IPAddress)
        /// `NS`, `CNAME` and `PTR`.
        case name(DNSName)
        /// `MX` and `SRV`: the numbers in wire order, and the host after them.
        case host([UInt16], DNSName)
        /// `TXT`: strings of up to 255 bytes each.
        case text([[UInt8]])
        /// `SOA`: the primary server, the mailbox of the administrator, and five numbers.
        case authority(DNSName, DNSName, [UInt32])
        /// The value of an unsupported type or class.
        case other
    }

    init(name: DNSName, type: DNSQuestion.RecordType, value: Value) {
        self.name = name
        self.type = type.rawValue
        self.value = value
    }

    /// Parses the data of a record, for a supported type of the class IN; nil if it is malformed.
    init?(_ record: DNSRawRecord) {
        var value = Value.other
        if record.recordClass == Self.internet, let type = DNSQuestion.RecordType(rawValue: record.type) {
            guard let fields = DNSRecordLayout.fields(of: record.type), let values = record.values(of: fields),
                let parsed = Value(values, of: type)
            else { return nil }
            value = parsed
        }
        name = record.name
        type = record.type
        self.value = value
        recordClass = record.recordClass
        // A value with the highest bit counts as zero (RFC 2181 §8).
        timeToLive = record.lifetime > UInt32(Int32.max) ? 0 : record.lifetime
    }
}

extension DNSRecord.Value {
    /// Creates the value of a record from those of its fields; nil if some are missing.
    fileprivate init?(_ values: [DNSRecordField.Value], of type: DNSQuestion.RecordType) {
        var (names, numbers, strings) = ([DNSName](), [UInt32](), [[UInt8]]())
        for value in values {
            switch value {
            case .address(let address):
                self = .address(address)
                return
            case .name(let name): names.append(name)
            case .number(let number): numbers.append(number)
            case .string(let string): strings.append(string)
            case .text: return nil
            }
        }
        switch (type, names.count) {
        case (.txt, _): self = .text(strings)
        case (.ns, 1), (.cname, 1), (.ptr, 1): self = .name(names[0])
        case (.mx, 1), (.srv, 1): self = .host(numbers.map { UInt16(truncatingIfNeeded: $0) }, names[0])
        case (.soa, 2): self = .authority(names[0], names[1], numbers)
        default: return nil
        }
    }
}

/// A reader of a DNS message from front to back. Each read returns nil and consumes nothing if the message is too short
/// or malformed.
struct DNSReader {
    /// The maximum number of compression pointers in a name. Real names have far fewer. A message with many pointers
    /// costs much more to read than to send.
    static let maxPointers = 32

    private let message: [UInt8]
    /// The offset of the next byte.
    private(set) var position: Int

    init(_ message: [UInt8], at position: Int = 0) {
        self.message = message
        self.position = position
    }

    mutating func readUInt8() -> UInt8? {
        guard position < message.count else { return nil }
        defer { position += 1 }
        return message[position]
    }

    mutating func readUInt16() -> UInt16? {
        guard message.count - position >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(message[position]) << 8 | UInt16(message[position + 1])
    }

    mutating func readUInt32() -> UInt32? {
        guard message.count - position >= 4, let high = readUInt16(), let low = readUInt16() else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// Returns the identifier of a message (RFC 1035 §4.1.1); nil if the message is too short.
    static func identifier(of message: ArraySlice<UInt8>) -> UInt16? {
        guard message.count >= 2 else { return nil }
        return UInt16(message[message.startIndex]) << 8 | UInt16(message[message.startIndex + 1])
    }

    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= message.count - position else { return nil }
        defer { position += count }
        return message[position..<position + count]
    }

    /// Reads a name with compression pointers (RFC 1035 §4.1.4). Each pointer must lead further back than the one
    /// before, which excludes loops.
    mutating func readName() -> DNSName? {
        var wire: [UInt8] = []
        var (offset, start) = (position, position)
        var end: Int?
        var pointers = 0
        while offset < message.count {
            let length = Int(message[offset])
            switch length >> 6 {
            case 0:
                let next = offset + 1 + length
                // Every label but the last leaves a byte for the root label.
                let maxLength = DNSName.maxLength - (length == 0 ? 0 : 1)
                guard next <= message.count, wire.count + 1 + length <= maxLength else { return nil }
                wire += message[offset..<next]
                offset = next
                guard length == 0 else { continue }
                position = end ?? offset
                return DNSName(wire: wire)
            case 3:
                guard offset + 1 < message.count else { return nil }
                let target = (length & 0x3F) << 8 | Int(message[offset + 1])
                pointers += 1
                guard target < start, pointers <= Self.maxPointers else { return nil }
                end = end ?? offset + 2
                (offset, start) = (target, target)
            default:
                return nil
            }
        }
        return nil
    }
}

import Monitoring

/// A record of an answer (RFC 1035 §3.2.1).
struct DNSRecord: Sendable, Hashable {
    /// The class of everything on the internet (RFC 1035 §3.2.4).
    static let internet: UInt16 = 1
    /// The type of the pseudo-record of the extensions (RFC 6891 §6.1.1).
    static let options: UInt16 = 41

    let name: DNSName
    /// The number of its type, which may be one that nobody asks for.
    let type: UInt16
    let value: Value

    /// What a record says.
    enum Value: Sendable, Hashable {
        /// `A` and `AAAA`.
        case address(IPAddress)
        /// `NS`, `CNAME` and `PTR`.
        case name(DNSName)
        /// `MX` and `SRV`: numbers, the most important first, and the host behind them.
        case host([UInt16], DNSName)
        /// `TXT`: strings of up to 255 bytes each.
        case text([[UInt8]])
        /// `SOA`: the zone's first server, its keeper, and five numbers.
        case authority(DNSName, DNSName, [UInt32])
        /// Of a type or class that nobody asks for.
        case other
    }

    init(name: DNSName, type: DNSQuestion.RecordType, value: Value) {
        self.name = name
        self.type = type.rawValue
        self.value = value
    }

    /// Reads the next record; nil if it breaks the rules.
    init?(from reader: inout DNSReader) {
        guard
            let name = reader.name(), let type = reader.short(), let recordClass = reader.short(),
            reader.long() != nil, let length = reader.short()
        else { return nil }
        let start = reader
        guard reader.bytes(Int(length)) != nil else { return nil }
        var value: Value?
        if recordClass == Self.internet, let type = DNSQuestion.RecordType(rawValue: type) {
            // Names within may go on anywhere before, and so the whole message is at hand.
            var inner = start
            value = Value(of: type, length: Int(length), from: &inner)
            guard value != nil, inner.position == reader.position else { return nil }
        }
        self.name = name
        self.type = type
        self.value = value ?? .other
    }
}

extension DNSRecord.Value {
    /// Reads what a record of a type says. The caller sees to it that all of it was read, and nothing else.
    fileprivate init?(of type: DNSQuestion.RecordType, length: Int, from reader: inout DNSReader) {
        switch type {
        case .a, .aaaa:
            guard length == (type == .a ? 4 : 16), let bytes = reader.bytes(length),
                let address = IPAddress(bytes: bytes)
            else { return nil }
            self = .address(address)
        case .ns, .cname, .ptr:
            guard let name = reader.name() else { return nil }
            self = .name(name)
        case .mx, .srv:
            let count = type == .mx ? 1 : 3
            let numbers = (0..<count).compactMap { _ in reader.short() }
            guard numbers.count == count, let name = reader.name() else { return nil }
            self = .host(numbers, name)
        case .txt:
            let end = reader.position + length
            var strings: [[UInt8]] = []
            while reader.position < end {
                guard let count = reader.byte(), let string = reader.bytes(Int(count)) else { return nil }
                strings.append(Array(string))
            }
            self = .text(strings)
        case .soa:
            guard let server = reader.name(), let keeper = reader.name() else { return nil }
            let numbers = (0..<5).compactMap { _ in reader.long() }
            guard numbers.count == 5 else { return nil }
            self = .authority(server, keeper, numbers)
        }
    }
}

import ReachBasics
import ReachMonitoring

/// A field of a record's data. Its text in the format of zone files is that of the blackbox exporter's DNS library
/// (https://github.com/miekg/dns), which the patterns of modules are written for.
enum DNSRecordField: Sendable, Hashable {
    case uint8
    case uint16
    case uint32
    /// A name, compressed or not.
    case name
    /// All remaining names.
    case names
    case ipv4
    case ipv6
    /// A string after its length, in quotation marks.
    case string
    /// A string after its length, without quotation marks.
    case bareString
    /// All remaining strings, in quotation marks.
    case strings
    /// The remaining bytes in quotation marks.
    case quotedRest
    /// The remaining bytes as they are.
    case rest
    /// The remaining bytes in hexadecimal digits.
    case hex(isUppercase: Bool)
    /// The remaining bytes in hexadecimal digits, with a blank after each thousand.
    case groupedHex
    case base64
    /// Bytes after their length, in uppercase hexadecimal digits; `-` for none.
    case salt
    /// Bytes after their length, in base 32 with the extended hexadecimal alphabet (RFC 4648 §7).
    case hash
    /// A time in seconds: `20260101000000`.
    case time
    /// The number of a type.
    case typeName
    /// A bit map of types (RFC 4034 §4.1.2).
    case types
    /// Bytes in hexadecimal digits with hyphens between them.
    case hyphenated(count: Int)
    /// Eight bytes in groups of two, with colons between them.
    case locator(isUppercase: Bool)
    /// The type of a certificate (RFC 4398 §2.1).
    case certificateType
    /// The number of a DNSSEC algorithm.
    case algorithm
    /// A location (RFC 1876).
    case location
    /// The parameters of a service (RFC 9460 §2.2).
    case parameters
    /// Prefixes of addresses (RFC 3123 §4).
    case prefixes
    /// The type of a gateway, an algorithm and the gateway (RFC 4025 §2.1).
    case gateway
    /// A flag and the type of a relay, and the relay (RFC 8777 §4.2).
    case relay
    /// The algorithm, the tag and the key of a host (RFC 8005 §5).
    case hostIdentity

    /// A value that was read.
    enum Value: Sendable, Hashable {
        case number(UInt32)
        case name(DNSName)
        case address(IPAddress)
        case string([UInt8])
        /// The text of any other field.
        case text(String)

        /// The value in the format of zone files.
        var zoneText: String {
            switch self {
            case .number(let number): "\(number)"
            case .name(let name): name.zoneText
            case .address(let address): "\(address)"
            case .string(let string): string.quotedInZoneFile
            case .text(let text): text
            }
        }
    }

    /// Reads the field, and returns its values; nil if it is malformed.
    ///
    /// - Parameter end: The end of the record.
    func values(from reader: inout DNSReader, to end: Int) -> [Value]? {
        switch self {
        case .uint8: reader.readUInt8().map { [.number(UInt32($0))] }
        case .uint16: reader.readUInt16().map { [.number(UInt32($0))] }
        case .uint32: reader.readUInt32().map { [.number($0)] }
        case .name: reader.readName().map { [.name($0)] }
        case .names: Self.list(from: &reader, to: end) { $0.readName().map { .name($0) } }
        case .ipv4: reader.readAddress(4).map { [.address($0)] }
        case .ipv6: reader.readAddress(16).map { [.address($0)] }
        case .string: reader.readString().map { [.string(Array($0))] }
        case .strings: Self.list(from: &reader, to: end) { $0.readString().map { .string(Array($0)) } }
        default: words(from: &reader, to: end)?.map { .text($0) }
        }
    }

    /// Reads a field that has only a text.
    private func words(from reader: inout DNSReader, to end: Int) -> [String]? {
        func rest() -> ArraySlice<UInt8>? { reader.readBytes(end - reader.position) }
        switch self {
        case .uint8, .uint16, .uint32, .name, .names, .ipv4, .ipv6, .string, .strings: return nil
        case .bareString: return reader.readString().map { [$0.escapedInZoneFile] }
        case .quotedRest: return rest().map { [$0.unescaped.quotedInZoneFile] }
        case .rest: return rest().map { [String(decoding: $0, as: UTF8.self)] }
        case .hex(let isUppercase):
            return rest().map { [isUppercase ? $0.hexadecimal.uppercased() : $0.hexadecimal] }
        case .groupedHex: return rest().map { $0.hexadecimal.grouped(by: 1_024) }
        case .base64: return rest().map { [Array($0).base64] }
        case .salt: return reader.readString().map { [$0.isEmpty ? "-" : $0.hexadecimal.uppercased()] }
        case .hash: return reader.readString().map { [$0.base32] }
        case .time: return reader.readUInt32().map { [$0.zoneTime] }
        case .typeName: return reader.readUInt16().map { [BlackboxDNSModule.typeName($0)] }
        case .types: return rest()?.types
        case .hyphenated(let count):
            return reader.readBytes(count).map { [$0.map { [$0].hexadecimal }.joined(separator: "-")] }
        case .locator(let isUppercase):
            return reader.readBytes(8).map { bytes in
                let text = bytes.hexadecimal.grouped(by: 4).joined(separator: ":")
                return [isUppercase ? text.uppercased() : text]
            }
        case .certificateType: return reader.readUInt16().map { [Self.certificateTypes[$0] ?? "\($0)"] }
        case .algorithm: return reader.readUInt8().map { [Self.algorithms[$0] ?? "\($0)"] }
        case .location: return DNSLocation(from: &reader)?.words
        case .parameters: return Self.list(from: &reader, to: end) { $0.readServiceParameter() }
        case .prefixes: return Self.list(from: &reader, to: end) { $0.readAddressPrefix() }
        case .gateway: return reader.readGateway(isRelay: false)
        case .relay: return reader.readGateway(isRelay: true)
        case .hostIdentity: return reader.readHostIdentity()
        }
    }

    private static func list<Item>(
        from reader: inout DNSReader,
        to end: Int,
        _ read: (inout DNSReader) -> Item?
    ) -> [Item]? {
        var items: [Item] = []
        while reader.position < end {
            guard let item = read(&reader) else { return nil }
            items.append(item)
        }
        return items
    }

    private static let certificateTypes: [UInt16: String] = [
        1: "PKIX", 2: "SPKI", 3: "PGP", 4: "IPIX", 5: "ISPKI", 6: "IPGP", 7: "ACPKIX", 8: "IACPKIX", 253: "URI",
        254: "OID",
    ]
    private static let algorithms: [UInt8: String] = [
        1: "RSAMD5", 2: "DH", 3: "DSA", 5: "RSASHA1", 6: "DSA-NSEC3-SHA1", 7: "RSASHA1-NSEC3-SHA1", 8: "RSASHA256",
        10: "RSASHA512", 12: "ECC-GOST", 13: "ECDSAP256SHA256", 14: "ECDSAP384SHA384", 15: "ED25519", 16: "ED448",
        252: "INDIRECT", 253: "PRIVATEDNS", 254: "PRIVATEOID",
    ]
}

extension DNSReader {
    /// Reads an address of 4 or 16 bytes. An IPv4 address in an IPv6 one has the prefix `::ffff:`.
    fileprivate mutating func readAddress(_ count: Int) -> IPAddress? {
        readBytes(count).flatMap { IPAddress(bytes: $0) }
    }

    /// Reads bytes after their length.
    fileprivate mutating func readString() -> ArraySlice<UInt8>? {
        readUInt8().flatMap { readBytes(Int($0)) }
    }

    /// Reads the type of a gateway, an algorithm unless it is a relay, and the gateway.
    fileprivate mutating func readGateway(isRelay: Bool) -> [String]? {
        guard let kind = readUInt8() else { return nil }
        var words: [String]
        if isRelay {
            words = [kind & 0x80 == 0 ? "0" : "1", "\(kind & 0x7F)"]
        } else {
            guard let algorithm = readUInt8() else { return nil }
            words = ["\(kind)", "\(algorithm)"]
        }
        let gateway: String? =
            switch isRelay ? kind & 0x7F : kind {
            case 1: readAddress(4)?.description
            case 2: readAddress(16)?.description
            case 3: readName()?.zoneText
            default: "."
            }
        guard let gateway else { return nil }
        words.append(gateway)
        return words
    }

    fileprivate mutating func readHostIdentity() -> [String]? {
        guard let tagLength = readUInt8(), let algorithm = readUInt8(), let keyLength = readUInt16(),
            let tag = readBytes(Int(tagLength)), let key = readBytes(Int(keyLength))
        else { return nil }
        return ["\(algorithm)", tag.hexadecimal, Array(key).base64]
    }

    /// Reads a prefix: `!1:192.0.2.0/24`.
    fileprivate mutating func readAddressPrefix() -> String? {
        guard let family = readUInt16(), let length = readUInt8(), let flags = readUInt8() else { return nil }
        let size = family == 1 ? 4 : 16
        guard family == 1 || family == 2, let bytes = readBytes(Int(flags & 0x7F)), bytes.count <= size,
            bytes.last != 0, Int(length) <= size * 8
        else { return nil }
        let address = IPAddress(bytes: bytes + Array(repeating: 0, count: size - bytes.count))
        return address.map { "\(flags & 0x80 == 0 ? "" : "!")\(family):\($0)/\(length)" }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes with escapes replaced: the library takes a value of CAA and URI for text with escapes.
    fileprivate var unescaped: [UInt8] {
        var bytes: [UInt8] = []
        var rest = self
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(3)
            if digits.count == 3, digits.allSatisfy(\.isASCIIDigit) {
                bytes.append(UInt8(truncatingIfNeeded: Int(String(decoding: digits, as: UTF8.self)) ?? 0))
                rest = rest.dropFirst(3)
            } else if let next = rest.popFirst() {
                bytes.append(next)
            }
        }
        return bytes
    }

    /// The bytes in base 32 with the extended hexadecimal alphabet, without padding.
    fileprivate var base32: String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUV")
        var (text, value, bits) = ("", 0, 0)
        for byte in self {
            (value, bits) = ((value << 8 | Int(byte)) & 0xFFFF, bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[value >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[value << (5 - bits) & 31]) }
        return text
    }

    /// The names of the types in a bit map; nil if it is malformed.
    fileprivate var types: [String]? {
        var names: [String] = []
        var (rest, last) = (self, -1)
        while let window = rest.popFirst() {
            guard let length = rest.popFirst(), Int(window) > last, 1...32 ~= length, rest.count >= length else {
                return nil
            }
            for (index, byte) in rest.prefix(Int(length)).enumerated() {
                for bit in 0..<8 where byte & 0x80 >> bit != 0 {
                    names.append(BlackboxDNSModule.typeName(UInt16(window) << 8 | UInt16(index * 8 + bit)))
                }
            }
            rest = rest.dropFirst(Int(length))
            last = Int(window)
        }
        return names
    }
}

extension UInt32 {
    /// The time without separators, in UTC.
    fileprivate var zoneTime: String {
        String(WallTime(start: .seconds(Int64(self))).timestamp(at: .zero).filter(\.isNumber).prefix(14))
    }
}

extension String {
    /// The text in pieces of a number of characters, and what is left.
    fileprivate func grouped(by size: Int) -> [String] {
        var (pieces, rest) = ([String](), self[...])
        while rest.count >= size {
            pieces.append(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return rest.isEmpty && !pieces.isEmpty ? pieces : pieces + [String(rest)]
    }
}

/// The data of a LOC record (RFC 1876), in the format of zone files.
struct DNSLocation {
    /// The words: `52 22 23.000 N 4 53 32.000 E -2m 0.00m 10000m 10m`.
    let words: [String]

    /// Reads a location; nil if it is too short.
    init?(from reader: inout DNSReader) {
        guard reader.readUInt8() != nil, let size = reader.readUInt8(), let horizontal = reader.readUInt8(),
            let vertical = reader.readUInt8(), let latitude = reader.readUInt32(),
            let longitude = reader.readUInt32(), let altitude = reader.readUInt32()
        else { return nil }
        words =
            Self.angle(latitude, "N", "S") + Self.angle(longitude, "E", "W")
            + [Self.altitude(altitude)] + [size, horizontal, vertical].map(Self.length)
    }

    /// An angle in thousandths of a second, of which 2³¹ is zero.
    private static func angle(_ value: UInt32, _ positive: String, _ negative: String) -> [String] {
        let zero: UInt32 = 1 << 31
        let isPositive = value > zero
        let rest = isPositive ? value - zero : zero - value
        let seconds = rest % 60_000
        return [
            (rest / 3_600_000).digits(atLeast: 2), (rest / 60_000 % 60).digits(atLeast: 2),
            "\(seconds / 1_000).\((seconds % 1_000).digits(atLeast: 3))", isPositive ? positive : negative,
        ]
    }

    /// An altitude in centimetres above 100 km below the reference.
    private static func altitude(_ value: UInt32) -> String {
        let centimetres = Int(value) - 10_000_000
        let size = centimetres.magnitude
        let fraction = size % 100 == 0 ? "" : ".\((size % 100).digits(atLeast: 2))"
        return "\(centimetres < 0 ? "-" : "")\(size / 100)\(fraction)m"
    }

    /// A length: a digit of centimetres, and a power of ten.
    private static func length(_ value: UInt8) -> String {
        let (digit, power) = (UInt32(value >> 4), Int(value & 0x0F))
        guard power >= 2 else { return "0.\((power == 1 ? digit * 10 : digit).digits(atLeast: 2))m" }
        return "\(digit)\(String(repeating: "0", count: power - 2))m"
    }
}

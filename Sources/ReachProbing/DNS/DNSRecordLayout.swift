import ReachBasics
import ReachMonitoring

/// The fields of the data of each type, for the types that the DNS library of the blackbox exporter parses.
enum DNSRecordLayout {
    private static let digest: [DNSRecordField] = [.uint16, .uint8, .uint8, .hex(isUppercase: true)]
    private static let key: [DNSRecordField] = [.uint16, .uint8, .uint8, .base64]
    private static let signature: [DNSRecordField] = [
        .typeName, .uint8, .uint8, .uint32, .time, .time, .uint16, .name, .base64,
    ]
    private static let service: [DNSRecordField] = [.uint16, .name, .parameters]

    private static let fields: [UInt16: [DNSRecordField]] = [
        1: [.ipv4],  // A
        2: [.name],  // NS
        3: [.name],  // MD
        4: [.name],  // MF
        5: [.name],  // CNAME
        6: [.name, .name, .uint32, .uint32, .uint32, .uint32, .uint32],  // SOA
        7: [.name],  // MB
        8: [.name],  // MG
        9: [.name],  // MR
        10: [.rest],  // NULL
        12: [.name],  // PTR
        13: [.string, .string],  // HINFO
        14: [.name, .name],  // MINFO
        15: [.uint16, .name],  // MX
        16: [.strings],  // TXT
        17: [.name, .name],  // RP
        18: [.uint16, .name],  // AFSDB
        19: [.bareString],  // X25
        20: [.strings],  // ISDN
        21: [.uint16, .name],  // RT
        23: [.name],  // NSAP-PTR
        24: signature,  // SIG
        25: key,  // KEY
        26: [.uint16, .name, .name],  // PX
        27: [.bareString, .bareString, .bareString],  // GPOS
        28: [.ipv6],  // AAAA
        29: [.location],  // LOC
        31: [.hex(isUppercase: true)],  // EID
        32: [.hex(isUppercase: true)],  // NIMLOC
        33: [.uint16, .uint16, .uint16, .name],  // SRV
        35: [.uint16, .uint16, .string, .string, .string, .name],  // NAPTR
        36: [.uint16, .name],  // KX
        37: [.certificateType, .uint16, .algorithm, .base64],  // CERT
        39: [.name],  // DNAME
        42: [.prefixes],  // APL
        43: digest,  // DS
        44: [.uint8, .uint8, .hex(isUppercase: true)],  // SSHFP
        45: [.uint8, .gateway, .base64],  // IPSECKEY
        46: signature,  // RRSIG
        47: [.name, .types],  // NSEC
        48: key,  // DNSKEY
        49: [.base64],  // DHCID
        50: [.uint8, .uint8, .uint16, .salt, .hash, .types],  // NSEC3
        51: [.uint8, .uint8, .uint16, .salt],  // NSEC3PARAM
        52: [.uint8, .uint8, .uint8, .hex(isUppercase: false)],  // TLSA
        53: [.uint8, .uint8, .uint8, .groupedHex],  // SMIMEA
        55: [.hostIdentity, .names],  // HIP
        56: [.strings],  // NINFO
        57: key,  // RKEY
        58: [.name, .name],  // TALINK
        59: digest,  // CDS
        60: key,  // CDNSKEY
        61: [.base64],  // OPENPGPKEY
        62: [.uint32, .uint16, .types],  // CSYNC
        63: [.uint32, .uint8, .uint8, .hex(isUppercase: false)],  // ZONEMD
        64: service,  // SVCB
        65: service,  // HTTPS
        99: [.strings],  // SPF
        100: [.string],  // UINFO
        101: [.uint32],  // UID
        102: [.uint32],  // GID
        104: [.uint16, .locator(isUppercase: false)],  // NID
        105: [.uint16, .ipv4],  // L32
        106: [.uint16, .locator(isUppercase: true)],  // L64
        107: [.uint16, .name],  // LP
        108: [.hyphenated(count: 6)],  // EUI48
        109: [.hyphenated(count: 8)],  // EUI64
        256: [.uint16, .uint16, .quotedRest],  // URI
        257: [.uint8, .bareString, .quotedRest],  // CAA
        258: [.strings],  // AVC
        260: [.uint8, .relay],  // AMTRELAY
        261: [.strings],  // RESINFO
        32_768: digest,  // TA
        32_769: digest,  // DLV
    ]

    /// The fields of a type; nil for an unknown one.
    static func fields(of type: UInt16) -> [DNSRecordField]? { fields[type] }
}

extension DNSReader {
    private static let parameterNames = [
        "mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint", "dohpath", "ohttp",
    ]

    /// Reads a parameter of a SVCB or HTTPS record: `alpn="h2,h3"`.
    mutating func readServiceParameter() -> String? {
        guard let key = readUInt16(), key != .max, let length = readUInt16(), let bytes = readBytes(Int(length)),
            let value = Self.value(of: key, Array(bytes))
        else { return nil }
        return "\(Self.name(of: key))=\"\(value)\""
    }

    private static func name(of key: UInt16) -> String {
        key < parameterNames.count ? parameterNames[Int(key)] : key == .max ? "" : "key\(key)"
    }

    private static func value(of key: UInt16, _ bytes: [UInt8]) -> String? {
        var reader = DNSReader(bytes)
        var words: [String] = []
        switch key {
        case 0:
            while let key = reader.readUInt16() { words.append(name(of: key)) }
        case 1:
            while let length = reader.readUInt8() {
                guard let protocolName = reader.readBytes(Int(length)) else { return nil }
                words.append(protocolName.map(escapedInList).joined())
            }
        case 2, 8: break
        case 3:
            guard let port = reader.readUInt16() else { return nil }
            words.append("\(port)")
        case 4, 6:
            guard !bytes.isEmpty else { return nil }
            while let address = reader.readBytes(key == 4 ? 4 : 16) {
                guard let address = IPAddress(bytes: address) else { return nil }
                words.append("\(address)")
            }
        case 5: return bytes.base64
        default: return bytes.map(escaped).joined()
        }
        return reader.position == bytes.count ? words.joined(separator: ",") : nil
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\\"):
            "\\\(Unicode.Scalar(byte))"
        default: byte.inZoneFile
        }
    }

    /// In a list, commas and backslashes are escaped twice (RFC 9460 appendix A.1).
    private static func escapedInList(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: ","): #"\\\044"#
        case UInt8(ascii: "\\"): #"\\\092"#
        default: escaped(byte)
        }
    }
}

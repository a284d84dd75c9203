#if Fetch
import Monitoring

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
#endif

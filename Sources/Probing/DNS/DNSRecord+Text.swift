extension DNSRecord {
    /// The value in the format of zone files: printable ASCII, names without a trailing dot.
    var text: String {
        switch value {
        case .address(let address):
            "\(address)"
        case .name(let name):
            "\(name)"
        case .host(let numbers, let name):
            (numbers.map { "\($0)" } + ["\(name)"]).joined(separator: " ")
        case .text(let strings):
            strings.map(\.quotedInZoneFile).joined(separator: " ")
        case .authority(let server, let mailbox, let numbers):
            (["\(server)", "\(mailbox)"] + numbers.map { "\($0)" }).joined(separator: " ")
        case .other:
            "?"
        }
    }

    /// Returns whether the value is the expected one, in any of its notations: an address in any form, names in any
    /// case and with or without a trailing dot, `TXT` strings with or without quotation marks.
    func matches(_ expected: String) -> Bool {
        switch value {
        case .address(let address):
            return IPAddress(literal: expected) == address.unmapped
        case .name(let name):
            return DNSName(expected) == name
        case .text(let strings):
            return expected == text || strings.joined().elementsEqual(expected.utf8)
        case .host, .authority:
            let (parts, expected) = (text.split(separator: " "), expected.split(separator: " "))
            return parts.count == expected.count
                && zip(parts, expected).allSatisfy { $0 == $1 || DNSName(String($0)) == DNSName(String($1)) }
        case .other:
            return false
        }
    }
}

extension Collection<UInt8> {
    /// The string in quotation marks, in the format of zone files.
    var quotedInZoneFile: String { "\"\(escapedInZoneFile)\"" }

    /// The string in the format of zone files: printable ASCII with escapes.
    var escapedInZoneFile: String {
        map { byte in
            switch byte {
            case UInt8(ascii: " "): " "
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
            default: byte.inZoneFile
            }
        }.joined()
    }
}

extension DNSRecord {
    /// What the record says, as zone files write it, in printable ASCII; names without the dot at their end.
    var text: String {
        switch value {
        case .address(let address):
            "\(address)"
        case .name(let name):
            "\(name)"
        case .host(let numbers, let name):
            (numbers.map { "\($0)" } + ["\(name)"]).joined(separator: " ")
        case .text(let strings):
            strings.map(Self.quoted).joined(separator: " ")
        case .authority(let server, let keeper, let numbers):
            (["\(server)", "\(keeper)"] + numbers.map { "\($0)" }).joined(separator: " ")
        case .other:
            "?"
        }
    }

    /// Whether the record says what a person expects, who may write it in other ways: an address in any form, names
    /// in any case and with or without the dot at their end, the strings of a `TXT` without their quotation marks.
    func says(_ expected: String) -> Bool {
        switch value {
        case .address(let address):
            return IPAddress(literal: expected) == address
        case .name(let name):
            return DNSName(expected) == name
        case .text(let strings):
            return expected == text || strings.joined().elementsEqual(expected.utf8)
        case .host, .authority:
            let (words, expected) = (text.split(separator: " "), expected.split(separator: " "))
            return words.count == expected.count
                && zip(words, expected).allSatisfy { $0 == $1 || DNSName(String($0)) == DNSName(String($1)) }
        case .other:
            return false
        }
    }

    private static func quoted(_ string: [UInt8]) -> String {
        let inside = string.map { byte in
            switch byte {
            case UInt8(ascii: " "): " "
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
            default: byte.inZoneFile
            }
        }
        return "\"\(inside.joined())\""
    }
}

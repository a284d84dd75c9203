import ReachBasics
import ReachMonitoring

/// A domain name in wire format: each label after its length, and the empty root label at the end (RFC 1035 §3.1).
/// Comparison ignores the case of ASCII letters (RFC 4343).
struct DNSName: Sendable, CustomStringConvertible {
    /// The maximum number of bytes of a name, including the lengths (RFC 1035 §2.3.4).
    static let maxLength = DNSQuestion.maxNameLength
    /// The maximum number of bytes of a label.
    static let maxLabelLength = DNSQuestion.maxLabelLength

    let wire: [UInt8]

    /// Creates a name from valid wire format.
    init(wire: [UInt8]) {
        self.wire = wire
    }

    /// Parses a name in the format of zone files, with or without a trailing dot; `.` is the root. `\.` is a dot in a
    /// label and `\032` a blank (RFC 1035 §5.1). Nil if the name is invalid.
    init?(_ text: String) {
        var wire: [UInt8] = []
        var label: [UInt8] = []
        var rest = (text == "." ? "" : text[...]).utf8
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                guard Self.append(label, to: &wire) else { return nil }
                label = []
            case UInt8(ascii: "\\"):
                guard let escaped = Self.escaped(&rest) else { return nil }
                label.append(escaped)
            default:
                label.append(byte)
            }
        }
        guard !text.isEmpty, label.isEmpty || Self.append(label, to: &wire) else { return nil }
        self.wire = wire + [0]
    }

    /// Appends a label, and returns whether it fits: it is not empty, and the label and the name are not too long.
    private static func append(_ label: [UInt8], to wire: inout [UInt8]) -> Bool {
        guard 1...maxLabelLength ~= label.count, wire.count + 1 + label.count < maxLength else { return false }
        wire.append(UInt8(label.count))
        wire += label
        return true
    }

    /// Returns the byte after a backslash: the value of three decimal digits, or the next byte itself.
    private static func escaped(_ rest: inout Substring.UTF8View) -> UInt8? {
        guard let first = rest.popFirst() else { return nil }
        let digits = [first] + rest.prefix(2)
        let isNumber = digits.allSatisfy(\.isASCIIDigit)
        guard isNumber, digits.count == 3 else { return first }
        rest = rest.dropFirst(2)
        return UInt8(String(decoding: digits, as: UTF8.self))
    }

    /// The labels from left to right, without the root label.
    var labels: [ArraySlice<UInt8>] {
        var labels: [ArraySlice<UInt8>] = []
        var start = wire.startIndex
        while start < wire.endIndex, wire[start] > 0 {
            let end = min(start + 1 + Int(wire[start]), wire.endIndex)
            labels.append(wire[start + 1..<end])
            start = end
        }
        return labels
    }

    /// The name without a trailing dot in printable ASCII; the root is `.`.
    var description: String {
        let text = labels.map { $0.map(Self.presentation).joined() }.joined(separator: ".")
        return text.isEmpty ? "." : text
    }

    private static func presentation(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
        default: byte.inZoneFile
        }
    }
}

extension DNSName {
    /// The name in the format of zone files, with a trailing dot and the escapes of the blackbox exporter's library.
    var zoneText: String {
        let text = labels.map { $0.map(Self.zoneText).joined() + "." }.joined()
        return text.isEmpty ? "." : text
    }

    private static func zoneText(_ byte: UInt8) -> String {
        ".'@;()\"\\ ".utf8.contains(byte) ? "\\\(Unicode.Scalar(byte))" : byte.inZoneFile
    }
}

// The length of a label is never in the range of letters.
extension DNSName: Hashable {
    static func == (one: DNSName, other: DNSName) -> Bool {
        one.wire.count == other.wire.count
            && zip(one.wire, other.wire).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    func hash(into hasher: inout Hasher) {
        for byte in wire { hasher.combine(byte.asciiLowercased) }
    }
}

extension UInt8 {
    /// The byte with ASCII letters in lower case.
    var asciiLowercased: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }

    /// The byte in the format of zone files: itself if printable and not a blank, otherwise a backslash and three
    /// digits.
    var inZoneFile: String {
        0x21...0x7E ~= self ? String(Unicode.Scalar(self)) : "\\" + digits(atLeast: 3)
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

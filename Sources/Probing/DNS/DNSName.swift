import Monitoring

/// A domain name as a message carries it: each label behind its length, and the empty label of the root at the end
/// (RFC 1035 §3.1). Two names are equal whatever the case of their ASCII letters (RFC 4343).
struct DNSName: Sendable, CustomStringConvertible {
    /// The most bytes of a name, lengths included (RFC 1035 §2.3.4).
    static let longest = DNSQuestion.longestName
    /// The most bytes of a label.
    static let longestLabel = DNSQuestion.longestLabel

    let wire: [UInt8]

    /// A name from bytes that are known to follow the rules above.
    init(wire: [UInt8]) {
        self.wire = wire
    }

    /// Reads a name as people and zone files write it, with or without the dot at its end; `.` is the root. `\.` is a
    /// dot in a label and `\032` a blank (RFC 1035 §5.1); other bytes stand for themselves. Nil for what is no name.
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

    /// Adds a label, unless it is empty or too long for itself or for the name.
    private static func append(_ label: [UInt8], to wire: inout [UInt8]) -> Bool {
        guard 1...longestLabel ~= label.count, wire.count + 1 + label.count < longest else { return false }
        wire.append(UInt8(label.count))
        wire += label
        return true
    }

    /// What a backslash stands for: the byte of three decimal digits, or the next one itself.
    private static func escaped(_ rest: inout Substring.UTF8View) -> UInt8? {
        guard let first = rest.popFirst() else { return nil }
        let digits = [first] + rest.prefix(2)
        let isNumber = digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isNumber, digits.count == 3 else { return first }
        rest = rest.dropFirst(2)
        return UInt8(String(decoding: digits, as: UTF8.self))
    }

    /// The labels from left to right, without the root's.
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

    /// The name as zone files write it, in printable ASCII and without the dot at its end; the root is `.`.
    var description: String {
        let text = labels.map { $0.map(Self.written).joined() }.joined(separator: ".")
        return text.isEmpty ? "." : text
    }

    private static func written(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
        default: byte.inZoneFile
        }
    }
}

extension DNSName: Hashable {
    static func == (one: DNSName, other: DNSName) -> Bool {
        one.wire.count == other.wire.count && zip(one.wire, other.wire).allSatisfy { $0.lowercased == $1.lowercased }
    }

    func hash(into hasher: inout Hasher) {
        for byte in wire { hasher.combine(byte.lowercased) }
    }
}

extension UInt8 {
    /// An ASCII capital as a small letter; the length of a label is below all of them.
    fileprivate var lowercased: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }

    /// The byte itself where it is printable ASCII and no blank, otherwise a backslash and three digits.
    var inZoneFile: String {
        if 0x21...0x7E ~= self { return String(Unicode.Scalar(self)) }
        let digits = String(self)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}

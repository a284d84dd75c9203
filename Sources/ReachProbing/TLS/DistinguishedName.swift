#if TLS

import ReachBasics
import SwiftASN1

/// A distinguished name as a text (RFC 4514), with the attributes in the order of Go's `pkix.Name`.
struct DistinguishedName: CustomStringConvertible {
    /// The text: `CN=www.example.com,O=Example,C=DE`.
    let description: String

    /// The attributes with a name, in the order of the text.
    private static let names: [(oid: ASN1ObjectIdentifier, name: String)] = [
        ([2, 5, 4, 5], "SERIALNUMBER"), ([2, 5, 4, 3], "CN"), ([2, 5, 4, 11], "OU"), ([2, 5, 4, 10], "O"),
        ([2, 5, 4, 17], "POSTALCODE"), ([2, 5, 4, 9], "STREET"), ([2, 5, 4, 7], "L"), ([2, 5, 4, 8], "ST"),
        ([2, 5, 4, 6], "C"),
    ]
    /// The attributes that have one value; the last one counts.
    private static let single: Set<String> = ["SERIALNUMBER", "CN"]

    /// Writes a name of a certificate.
    ///
    /// - Parameter der: The name in DER; the text of a malformed one is empty.
    init(der: ArraySlice<UInt8>) {
        var values: [String: [String]] = [:]
        var others: [String] = []
        for attribute in Self.attributes(of: der) {
            if let name = Self.names.first(where: { $0.oid == attribute.oid })?.name {
                let text = Self.escaped(attribute.text)
                values[name] = Self.single.contains(name) ? [text] : (values[name] ?? []) + [text]
            } else {
                others.append("\(attribute.oid)=#\(Self.der(of: attribute.text).hexadecimal)")
            }
        }
        let parts = Self.names.compactMap { entry in
            values[entry.name].map { $0.map { "\(entry.name)=\($0)" }.joined(separator: "+") }
        }
        description = (parts + others.reversed()).joined(separator: ",")
    }

    /// The common name, or else the organization; nil without either.
    static func shortName(of der: ArraySlice<UInt8>) -> String? {
        let attributes = attributes(of: der)
        let ids: [ASN1ObjectIdentifier] = [[2, 5, 4, 3], [2, 5, 4, 10]]
        return ids.lazy.compactMap { id in attributes.last { $0.oid == id }?.text }.first.map {
            String(quoting: $0.utf8)
        }
    }

    private typealias Attribute = (oid: ASN1ObjectIdentifier, text: String)

    /// The attributes of a name; none if it is malformed.
    private static func attributes(of der: ArraySlice<UInt8>) -> [Attribute] {
        let sets = (try? DER.parse(der).children) ?? []
        return sets.flatMap { (try? $0.children) ?? [] }.compactMap { pair in
            guard let parts = try? pair.children, parts.count == 2, let oid = parts[0].objectIdentifier else {
                return nil
            }
            return (oid, parts[1].primitive.map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// A text in DER: a PrintableString if possible, else a UTF8String, whatever its type in the certificate was.
    private static func der(of text: String) -> [UInt8] {
        let isPrintable = text.utf8.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII && (scalar.properties.isAlphabetic || " '()+,-./:=?0123456789".utf8.contains(byte))
        }
        let count = text.utf8.count
        let length =
            count < 128
            ? [UInt8(count)] : [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return [isPrintable ? 0x13 : 0x0C] + length + text.utf8
    }

    /// The value with the characters escaped that would end it (RFC 4514 §2.4).
    private static func escaped(_ text: String) -> String {
        let last = text.count - 1
        return text.enumerated().map { index, character in
            let isSpecial =
                ",+\"\\<>;".contains(character) || index == 0 && (character == " " || character == "#")
                || index == last && character == " "
            return isSpecial ? "\\\(character)" : String(character)
        }
        .joined()
    }
}

/// A distinguished name in a form that equal names share (RFC 5280 §7.1): the type of a text, the case of ASCII letters and
/// the number of spaces do not count.
struct CanonicalName: Sendable, Hashable {
    private let attributes: [[String]]

    /// - Parameter der: The name; a malformed one equals no other.
    init(der: ArraySlice<UInt8>) {
        do {
            attributes = try DER.parse(der).children.map { set in
                try set.children.map { try Self.text(of: $0) }.sorted()
            }
        } catch {
            attributes = [[der.hexadecimal]]
        }
    }

    private static func text(of attribute: ASN1Node) throws -> String {
        let parts = try attribute.children
        guard parts.count == 2, let type = parts[0].objectIdentifier else {
            throw ASN1Error.invalidASN1Object(reason: "not an attribute")
        }
        guard let bytes = parts[1].primitive, let text = text(in: bytes, identifier: parts[1].identifier) else {
            return "\(type)=#\(parts[1].encodedBytes.hexadecimal)"
        }
        let words = text.split { " \t\n\r\u{B}\u{C}".contains($0) }
            .map { String(decoding: $0.utf8.map(\.asciiLowercased), as: UTF8.self) }
        return "\(type)=\(words.joined(separator: " "))"
    }

    /// Decodes a text; nil for another type.
    private static func text(in bytes: ArraySlice<UInt8>, identifier: ASN1Identifier) -> String? {
        switch identifier {
        case .utf8String, .printableString, .ia5String, .visibleString: String(decoding: bytes, as: UTF8.self)
        case .teletexString: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .bmpString: String(decoding: Self.units(of: bytes), as: UTF16.self)
        default: nil
        }
    }

    private static func units(of bytes: ArraySlice<UInt8>) -> [UInt16] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }
}

#endif

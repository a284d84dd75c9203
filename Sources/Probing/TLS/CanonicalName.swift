#if Fetch || TLS
import SwiftASN1

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
        let words = text.split { " \t\n\r\u{B}\u{C}".contains($0) }.map { $0.asciiLowercased }
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

extension Substring {
    fileprivate var asciiLowercased: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.isASCII ? $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 : $0 }
            )
        )
    }
}
#endif

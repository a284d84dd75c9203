import SwiftASN1
import Testing

@testable import Probing

@Suite struct CanonicalNameTests {
    /// A name with one common name.
    private func name(_ bytes: some Sequence<UInt8>, type: ASN1Identifier = .utf8String) throws -> CanonicalName {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { parts in
            try parts.appendConstructedNode(identifier: .set) { part in
                try part.appendConstructedNode(identifier: .sequence) { part in
                    try part.serialize([2, 5, 4, 3] as ASN1ObjectIdentifier)
                    part.appendPrimitiveNode(identifier: type) { $0 += bytes }
                }
            }
        }
        return CanonicalName(der: coder.serializedBytes[...])
    }

    @Test func `the type of a text, the case and the blanks do not count`() throws {
        let root = try name("Test Root".utf8)
        #expect(try name("Test Root".utf8, type: .printableString) == root)
        #expect(try name("test ROOT".utf8, type: .ia5String) == root)
        #expect(try name("  Test   Root ".utf8, type: .visibleString) == root)
        #expect(try name("Test Root".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, type: .bmpString) == root)
        #expect(try name("Café".utf8) == name([0x43, 0x61, 0x66, 0xE9], type: .teletexString))
    }

    @Test func `other texts, other types and malformed names differ`() throws {
        let root = try name("Test Root".utf8)
        for text in ["TestRoot", "Test Root 2", ""] { #expect(try name(text.utf8) != root) }
        #expect(try name("Test Root".utf8, type: .octetString) != root)
        // Only letters of ASCII have a case.
        #expect(try name("É".utf8) != name("é".utf8))
        #expect(CanonicalName(der: [0x05]) != CanonicalName(der: [0x06]))
        #expect(CanonicalName(der: []) != root)
    }
}

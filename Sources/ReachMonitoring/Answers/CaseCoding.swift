// An enumeration is encoded as Swift does it (SE-0295,
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0295-codable-synthesis-for-enums-with-associated-values.md):
// an object whose only key is the name of the case. Where a case has one value without a label, that value stands in place
// of an object with the key `_0`.

/// The value of a case that has none: an empty object.
package struct NoValue: Codable {
    /// Creates it.
    package init() {}
}

extension Decoder {
    /// The container of an enumeration, and the key of its case.
    ///
    /// - Throws: `DecodingError`, unless exactly one key is the name of a case.
    package func caseContainer<Key: CodingKey & CaseIterable>(
        keyedBy type: Key.Type
    ) throws -> (values: KeyedDecodingContainer<Key>, key: Key) {
        let values = try container(keyedBy: type)
        guard let key = values.allKeys.first, values.allKeys.count == 1 else {
            let names = Key.allCases.map(\.stringValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: codingPath, debugDescription: "one key is expected, of \(names)")
            )
        }
        return (values, key)
    }
}

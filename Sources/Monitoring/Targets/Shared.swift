/// An immutable value in a box, eight bytes for each reference. It suits values that are large or mostly absent, and
/// rarely change.
@usableFromInline
package final class Shared<Value: Sendable>: Sendable {
    /// The value.
    @usableFromInline package let value: Value

    /// Boxes a value.
    package init(_ value: Value) {
        self.value = value
    }
}

extension Shared: Equatable where Value: Equatable {
    @usableFromInline package static func == (one: Shared, other: Shared) -> Bool {
        one === other || one.value == other.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @usableFromInline package func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}

// Encoded as the value itself.
extension Shared: Encodable where Value: Encodable {
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}

extension Shared: Decodable where Value: Decodable {
    @usableFromInline package convenience init(from decoder: any Decoder) throws {
        self.init(try Value(from: decoder))
    }
}

/// A value that all copies have in common, in eight bytes: for what is large, or seldom there, and seldom changes.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Shared: Equatable where Value: Equatable {
    static func == (one: Shared, other: Shared) -> Bool {
        one === other || one.value == other.value
    }
}

extension Shared: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}

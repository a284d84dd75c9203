/// A map from target identities to values.
///
/// Identities are assigned in ascending order, so most values are in an array, at their distance from the first
/// identity. Values of targets that are probed one after the other are adjacent in memory. A dictionary scatters them:
/// with ten thousand targets each lookup has three cache misses.
public struct TargetMap<Value> {
    @usableFromInline var first = 0
    /// The values by distance from the first identity.
    @usableFromInline var near: [Value?] = []
    /// The values whose identities are too far from the others.
    @usableFromInline var far: [Target.ID: Value] = [:]
    /// The number of values.
    public private(set) var count = 0

    /// Creates an empty table.
    public init() {}

    /// The number of values that it has memory for; greater than ``count`` after removals.
    public var capacity: Int { near.count + far.count }

    /// Whether the table is empty.
    public var isEmpty: Bool { count == 0 }

    /// The identities, in order.
    public var ids: [Target.ID] {
        let near = near.indices.filter { self.near[$0] != nil }.map { Target.ID(first + $0) }
        return far.isEmpty ? near : (near + far.keys).sorted()
    }

    /// The values, in no particular order.
    public var values: [Value] { near.compactMap(\.self) + far.values }

    /// The value of a target; nil if there is none.
    public subscript(id: Target.ID) -> Value? {
        @inlinable get {
            let (distance, overflows) = id.rawValue.subtractingReportingOverflow(first)
            if !overflows, distance >= 0, distance < near.count, let value = near[distance] { return value }
            return far.isEmpty ? nil : far[id]
        }
        set {
            if let newValue { insert(newValue, at: id) } else { _ = remove(id) }
        }
    }

    /// Removes and returns the value of a target; nil if there is none.
    public mutating func remove(_ id: Target.ID) -> Value? {
        guard let value = self[id] else { return nil }
        count -= 1
        if count == 0 {
            self = TargetMap()
        } else if far.removeValue(forKey: id) == nil {
            near[id.rawValue - first] = nil
        }
        return value
    }

    /// Changes the value of a target in place, without a copy. Nil if there is none.
    ///
    /// - Parameter body: changes the value, which is not nil, and must not become that.
    mutating func update<Result>(_ id: Target.ID, _ body: (inout Value?) -> Result?) -> Result? {
        let (distance, overflows) = id.rawValue.subtractingReportingOverflow(first)
        if !overflows, distance >= 0, distance < near.count, near[distance] != nil { return body(&near[distance]) }
        guard !far.isEmpty, far[id] != nil else { return nil }
        return body(&far[id])
    }

    private mutating func insert(_ value: Value, at id: Target.ID) {
        let isNew = self[id] == nil
        if count == 0 { first = id.rawValue }
        if isNew { count += 1 }
        let (distance, overflows) = id.rawValue.subtractingReportingOverflow(first)
        // Limits the array, so that the gaps of removed targets do not grow for ever.
        guard !overflows, distance >= 0, distance < max(near.count, 4 * count), far[id] == nil else {
            far[id] = value
            return
        }
        while near.count <= distance { near.append(nil) }
        near[distance] = value
    }
}

extension TargetMap: Sendable where Value: Sendable {}

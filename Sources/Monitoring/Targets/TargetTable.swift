/// Something for each of many targets, found by the target's identity.
///
/// Identities are counted upward, and so most are found by their distance from the first one: what belongs to targets
/// that are asked one after the other lies side by side. A dictionary scatters it, and with ten thousand targets each look
/// fetches three places from far away in memory.
public struct TargetTable<Value> {
    @usableFromInline var first = 0
    /// By the distance from the first.
    @usableFromInline var near: [Value?] = []
    /// Those that are too far away from the others.
    @usableFromInline var far: [Target.ID: Value] = [:]
    /// How many there are.
    public private(set) var count = 0

    /// Nothing yet.
    public init() {}

    /// How many it has room for; more than there are where some have gone.
    public var room: Int { near.count + far.count }

    /// Whether there is nothing.
    public var isEmpty: Bool { count == 0 }

    /// The identities, in order.
    public var ids: [Target.ID] {
        let near = near.indices.filter { self.near[$0] != nil }.map { Target.ID(first + $0) }
        return far.isEmpty ? near : (near + far.keys).sorted()
    }

    /// What there is, in no particular order.
    public var values: [Value] { near.compactMap(\.self) + far.values }

    /// What belongs to a target; nil where there is nothing.
    public subscript(id: Target.ID) -> Value? {
        @inlinable get {
            let (distance, overflows) = id.rawValue.subtractingReportingOverflow(first)
            if !overflows, distance >= 0, distance < near.count, let value = near[distance] { return value }
            return far.isEmpty ? nil : far[id]
        }
        set {
            if let newValue { put(newValue, at: id) } else { _ = remove(id) }
        }
    }

    /// Takes something out; nil where there is nothing.
    public mutating func remove(_ id: Target.ID) -> Value? {
        guard let value = self[id] else { return nil }
        count -= 1
        if count == 0 {
            self = TargetTable()
        } else if far.removeValue(forKey: id) == nil {
            near[id.rawValue - first] = nil
        }
        return value
    }

    private mutating func put(_ value: Value, at id: Target.ID) {
        let isNew = self[id] == nil
        if count == 0 { first = id.rawValue }
        if isNew { count += 1 }
        let (distance, overflows) = id.rawValue.subtractingReportingOverflow(first)
        // The gaps that those leave who have gone are not to grow for ever.
        guard !overflows, distance >= 0, distance < max(near.count, 4 * count), far[id] == nil else {
            far[id] = value
            return
        }
        while near.count <= distance { near.append(nil) }
        near[distance] = value
    }
}

extension TargetTable: Sendable where Value: Sendable {}

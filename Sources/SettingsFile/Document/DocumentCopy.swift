import TOMLKit

/// Copies TOMLKit values, which point into the parser's memory, into ``Value``s.
struct DocumentCopy {
    /// Whether tables or arrays were cut off because they are nested too deeply.
    private(set) var isCut = false
    /// The keys of the last table copied at each depth. Most tables have the same keys as the one before, and TOMLKit
    /// leaks memory each time it lists keys.
    private var keysByDepth: [Int: [String]] = [:]

    /// Copies the values of a table, down to `depth` levels below it.
    mutating func table(_ table: TOMLTable, depth: Int) -> [String: Value] {
        guard depth > 0 else {
            isCut = isCut || !table.isEmpty
            return [:]
        }
        let keys = keys(of: table, depth: depth)
        var copied = [String: Value](minimumCapacity: keys.count)
        for key in keys {
            copied[key] = table[key].map { value($0.tomlValue, depth: depth - 1) }
        }
        return copied
    }

    private mutating func keys(of table: TOMLTable, depth: Int) -> [String] {
        if let cached = keysByDepth[depth], cached.count == table.count, cached.allSatisfy(table.contains(key:)) {
            return cached
        }
        let listed = table.keys
        keysByDepth[depth] = listed
        return listed
    }

    private mutating func value(_ value: TOMLValue, depth: Int) -> Value {
        switch value.type {
        case .string: return .string(value.string ?? "")
        case .int: return .integer(value.int ?? 0)
        case .double: return .number(value.double ?? 0)
        case .bool: return .boolean(value.bool ?? false)
        case .date, .time, .dateTime: return .date
        case .array:
            guard depth > 0, let array = value.array else {
                isCut = isCut || value.array?.isEmpty == false
                return .array([])
            }
            return .array(array.map { self.value($0.tomlValue, depth: depth - 1) })
        case .table:
            return .table(value.table.map { table($0, depth: depth) } ?? [:])
        }
    }
}

import TOMLKit

/// Copies values of TOMLKit, which are pointers into a parser's memory, as values of our own.
struct DocumentCopy {
    /// Whether something was left out since it was too deep.
    private(set) var isCut = false
    /// The keys of the table that was copied last at each depth: most have the same as the one before. TOMLKit never
    /// frees what it lists keys with.
    private var keys: [Int: [String]] = [:]

    /// The values of a table.
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
        if let known = keys[depth], known.count == table.count, known.allSatisfy(table.contains(key:)) { return known }
        let listed = table.keys
        keys[depth] = listed
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

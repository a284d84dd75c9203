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
        case .date: return .date(value.date.map(Self.text) ?? "")
        case .time: return .date(value.time.map(Self.text) ?? "")
        case .dateTime: return .date(value.dateTime.map(Self.text) ?? "")
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

    private static func text(_ date: TOMLDate) -> String {
        "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    }

    private static func text(_ time: TOMLTime) -> String {
        "\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))"
    }

    private static func text(_ time: TOMLDateTime) -> String {
        let minutes = time.offset?.offset
        let offset = minutes.map {
            $0 == 0 ? "Z" : "\($0 < 0 ? "-" : "+")\(digits(abs($0) / 60, 2)):\(digits(abs($0) % 60, 2))"
        }
        return "\(text(time.date))T\(text(time.time))\(offset ?? "")"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

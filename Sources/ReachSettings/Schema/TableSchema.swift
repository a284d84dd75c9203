/// The keys of a table with the types of their values, as the reader reads them.
///
/// ``TableReader`` records each key that it reads. Since the reader is the only description of the settings, a key cannot
/// be missing here.
final class TableSchema {
    /// The type of a value.
    enum ValueType {
        /// Not recorded.
        case any
        /// A string, a number, or true or false.
        case scalar
        case boolean
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case string
        /// A string with a match of a regular expression, or with a variable.
        case text(matching: String)
        case duration
        case choice([String])
        indirect case array(ValueType, isEmptyAllowed: Bool = true)
        /// One of several types.
        indirect case either([ValueType])
        case table(TableSchema)

        /// A string that is not blank.
        static var name: ValueType { .text(matching: #"\S"#) }

        /// A string, or an array of strings.
        static var strings: ValueType { .either([.string, .array(.string)]) }
    }

    /// The key that stands for all others of a table whose keys are names, such as `group`.
    static let anyName = "*"

    private(set) var keys: [String: ValueType] = [:]
    private(set) var required: Set<String> = []
    /// The keys of which each table has exactly one.
    private(set) var alternatives: [String] = []

    /// Records the type of a key. The first type wins: that of a value, before those of its parts.
    func record(_ key: String, _ type: ValueType) {
        if case .any? = keys[key] { keys[key] = nil }
        if keys[key] == nil { keys[key] = type }
    }

    /// Records another type of a key.
    func add(_ type: ValueType, to key: String) {
        keys[key] = keys[key].map { .either([$0, type]) } ?? type
    }

    /// Records a required key.
    func require(_ key: String) {
        required.insert(key)
    }

    /// Records keys of which each table has exactly one.
    func requireOne(of keys: [String]) {
        alternatives = keys
        required.subtract(keys)
    }

    /// The schema of a nested table, or of the tables in an array.
    func table(at key: String, isElement: Bool) -> TableSchema {
        switch keys[key] {
        case .table(let table)?, .array(.table(let table), _)?:
            return table
        default:
            let table = TableSchema()
            record(key, isElement ? .array(.table(table)) : .table(table))
            return table
        }
    }
}

extension TableReader {
    /// Whether the reader records the schema of a table, which has no values then.
    var isDescribing: Bool { schema != nil }

    /// Records the type of a key in the schema.
    func describe(_ key: String, as type: @autoclosure () -> TableSchema.ValueType) {
        schema?.record(key, type())
    }
}

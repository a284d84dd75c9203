/// A value of a TOML document.
indirect enum Value: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A date, a time of day or both, as text: `2026-12-01T22:00:00Z`.
    case date(String)
    case array([Value])
    case table([String: Value])

    /// The type with its article, for messages.
    var type: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date"
        case .array: "an array"
        case .table: "a table"
        }
    }
}

/// A JSON value whose objects keep the order of their keys.
enum JSONValue {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([JSONValue])
    case object(JSONObject)

    /// The text with four blanks for each level. Arrays of plain values are on one line.
    func text(indentation: Int = 0) -> String {
        let inner = String(repeating: " ", count: indentation + 4)
        let outer = String(repeating: " ", count: indentation)
        switch self {
        case .string(let text): return text.jsonString
        case .integer(let number): return String(number)
        case .number(let number): return Int(exactly: number).map { String($0) } ?? String(number)
        case .boolean(let flag): return String(flag)
        case .array(let values) where values.allSatisfy(\.isPlain):
            return "[" + values.map { $0.text() }.joined(separator: ", ") + "]"
        case .array(let values):
            let lines = values.map { inner + $0.text(indentation: indentation + 4) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let object) where object.entries.count == 1 && object.entries.allSatisfy({ $0.value.isPlain }):
            return "{ " + object.entries.map { "\($0.key.jsonString): \($0.value.text())" }.joined() + " }"
        case .object(let object) where object.entries.isEmpty:
            return "{}"
        case .object(let object):
            let lines = object.entries.map { entry in
                "\(inner)\(entry.key.jsonString): \(entry.value.text(indentation: indentation + 4))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    /// Whether the value is neither an array of others nor an object.
    private var isPlain: Bool {
        switch self {
        case .string, .integer, .number, .boolean: true
        case .array(let values): values.allSatisfy(\.isPlain)
        case .object: false
        }
    }
}

/// A JSON object with its keys in order.
struct JSONObject {
    private(set) var entries: [(key: String, value: JSONValue)] = []

    /// Sets the value of a key; a new key becomes the last one.
    subscript(key: String) -> JSONValue? {
        get { entries.first { $0.key == key }?.value }
        set {
            guard let newValue else { return entries.removeAll { $0.key == key } }
            if let index = entries.firstIndex(where: { $0.key == key }) {
                entries[index].value = newValue
            } else {
                entries.append((key, newValue))
            }
        }
    }

    /// Adds the entries of another object.
    mutating func append(contentsOf other: JSONObject) {
        for entry in other.entries { self[entry.key] = entry.value }
    }
}

extension String {
    fileprivate var jsonString: String {
        let escaped = unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            default:
                guard scalar.value < 0x20 else { return text.unicodeScalars.append(scalar) }
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return "\"\(escaped)\""
    }
}

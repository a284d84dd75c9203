import ReachBasics

/// A JSON value whose objects keep the order of their keys.
enum JSONValue: Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([JSONValue])
    case object(JSONObject)

    /// An array of strings.
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

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
        case .object(let object) where object.members.count == 1 && object.members.allSatisfy({ $0.value.isPlain }):
            return "{ " + object.members.map { "\($0.key.jsonString): \($0.value.text())" }.joined() + " }"
        case .object(let object) where object.members.isEmpty:
            return "{}"
        case .object(let object):
            let lines = object.members.map { entry in
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
struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var members: [(key: String, value: JSONValue)] = []

    init(dictionaryLiteral members: (String, JSONValue)...) {
        self.members = members.map { (key: $0, value: $1) }
    }

    /// Sets the value of a key; a new key becomes the last one.
    subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            if let index = members.firstIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append((key, newValue))
            }
        }
    }

    /// Adds the members of another object.
    mutating func append(contentsOf other: JSONObject) {
        for (key, value) in other.members { self[key] = value }
    }
}

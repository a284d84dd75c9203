import ReachBasics

/// The JSON Schema (draft 2020-12) of the settings, made from the keys that the reader reads.
package enum SettingsSchema {
    /// The text of the schema.
    ///
    /// - Parameter sample: The commented sample of the settings; its comments describe the keys.
    package static func text(sample: String) -> String {
        let root = TableSchema()
        let log = ProblemLog()
        let file = log.add(file: "", text: "")
        let document = IncludedFiles.Document(file: file, values: [:])
        var reader = DocumentReader([document], environment: [:], log: log, schema: root)
        _ = reader.settings(mayLackTargets: true)

        let comments = SampleComments(sample)
        var object: JSONObject = [
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "title": .string("dashboard.toml"),
            "description": .string("The settings of reach. Made from the keys that the program reads."),
        ]
        object.append(contentsOf: root.json(at: [], comments))
        object["$defs"] = .object([
            "variable": .object([
                "description": .string("A text with a variable: ${NAME} or ${NAME:-fallback}."),
                "type": .string("string"),
                "pattern": .string(#"\$\{"#),
            ]),
            "duration": .object([
                "description": .string("Such as 250ms, 5s, 2m, 1h30m or 3d."),
                "type": .string("string"),
                "pattern": .string(#"^([0-9]+(\.[0-9]+)?(d|h|m|s|ms|us|µs))+$|\$\{"#),
            ]),
        ])
        return JSONValue.object(object).text() + "\n"
    }
}

extension TableSchema {
    /// The schema of a table.
    ///
    /// - Parameter path: The keys above it.
    fileprivate func json(at path: [String], _ comments: SampleComments) -> JSONObject {
        var object: JSONObject = ["type": .string("object")]
        if !required.isEmpty { object["required"] = .strings(required.sorted()) }
        if !alternatives.isEmpty {
            object["oneOf"] = .array(alternatives.map { .object(["required": .strings([$0])]) })
        }
        var properties: JSONObject = [:]
        for key in keys.keys.sorted() where key != Self.anyName {
            properties[key] = .object(keys[key]?.json(at: path + [key], comments) ?? [:])
        }
        if let other = keys[Self.anyName] {
            object["additionalProperties"] = .object(other.json(at: path + [Self.anyName], comments))
        } else {
            object["additionalProperties"] = .boolean(false)
        }
        if !properties.members.isEmpty { object["properties"] = .object(properties) }
        return object
    }
}

extension TableSchema.ValueType {
    /// The schema of a value.
    fileprivate func json(at path: [String], _ comments: SampleComments) -> JSONObject {
        var object: JSONObject = [:]
        if let comment = comments[path] { object["description"] = .string(comment) }
        switch self {
        case .any:
            break
        case .scalar:
            object["type"] = .strings(["string", "number", "boolean"])
        case .boolean:
            object["type"] = .string("boolean")
        case .integer(let range):
            object["type"] = .string("integer")
            object["minimum"] = .integer(range.lowerBound)
            if range.upperBound < .max { object["maximum"] = .integer(range.upperBound) }
        case .number(let range):
            object["type"] = .string("number")
            object["minimum"] = .number(range.lowerBound)
            object["maximum"] = .number(range.upperBound)
        case .string:
            object["type"] = .string("string")
        case .text(let pattern):
            object["type"] = .string("string")
            object["pattern"] = .string(pattern + #"|\$\{"#)
        case .duration:
            object["$ref"] = .string("#/$defs/duration")
        case .choice(let choices):
            let variable: JSONObject = ["$ref": .string("#/$defs/variable")]
            object["anyOf"] = .array([.object(["enum": .strings(choices)]), .object(variable)])
        case .array(let element, let isEmptyAllowed):
            object["type"] = .string("array")
            if !isEmptyAllowed { object["minItems"] = .integer(1) }
            object["items"] = .object(element.nestedJSON(at: path, comments))
        case .either(let types):
            object["anyOf"] = .array(types.map { .object($0.nestedJSON(at: path, comments)) })
        case .table(let table):
            object.append(contentsOf: table.json(at: path, comments))
        }
        return object
    }

    /// The schema of an element or an alternative. The comment of the key is that of the whole value.
    private func nestedJSON(at path: [String], _ comments: SampleComments) -> JSONObject {
        if case .table = self { json(at: path, comments) } else { json(at: path, SampleComments("")) }
    }
}

/// The comments behind the keys of the commented sample, by the paths of the keys.
struct SampleComments {
    /// The tables with a general comment behind each key. Those of groups and targets concern the examples.
    private static let tables: Set = [
        "dashboard", "alerts", "theme", "defaults", "hook", "module", "prometheus", "alertmanager", "maintenance",
    ]

    private var comments: [[String]: String] = [:]

    /// Reads lines such as `# fall = 3  # consecutive losses`, whether they are commented out or not.
    init(_ sample: String) {
        var table: [String] = []
        for line in sample.split(separator: "\n") {
            var text = line
            if text.hasPrefix("# ") { text = text.dropFirst(2) }
            if text.hasPrefix("[") {
                let name = text.drop { $0 == "[" }.prefix { $0 != "]" }
                table = name.split(separator: ".").map(String.init)
                continue
            }
            // A comment ends the line, after two blanks or more.
            guard let first = table.first, Self.tables.contains(first), let sign = text.firstRange(of: " = "),
                let mark = text.lastRange(of: "  # "),
                sign.upperBound <= mark.lowerBound
            else { continue }
            let key = text[..<sign.lowerBound].split(separator: ".").map(String.init)
            guard key.allSatisfy({ $0.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isASCIILetterOrDigit } }) else {
                continue
            }
            let path = Self.general(table + key)
            if comments[path] == nil { comments[path] = String(text[mark.upperBound...]) }
        }
    }

    /// The comment of a key.
    subscript(path: [String]) -> String? { comments[Self.general(path)] }

    /// A path in which the keys that targets, groups and templates share are those of the defaults.
    private static func general(_ path: [String]) -> [String] {
        switch path.first {
        case "group" where path.count > 2, "template" where path.count > 2, "theme" where path.count > 2:
            let rest = Array(path[2...])
            return path.first == "theme" ? ["theme", TableSchema.anyName] + rest : general(["target"] + rest)
        case "module" where path.count > 2:
            let rest = Array(path[2...])
            let own = ["method", "timeout", "family", "query", "type"]
            return (own.contains(rest[0]) ? ["module", TableSchema.anyName] : ["defaults"]) + rest
        case "target":
            let rest = Array(path[1...])
            return rest.first == "hooks" ? ["hook"] + rest.dropFirst() : ["defaults"] + rest
        case "prometheus" where path.count > 2 && path[1] == "hooks":
            return ["hook"] + path[2...]
        default:
            return path
        }
    }
}

extension Substring {
    /// The last occurrence of a text.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        ranges(of: text).last
    }
}

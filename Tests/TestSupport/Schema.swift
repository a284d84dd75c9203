import Foundation

/// A validator for the part of JSON Schema (draft 2020-12) that the repository's schemas use. Tests check the program's
/// output with it.
public struct Schema {
    private let root: [String: Any]

    /// Reads a schema from the folder `Schemas`.
    public init(_ name: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Schemas/\(name).schema.json"
        )
        root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    }

    /// Returns the violations of the schema in a line of JSON.
    public func problems(of line: String) throws -> [String] {
        problems(of: try JSONSerialization.jsonObject(with: Data(line.utf8)), root, at: "$")
    }

    /// The names of the schema's alternatives.
    public var alternatives: Set<String> {
        let references = (root["oneOf"] as? [[String: Any]] ?? []).compactMap { $0["$ref"] as? String }
        return Set(references.map { String($0.dropFirst("#/$defs/".count)) })
    }

    /// Returns the keys of a part of the schema, found by its path of keys.
    public func keys(_ path: String...) -> Set<String> {
        let found = path.reduce(root) { $0[$1] as? [String: Any] ?? [:] }
        return Set((found["properties"] as? [String: Any] ?? [:]).keys)
    }

    /// Returns the allowed values of a part of the schema with an enumeration, found by its path of keys.
    public func choices(_ path: String...) -> Set<String> {
        let found = path.reduce(root) { $0[$1] as? [String: Any] ?? [:] }
        return Set(found["enum"] as? [String] ?? [])
    }

    private func problems(of value: Any, _ schema: [String: Any], at path: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            guard Set(schema.keys).isSubset(of: ["$ref", "description"]) else { return ["\(path): more than $ref"] }
            let target = reference.split(separator: "/").dropFirst().reduce(root) {
                $0[String($1)] as? [String: Any] ?? [:]
            }
            return target.isEmpty ? ["\(path): \(reference) not found"] : problems(of: value, target, at: path)
        }
        let known: Set = [
            "type", "enum", "minimum", "required", "properties", "additionalProperties", "items", "description",
            "title", "$schema", "$defs", "oneOf", "anyOf", "const", "pattern", "maximum", "minItems",
        ]
        var problems = schema.keys.filter { !known.contains($0) }.map { "\(path): unsupported keyword \($0)" }
        if let type = schema["type"] as? String, !Self.isA(type, value) {
            return problems + ["\(path): not of type \(type)"]
        }
        if let choices = schema["enum"] as? [String], !choices.contains(value as? String ?? "") {
            problems.append("\(path): \(value) is not one of \(choices)")
        }
        if let one = schema["const"] as? String, one != value as? String {
            problems.append("\(path): \(value) is not \(one)")
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String {
            // An invalid pattern is a mistake in the schema.
            let isMatch = (try? Regex(pattern).firstMatch(in: text)) != nil
            if !isMatch { problems.append("\(path): \(text) does not match \(pattern)") }
        }
        if let alternatives = schema["oneOf"] as? [[String: Any]] {
            let found = alternatives.map { self.problems(of: value, $0, at: path) }
            // Reports the violations of the best alternative.
            let matches = found.count(where: \.isEmpty)
            if matches > 1 { problems.append("\(path): \(matches) alternatives match") }
            if matches == 0 { problems += found.min { $0.count < $1.count } ?? [] }
        }
        if let alternatives = schema["anyOf"] as? [[String: Any]] {
            let found = alternatives.map { self.problems(of: value, $0, at: path) }
            if !found.contains(where: \.isEmpty) { problems += found.min { $0.count < $1.count } ?? [] }
        }
        if let maximum = schema["maximum"] as? Double, let number = value as? Double, number > maximum {
            problems.append("\(path): \(number) is above \(maximum)")
        }
        if let minimum = schema["minimum"] as? Double, let number = value as? Double, number < minimum {
            problems.append("\(path): \(number) is below \(minimum)")
        }
        if let object = value as? [String: Any] {
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            for key in schema["required"] as? [String] ?? [] where object[key] == nil {
                problems.append("\(path): missing key \(key)")
            }
            for (key, value) in object {
                if let property = properties[key] {
                    problems += self.problems(of: value, property, at: "\(path).\(key)")
                } else if let others = schema["additionalProperties"] as? [String: Any] {
                    problems += self.problems(of: value, others, at: "\(path).\(key)")
                } else if schema["additionalProperties"] as? Bool == false {
                    problems.append("\(path): unknown key \(key)")
                }
            }
        }
        if let array = value as? [Any], array.count < schema["minItems"] as? Int ?? 0 {
            problems.append("\(path): too few elements")
        }
        if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, value) in array.enumerated() {
                problems += self.problems(of: value, items, at: "\(path)[\(index)]")
            }
        }
        return problems
    }

    private static func isA(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": value is Bool
        case "integer": (value as? Double).map { $0 == $0.rounded() } ?? false
        default: value is Double
        }
    }
}

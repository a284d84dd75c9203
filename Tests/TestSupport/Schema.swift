import Foundation

/// As much of JSON Schema (draft 2020-12) as the schemas of the repository use, to hold what the program writes against
/// them.
public struct Schema {
    private let root: [String: Any]

    /// Reads a schema of the folder `Schemas`.
    public init(_ name: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Schemas/\(name).schema.json"
        )
        root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    }

    /// Where and why a line of JSON is not as the schema says; none if it is.
    public func problems(of line: String) throws -> [String] {
        problems(of: try JSONSerialization.jsonObject(with: Data(line.utf8)), root, at: "$")
    }

    /// The names of the parts of the schema that its lines are of, where they are of several.
    public var alternatives: Set<String> {
        let references = (root["oneOf"] as? [[String: Any]] ?? []).compactMap { $0["$ref"] as? String }
        return Set(references.map { String($0.dropFirst("#/$defs/".count)) })
    }

    /// The keys that a part of the schema knows, found by its path of keys.
    public func keys(_ path: String...) -> Set<String> {
        let found = path.reduce(root) { $0[$1] as? [String: Any] ?? [:] }
        return Set((found["properties"] as? [String: Any] ?? [:]).keys)
    }

    /// The values that the schema allows where it has a list, found by its path of keys.
    public func choices(_ path: String...) -> Set<String> {
        let found = path.reduce(root) { $0[$1] as? [String: Any] ?? [:] }
        return Set(found["enum"] as? [String] ?? [])
    }

    private func problems(of value: Any, _ schema: [String: Any], at place: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            guard Set(schema.keys).isSubset(of: ["$ref", "description"]) else { return ["\(place): more than $ref"] }
            let target = reference.split(separator: "/").dropFirst().reduce(root) {
                $0[String($1)] as? [String: Any] ?? [:]
            }
            return target.isEmpty ? ["\(place): no \(reference)"] : problems(of: value, target, at: place)
        }
        let known: Set = [
            "type", "enum", "minimum", "required", "properties", "additionalProperties", "items", "description",
            "title", "$schema", "$defs", "oneOf", "const", "pattern", "maximum",
        ]
        var problems = schema.keys.filter { !known.contains($0) }.map { "\(place): the test does not know \($0)" }
        if let type = schema["type"] as? String, !Self.isA(type, value) { return problems + ["\(place): no \(type)"] }
        if let choices = schema["enum"] as? [String], !choices.contains(value as? String ?? "") {
            problems.append("\(place): \(value) is none of \(choices)")
        }
        if let one = schema["const"] as? String, one != value as? String {
            problems.append("\(place): \(value) is not \(one)")
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String {
            // A pattern that is none is a mistake of the schema.
            let isMatch = (try? Regex(pattern).firstMatch(in: text)) != nil
            if !isMatch { problems.append("\(place): \(text) is not as \(pattern)") }
        }
        if let alternatives = schema["oneOf"] as? [[String: Any]] {
            let found = alternatives.map { self.problems(of: value, $0, at: place) }
            // What fits best says what is wrong.
            let fits = found.count(where: \.isEmpty)
            if fits > 1 { problems.append("\(place): \(fits) alternatives fit") }
            if fits == 0 { problems += found.min { $0.count < $1.count } ?? [] }
        }
        if let maximum = schema["maximum"] as? Double, let number = value as? Double, number > maximum {
            problems.append("\(place): \(number) is above \(maximum)")
        }
        if let minimum = schema["minimum"] as? Double, let number = value as? Double, number < minimum {
            problems.append("\(place): \(number) is below \(minimum)")
        }
        if let object = value as? [String: Any] {
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            for key in schema["required"] as? [String] ?? [] where object[key] == nil {
                problems.append("\(place): no \(key)")
            }
            for (key, value) in object {
                if let property = properties[key] {
                    problems += self.problems(of: value, property, at: "\(place).\(key)")
                } else if schema["additionalProperties"] as? Bool == false {
                    problems.append("\(place): unknown key \(key)")
                }
            }
        }
        if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, value) in array.enumerated() {
                problems += self.problems(of: value, items, at: "\(place)[\(index)]")
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

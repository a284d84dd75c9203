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

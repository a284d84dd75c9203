#if Fetch
import Monitoring

/// The groups of a match, for templates in the notation of Go's `Regexp.Expand`.
struct PatternGroups {
    /// The whole match, then its groups; nil for a group without a match.
    private var groups: [String?] = []
    private var names: [String: Int] = [:]

    /// Groups that are all empty.
    init() {}

    /// Searches for a pattern in a text. The search takes time.
    init(of pattern: ModulePattern, in text: String) {
        guard let regex = try? Regex(pattern.expression).matchingSemantics(.unicodeScalar),
            let match = try? regex.firstMatch(in: text)
        else { return }
        for (index, element) in match.output.enumerated() {
            groups.append(element.substring.map { String($0) })
            if let name = element.name { names[name] = index }
        }
    }

    /// Replaces `$1`, `${1}`, `$name` and `${name}` by the groups, and `$$` by a dollar sign. A name is as long as
    /// possible; groups that do not exist are empty.
    func expanded(_ template: String) -> String {
        var result = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            guard character == "$" else {
                result.append(character)
                continue
            }
            if rest.first == "$" {
                rest.removeFirst()
                result += "$"
            } else if rest.first == "{", let end = rest.firstIndex(of: "}"),
                rest[..<end].dropFirst().allSatisfy(\.isInGroupName), rest[..<end].count > 1
            {
                result += group(rest[..<end].dropFirst())
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix(while: \.isInGroupName)
                guard !name.isEmpty else {
                    result += "$"
                    continue
                }
                result += group(name)
                rest = rest[name.endIndex...]
            }
        }
        return result
    }

    private func group(_ name: Substring) -> String {
        let index = Int(name) ?? names[String(name)]
        return index.flatMap { groups.indices.contains($0) ? groups[$0] : nil } ?? ""
    }
}

extension Character {
    fileprivate var isInGroupName: Bool { isASCII && (isLetter || isNumber) || self == "_" }
}
#endif

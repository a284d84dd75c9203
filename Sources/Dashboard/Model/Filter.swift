import Monitoring

/// Which targets are shown: all words must match. A word matches a part of the name, the URL or the group, without
/// regard to case; `!word` excludes; `is:down` asks for a health, or for `pending`, `paused`,
/// `blocked`, `flapping`, `faulty`.
struct Filter: Sendable, Hashable {
    private enum Term: Sendable, Hashable {
        case contains(String)
        case excludes(String)
        case has(String)
    }

    let text: String
    private let terms: [Term]

    init(_ text: String = "") {
        self.text = text
        terms = text.lowercased().split(separator: " ").map { word in
            if word.hasPrefix("is:") { return .has(String(word.dropFirst(3))) }
            if word.hasPrefix("!"), word.count > 1 { return .excludes(String(word.dropFirst())) }
            return .contains(String(word))
        }
    }

    var isEmpty: Bool { terms.isEmpty }

    func matches(_ standing: Standing) -> Bool {
        guard !isEmpty else { return true }
        let target = standing.target
        let fields = [target.name, target.question.url, target.group ?? ""].map { $0.lowercased() }
        return terms.allSatisfy { term in
            switch term {
            case .contains(let word): fields.contains { $0.contains(word) }
            case .excludes(let word): !fields.contains { $0.contains(word) }
            case .has(let word): Self.has(word, standing)
            }
        }
    }

    /// A word that is still being typed matches what it is the beginning of.
    private static func has(_ word: String, _ standing: Standing) -> Bool {
        let words = [
            standing.word,
            standing.isFlapping ? "flapping" : "",
            standing.pending == nil ? "" : "pending",
            standing.fault == nil ? "" : "faulty",
        ]
        return words.contains { !$0.isEmpty && $0.hasPrefix(word) }
    }
}

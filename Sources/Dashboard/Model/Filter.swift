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

    /// Whether it looks at names, URLs and groups.
    var hasWords: Bool {
        terms.contains { if case .has = $0 { false } else { true } }
    }

    /// Whether it looks at what changes all the time.
    var asksHealth: Bool {
        terms.contains { if case .has = $0 { true } else { false } }
    }

    func matches(_ position: Int, of standings: Standings, _ texts: TargetTexts) -> Bool {
        terms.allSatisfy { term in
            switch term {
            case .contains(let word): texts.words[position].holds(word)
            case .excludes(let word): !texts.words[position].holds(word)
            case .has(let word): Self.has(word, standings[position])
            }
        }
    }

    /// A word that is still being typed matches what it is the beginning of.
    private static func has(_ word: String, _ standing: Standing) -> Bool {
        standing.word.hasPrefix(word)
            || (standing.isFlapping && "flapping".hasPrefix(word))
            || (standing.pending != nil && "pending".hasPrefix(word))
            || (standing.fault != nil && "faulty".hasPrefix(word))
    }
}

extension String {
    /// Whether a text is part of it.
    fileprivate func holds(_ part: String) -> Bool {
        // Thousands are looked through for every letter that is typed: bytes do, where each of them is a character.
        let (text, part) = (utf8, part.utf8)
        guard text.allSatisfy({ $0 < 0x80 }), let first = part.first else { return contains(String(part)) }
        guard text.count >= part.count else { return false }
        var start = text.startIndex
        while let found = text[start...].firstIndex(of: first) {
            if text[found...].starts(with: part) { return true }
            start = text.index(after: found)
        }
        return false
    }
}

import Monitoring

/// A filter of the targets: all of its words must match.
///
/// * A word matches a part of the name, the URL or the group, case-insensitively.
/// * `!word` excludes what the word matches.
/// * `is:down` matches a health, or `pending`, `paused`, `blocked`, `flapping`, `faulty`.
struct Filter: Sendable, Hashable {
    private enum Term: Sendable, Hashable {
        case contains(String)
        case excludes(String)
        case state(String)
    }

    let text: String
    private let terms: [Term]

    init(_ text: String = "") {
        self.text = text
        terms = text.lowercased().split(separator: " ").map { word in
            if word.hasPrefix("is:") { return .state(String(word.dropFirst(3))) }
            if word.hasPrefix("!"), word.count > 1 { return .excludes(String(word.dropFirst())) }
            return .contains(String(word))
        }
    }

    var isEmpty: Bool { terms.isEmpty }

    /// Whether the filter matches names, URLs and groups.
    var matchesText: Bool {
        terms.contains { if case .state = $0 { false } else { true } }
    }

    /// Whether the filter matches states, which change at any time.
    var matchesState: Bool {
        terms.contains { if case .state = $0 { true } else { false } }
    }

    func matches(_ position: Int, of states: TargetStates, _ texts: TargetTexts) -> Bool {
        terms.allSatisfy { term in
            switch term {
            case .contains(let word): texts.searchTexts[position].hasSubstring(word)
            case .excludes(let word): !texts.searchTexts[position].hasSubstring(word)
            case .state(let word): Self.matches(word, states[position])
            }
        }
    }

    /// Whether a state matches a word. A prefix matches too, since the filter applies while it is typed.
    private static func matches(_ word: String, _ state: TargetState) -> Bool {
        state.healthName.hasPrefix(word)
            || (state.isFlapping && "flapping".hasPrefix(word))
            || (state.pending != nil && "pending".hasPrefix(word))
            || (state.fault != nil && "faulty".hasPrefix(word))
    }
}

extension String {
    /// Whether the text contains another.
    fileprivate func hasSubstring(_ part: String) -> Bool {
        // Each typed letter searches thousands of texts. In ASCII, bytes can be compared, which is faster.
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

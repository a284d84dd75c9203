import ReachMonitoring

/// A filter of the targets: all of its words must match.
///
/// * A word matches a part of the name, the URL or the group, case-insensitively. Quotes join words: `"front door"`.
/// * `is:down` matches a state; ``State`` lists them.
/// * `group:home` matches the groups that begin with it, `group:"Home"` only that group.
/// * `tag:db` matches the targets with a tag that begins with it, `tag:"db"` those with that tag.
/// * `method:tcp` matches a method.
/// * `p95>100ms` or `loss<=5%` compares a figure; ``Figure`` lists them. A target without the figure does not match.
/// * Another word before a colon is a problem, unless it can be a part of a URL or in quotes.
/// * `!` before any of these words negates it.
///
/// The filter applies while it is typed, so `is:d` matches every state that begins with "d", and a word with a problem
/// hides nothing.
struct Filter: Sendable, Hashable {
    let text: String
    private let terms: [FilterTerm]
    /// The figures that the filter compares.
    let figures: Set<FilterTerm.Figure>
    /// The problem of the first invalid word.
    private let problem: FilterProblem?

    init(_ text: String = "") {
        self.text = text
        let words = Self.words(of: text.lowercased())
        var terms: [FilterTerm] = []
        var problem: FilterProblem?
        for (index, word) in words.enumerated() {
            do {
                terms.append(try FilterTerm(word))
            } catch {
                problem = problem ?? error
                // Only the last word is still being typed.
                if index < words.count - 1 || text.hasSuffix(" ") { problem?.isUnfinished = false }
            }
        }
        self.terms = terms
        self.problem = problem
        figures = Set(terms.compactMap(\.figure))
    }

    /// Splits a text at the blanks that are neither between quotes nor beside the sign of a comparison.
    private static func words(of text: String) -> [Substring] {
        var isQuoted = false
        let words = text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == " " && !isQuoted
        }
        return words.reduce(into: []) { words, word in
            guard let last = words.last,
                [">", "<"].contains(where: word.hasPrefix) || [">", "<", ">=", "<="].contains(where: last.hasSuffix)
            else { return words.append(word) }
            words[words.count - 1] = text[last.startIndex..<word.endIndex]
        }
    }

    /// Returns this filter with another word: only the targets of a group; nil is the group of targets without one.
    func restricted(toGroup name: String?) -> Filter {
        let word = "group:\"\((name ?? "").replacing("\"", with: "\"\""))\""
        guard !Self.words(of: text).contains(where: { $0 == word }) else { return self }
        return Filter(isEmpty ? word : "\(text) \(word)")
    }

    var isEmpty: Bool { terms.isEmpty }

    /// Whether the filter matches names, URLs and groups.
    var matchesText: Bool { terms.contains(where: \.matchesText) }

    /// Whether the filter matches states, which change at any time.
    var matchesState: Bool { terms.contains(where: \.matchesState) }

    /// Returns the problem of the first invalid word.
    ///
    /// - Parameter isTyping: whether to ignore a last word that is only unfinished, such as `p95>100`.
    func problem(whileTyping isTyping: Bool) -> String? {
        guard let problem, !(isTyping && problem.isUnfinished) else { return nil }
        return problem.text
    }

    func matches(_ position: Int, of states: TargetStates, _ texts: TargetTexts, _ figures: FigureValues) -> Bool {
        terms.allSatisfy { $0.matches(position, of: states, texts, figures) }
    }
}

/// The problem of a word of a filter.
struct FilterProblem: Error, Sendable, Hashable {
    let text: String
    /// Whether the word is valid as far as it is typed.
    var isUnfinished = false
}

extension Model {
    /// Filters the targets. The selection stays on its target if that matches, and moves to the first match otherwise.
    /// Without a filter, the selection is again the one from before it.
    mutating func filter(by filter: Filter) {
        if list.filter.isEmpty { selectionBeforeFilter = selection }
        list.filter(by: filter)
        guard !filter.isEmpty else {
            selection = selectionBeforeFilter
            return
        }
        updateRows()
        selection.selectTarget(of: rows, or: selectionBeforeFilter.id)
    }

    /// The problem of the filter in the prompt.
    ///
    /// - Parameter isTyping: whether to ignore a word that is only unfinished.
    func filterProblem(whileTyping isTyping: Bool) -> String? {
        list.filter.problem(whileTyping: isTyping)
    }

    /// Shows only the targets of a group; esc shows all again.
    mutating func openGroup(_ name: String?) {
        // One of the fleet with targets that are only counted is read as a whole.
        _ = fleet.open(name)
        filter(by: list.filter.restricted(toGroup: name))
    }
}

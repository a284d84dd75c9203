import ReachMonitoring
import ReachScreen

/// Texts and column widths of the targets, cached until the settings are reloaded.
struct TargetTexts: Sendable {
    /// The width of the longest name.
    private(set) var nameWidth = 0
    /// The least width in which no two names of more than ``minNameWidth`` columns look alike, cut in the middle.
    private(set) var distinctNameWidth = 0
    /// What all names begin and end with, up to a separator.
    private var (commonStart, commonEnd) = ("", "")
    /// Whether some URL says more than the name of its target.
    private(set) var hasURLs = false
    /// The width of the longest method, plus a blank.
    private(set) var methodWidth = 6
    /// The width of the longest method and authority.
    private(set) var urlWidth = 0
    /// The width of the longest host and port.
    private(set) var hostWidth = 0
    /// The number of targets in each group.
    private(set) var groupSizes: [String?: Int] = [:]
    /// The width of the longest group.
    private(set) var groupWidth = 0
    /// The name, URL and group of each target in lower case, a line each; empty until a filter needs them.
    private(set) var searchTexts: [String] = []
    /// The edition of the settings that the texts were made from.
    private let edition: Int
    /// The targets. At the time cursor, those that were not watched then are missing.
    private let ids: [Target.ID]

    /// Creates the texts of a roster's targets, except ``searchTexts``.
    init(of roster: Roster) {
        edition = roster.edition
        ids = roster.states.map(\.id)
        var authorityWidth = 0
        var longNames: [String] = []
        for state in roster.states {
            let question = state.target.question
            let width = state.target.label.displayWidth
            nameWidth = max(nameWidth, width)
            if width > Self.minNameWidth { longNames.append(state.target.label) }
            groupWidth = max(groupWidth, state.target.group?.displayWidth ?? 0)
            groupSizes[state.target.group, default: 0] += 1
            guard !state.target.urlRepeatsName else { continue }
            hasURLs = true
            methodWidth = max(methodWidth, question.method.rawValue.count + 1)
            authorityWidth = max(authorityWidth, question.authority.displayWidth)
            hostWidth = max(hostWidth, question.hostAndPort.map { String($0).displayWidth } ?? 0)
        }
        (commonStart, commonEnd) = Self.commonParts(of: roster.states.lazy.map(\.target.label))
        urlWidth = methodWidth + authorityWidth
        distinctNameWidth = Self.distinctWidth(of: longNames)
    }

    /// The columns of a name that are always shown.
    static let minNameWidth = 14

    /// The width of the longest name without what all have in common.
    var shortNameWidth: Int { nameWidth - commonStart.displayWidth - commonEnd.displayWidth }

    /// The name of a target without what all names have in common.
    func shortLabel(of target: Target) -> String {
        String(target.label.dropFirst(commonStart.count).dropLast(commonEnd.count))
    }

    /// What all names have in common, with an ellipsis in place of the rest; nil if that is nothing.
    func commonNamePart(_ ellipsis: Character) -> String? {
        commonStart.isEmpty && commonEnd.isEmpty ? nil : "\(commonStart)\(ellipsis)\(commonEnd)"
    }

    /// The fewest characters that are worth leaving out.
    private static let minCommonLength = 4

    private static func commonParts(of names: some Sequence<String>) -> (start: String, end: String) {
        var parts: (start: [Character], end: [Character], shortest: Int)?
        for name in names.lazy.map(Array.init) {
            guard let known = parts else {
                // At least a character of each name stays.
                parts = (name.dropLast(), name.dropFirst().reversed(), name.count)
                continue
            }
            let start = zip(known.start, name.dropLast()).prefix { $0 == $1 }.map(\.0)
            let end = zip(known.end, name.dropFirst().reversed()).prefix { $0 == $1 }.map(\.0)
            parts = (start, end, min(known.shortest, name.count))
            if start.count < minCommonLength, end.count < minCommonLength { return ("", "") }
        }
        guard let parts else { return ("", "") }
        let isSeparator = { (character: Character) in "-._/: ".contains(character) }
        let start = parts.start.prefix((parts.start.lastIndex(where: isSeparator) ?? -1) + 1)
        let end = parts.end.prefix((parts.end.lastIndex(where: isSeparator) ?? -1) + 1)
        let hasStart = start.count >= minCommonLength
        let hasEnd = end.count >= minCommonLength && (hasStart ? start.count : 0) + end.count < parts.shortest
        return (hasStart ? String(start) : "", hasEnd ? String(end.reversed()) : "")
    }

    /// The greatest width that names need in order to be told apart; longer ones are cut in any case.
    static let maxDistinctWidth = 40

    private static func distinctWidth(of names: [String]) -> Int {
        // More take too long for a reload.
        guard names.count <= 10_000 else { return 0 }
        let names = Set(names)
        func areDistinct(in width: Int) -> Bool {
            Set(names.map { $0.shortened(toColumns: width, ellipsis: "…") }).count == names.count
        }
        // By bisection: what a width distinguishes, a greater one does too.
        var (low, high) = (minNameWidth, maxDistinctWidth)
        while low < high {
            let middle = (low + high) / 2
            if areDistinct(in: middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The number of rows of a table of all targets, with the headings of their groups.
    var rowCount: Int {
        let hasHeadings = groupSizes.keys.contains { $0 != nil }
        return groupSizes.values.reduce(0, +) + (hasHeadings ? groupSizes.count : 0)
    }

    /// Whether the texts are those of a roster's targets.
    func areOf(_ roster: Roster) -> Bool {
        edition == roster.edition && ids.count == roster.states.count
            && zip(ids, roster.states).allSatisfy { $0 == $1.id }
    }

    /// Creates ``searchTexts``, unless they exist.
    mutating func makeSearchTexts(for roster: Roster) {
        guard searchTexts.isEmpty else { return }
        searchTexts = roster.states.map { state in
            let target = state.target
            return "\(target.name)\n\(target.question.url)\n\(target.group ?? "")".lowercased()
        }
    }
}

extension Target {
    /// Whether the URL says nothing that the name does not: that of a target that was named after it.
    var urlRepeatsName: Bool { label == question.authority || label == question.url }
}

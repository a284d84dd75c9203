import ReachMonitoring
import ReachScreen

/// Texts and column widths of the targets, cached until the settings are reloaded.
struct TargetTexts: Sendable {
    /// The width of the longest name.
    private(set) var nameWidth = 0
    /// The width in which no two names of more than ``minNameWidth`` columns look alike: what one has in common with another, a
    /// character and the ellipsis.
    private(set) var distinctNameWidth = 0
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
    /// The number of targets. At the time cursor, targets that were added later are missing.
    private let count: Int

    /// Creates the texts of a roster's targets, except ``searchTexts``.
    init(of roster: Roster) {
        edition = roster.edition
        count = roster.states.count
        var authorityWidth = 0
        var longNames: [String] = []
        for state in roster.states {
            let question = state.target.question
            let width = state.target.label.displayWidth
            nameWidth = max(nameWidth, width)
            if width > Self.minNameWidth { longNames.append(state.target.label) }
            methodWidth = max(methodWidth, question.method.rawValue.count + 1)
            authorityWidth = max(authorityWidth, question.authority.displayWidth)
            hostWidth = max(hostWidth, question.hostAndPort.map { String($0).displayWidth } ?? 0)
            groupWidth = max(groupWidth, state.target.group?.displayWidth ?? 0)
            groupSizes[state.target.group, default: 0] += 1
        }
        urlWidth = methodWidth + authorityWidth
        distinctNameWidth = Self.distinctWidth(of: longNames)
    }

    /// The columns of a name that are always shown.
    static let minNameWidth = 14

    private static func commonPrefix(of name: String, _ other: String) -> String {
        String(zip(name, other).prefix { $0 == $1 }.map(\.0))
    }

    private static func distinctWidth(of names: [String]) -> Int {
        // Sorting more takes too long for a reload.
        guard names.count <= 10_000 else { return 0 }
        let names = names.sorted()
        return zip(names, names.dropFirst()).reduce(0) { width, pair in
            let (name, next) = pair
            guard name != next else { return width }
            let needed = commonPrefix(of: name, next).displayWidth + 2
            return max(width, min(needed, max(name.displayWidth, next.displayWidth)))
        }
    }

    /// The number of rows of a table of all targets, with the headings of their groups.
    var rowCount: Int {
        let hasHeadings = groupSizes.keys.contains { $0 != nil }
        return groupSizes.values.reduce(0, +) + (hasHeadings ? groupSizes.count : 0)
    }

    /// Whether the texts are those of a roster's targets.
    func areOf(_ roster: Roster) -> Bool {
        edition == roster.edition && count == roster.states.count
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

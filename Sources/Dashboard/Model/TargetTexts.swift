import Monitoring
import Screen

/// Texts and column widths of the targets, cached until the settings are reloaded.
struct TargetTexts: Sendable {
    /// The width of the longest name.
    private(set) var nameWidth = 0
    /// The width of the longest method, plus a blank.
    private(set) var methodWidth = 6
    /// The width of the longest method and authority.
    private(set) var urlWidth = 0
    /// The width of the longest group.
    private(set) var groupWidth = 0
    /// The name, URL and group of each target in lower case, a line each; empty until a filter needs them.
    private(set) var searchTexts: [String] = []
    /// The edition of the settings that the texts were made from.
    let edition: Int

    /// Creates the texts of a roster's targets, except ``searchTexts``.
    init(of roster: Roster) {
        edition = roster.edition
        var authorityWidth = 0
        for state in roster.states {
            let question = state.target.question
            nameWidth = max(nameWidth, state.target.label.displayWidth)
            methodWidth = max(methodWidth, question.method.rawValue.count + 1)
            authorityWidth = max(authorityWidth, question.authority.displayWidth)
            groupWidth = max(groupWidth, state.target.group?.displayWidth ?? 0)
        }
        urlWidth = methodWidth + authorityWidth
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

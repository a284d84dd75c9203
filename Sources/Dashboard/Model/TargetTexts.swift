import Monitoring
import Screen

/// What of the targets is only text, and the same until the settings are read again.
struct TargetTexts: Sendable {
    /// The columns of the longest name.
    private(set) var nameWidth = 0
    /// The columns of the longest method, and a blank.
    private(set) var methodWidth = 6
    /// The columns of the longest of what is asked.
    private(set) var authorityWidth = 0
    /// Name, URL and group of each target in small letters, a line each; empty until a filter needs them.
    private(set) var words: [String] = []
    /// Which settings they are of.
    let edition: Int

    /// The texts of a roster's targets, but for ``words``.
    init(of roster: Roster) {
        edition = roster.edition
        for standing in roster.standings {
            let question = standing.target.question
            nameWidth = max(nameWidth, standing.target.label.displayWidth)
            methodWidth = max(methodWidth, question.method.rawValue.count + 1)
            authorityWidth = max(authorityWidth, question.authority.displayWidth)
        }
    }

    /// Gets ready for filters.
    mutating func fill(with roster: Roster) {
        guard words.isEmpty else { return }
        words = roster.standings.map { standing in
            let target = standing.target
            return "\(target.name)\n\(target.question.url)\n\(target.group ?? "")".lowercased()
        }
    }
}

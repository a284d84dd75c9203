/// One thing that `reach doctor` looked at.
struct CheckupLine: Sendable, Hashable {
    /// What was found.
    enum Mark: String, Sendable, Hashable {
        /// It works.
        case ok
        /// It is not there, and most people do well without.
        case absent = "--"
        /// It does not work.
        case problem = "!!"
    }

    let mark: Mark
    /// What was looked at: `ICMP over IPv4`.
    let subject: String
    /// What was found, in words.
    let words: String
    /// Commands that mend it, any of which will do.
    var cures: [String] = []

    /// The line for a person, and one for each cure below it.
    var text: String {
        let margin = String(repeating: " ", count: 22)
        let subject = subject + String(repeating: " ", count: max(1, 18 - subject.count))
        let lines = cures.enumerated().map { index, cure in "\(margin)\(index == 0 ? "" : "or ")\(cure)" }
        return (["\(mark.rawValue)  \(subject)\(words)"] + lines).joined(separator: "\n")
    }
}

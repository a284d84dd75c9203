extension Settings {
    /// The event when changed settings are refused.
    ///
    /// - Parameter problems: Their number, if it is part of the text.
    package static func refusal(withProblems problems: Int? = nil) -> String {
        let count = problems.map { " with \($0) \($0 == 1 ? "problem" : "problems")" } ?? ""
        return "settings refused\(count), the old ones keep running"
    }
}

extension FleetServer {
    /// The event when a server fails or answers again.
    package var summary: String { "\(name): \(problem ?? "answers again")" }
}

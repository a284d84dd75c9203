/// Gives targets of lists unique names, which do not depend on their order.
struct DiscoveredNames {
    /// The questions of the targets so far, by name.
    private var taken: [String: Question]

    /// - Parameter targets: Targets that keep their names.
    init(_ targets: [Target]) {
        taken = Dictionary(targets.map { ($0.name, $0.question) }) { first, _ in first }
    }

    /// Returns the targets of a list, each once. Where several have one name, and in place of a name that is taken, the host
    /// or URL follows the name. Targets that are known by their name and question are left out.
    mutating func named(_ targets: [Target]) -> [Target] {
        var questions: [String: Question] = [:]
        var ambiguous: Set<String> = []
        for target in targets {
            if let other = questions[target.name] ?? taken[target.name], other != target.question {
                ambiguous.insert(target.name)
            }
            questions[target.name] = target.question
        }
        let before = taken
        var labels: Set<String> = []
        return targets.compactMap { target in
            guard before[target.name] != target.question else { return nil }
            var target = target
            if ambiguous.contains(target.name) {
                let title = target.question.title ?? target.question.url
                let candidates = [title, target.question.url].filter { $0 != target.name }.map {
                    "\(target.name) \($0)"
                }
                guard let name = candidates.first(where: { (taken[$0] ?? target.question) == target.question }) else {
                    return nil
                }
                target.name = name
            }
            guard before[target.name] == nil, labels.insert(target.label).inserted else { return nil }
            taken[target.name] = target.question
            return target
        }
    }
}

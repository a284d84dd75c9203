import Monitoring

/// What went wrong so far. A reference, since the readers of all tables write into the same one.
final class ProblemLog {
    private let file: String
    private let text: String
    /// Where everything stands; sought only when something is wrong, since that takes as long as reading the rest.
    private(set) lazy var locator = Locator(text)
    private var problems: [SettingsProblem] = []
    /// Whether the settings have commands to run, good ones or bad: hooks, or those of `exec:` targets.
    var hasCommands = false
    /// What of the settings is not shown to others.
    var redaction = Redaction()

    init(file: String, text: String) {
        self.file = file
        self.text = text
    }

    /// Where a value stands; a value that is not there is looked for in the tables around it.
    func place(of path: SettingsPath) -> Place? {
        var path = path
        while true {
            if let place = locator.places[path] { return place }
            guard !path.steps.isEmpty else { return nil }
            path = path.parent
        }
    }

    /// Notes a problem.
    func report(_ message: String, hint: String? = nil, about keyPath: String = "", at location: Location? = nil) {
        problems.append(
            SettingsProblem(
                file: file,
                line: location?.line,
                column: location?.column,
                keyPath: keyPath,
                message: message,
                hint: hint
            )
        )
    }

    /// The problems in the order of the file; those of no line come last. They may end in a log: values of the
    /// environment are not in them.
    var sorted: [SettingsProblem] {
        problems.map { $0.redacted(by: redaction) }.enumerated()
            .sorted { one, other in
                let (first, second) = (one.element, other.element)
                return (first.line ?? .max, first.column ?? .max, one.offset)
                    < (second.line ?? .max, second.column ?? .max, other.offset)
            }
            .map(\.element)
    }
}

extension SettingsProblem {
    fileprivate func redacted(by redaction: Redaction) -> SettingsProblem {
        var problem = self
        problem.keyPath = redaction.replacingValues(in: keyPath)
        problem.message = redaction.replacingValues(in: message)
        problem.hint = hint.map(redaction.replacingValues)
        return problem
    }
}

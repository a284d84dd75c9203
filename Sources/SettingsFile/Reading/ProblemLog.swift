import Monitoring

/// The problems found so far. It is a class, since the readers of all tables share one log.
final class ProblemLog {
    private let file: String
    private let text: String
    /// The positions of all keys. They are computed only if there is a problem, since this takes as long as parsing.
    private(set) lazy var locator = Locator(text)
    private var problems: [SettingsProblem] = []
    /// The parts that have no effect, although they are valid.
    private var allWarnings: [SettingsProblem] = []
    /// Whether the settings have commands to run, valid or not: hooks, or `exec:` targets.
    var hasCommands = false
    /// The parts of the settings that are not shown in output.
    var redaction = Redaction()

    init(file: String, text: String) {
        self.file = file
        self.text = text
    }

    /// Whether no problem was found so far.
    var isEmpty: Bool { problems.isEmpty }

    /// Returns the position of a value. For a value that does not exist, it is that of the nearest enclosing table.
    func entryLocation(of path: SettingsPath) -> EntryLocation? {
        var path = path
        while true {
            if let location = locator.entries[path] { return location }
            guard !path.components.isEmpty else { return nil }
            path = path.parent
        }
    }

    /// Adds a problem.
    func report(_ message: String, hint: String? = nil, about keyPath: String = "", at location: Location? = nil) {
        problems.append(problem(message, hint: hint, about: keyPath, at: location))
    }

    /// Adds a warning: a part of the settings that is valid and has no effect.
    func warn(_ message: String, hint: String, about keyPath: String, at location: Location?) {
        allWarnings.append(problem("warning: \(message)", hint: hint, about: keyPath, at: location))
    }

    private func problem(_ message: String, hint: String?, about keyPath: String, at location: Location?)
        -> SettingsProblem
    {
        SettingsProblem(
            file: file,
            line: location?.line,
            column: location?.column,
            keyPath: keyPath,
            message: message,
            hint: hint
        )
    }

    /// The problems in the order of their positions; those without a position come last. Values of environment
    /// variables are redacted, since problems may be logged.
    var sorted: [SettingsProblem] { sorted(problems) }

    /// The warnings, like ``sorted``.
    var warnings: [SettingsProblem] { sorted(allWarnings) }

    private func sorted(_ problems: [SettingsProblem]) -> [SettingsProblem] {
        problems.map { $0.redacted(by: redaction) }.enumerated()
            .sorted { left, right in
                let (first, second) = (left.element, right.element)
                return (first.line ?? .max, first.column ?? .max, left.offset)
                    < (second.line ?? .max, second.column ?? .max, right.offset)
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

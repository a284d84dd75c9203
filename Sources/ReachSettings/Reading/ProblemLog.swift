import ReachMonitoring

/// The problems found so far. It is a class, since the readers of all tables share one log.
final class ProblemLog {
    /// A file with the positions of its keys. They are computed only if there is a problem, since this takes as long as
    /// parsing.
    private final class Source {
        let file: String
        let text: String
        private(set) lazy var locator = Locator(text)

        init(file: String, text: String) {
            (self.file, self.text) = (file, text)
        }
    }

    /// A problem with the index of its file.
    private typealias Entry = (file: Int, problem: SettingsProblem)

    private var sources: [Source] = []
    private var problems: [Entry] = []
    /// The parts that have no effect, although they are valid.
    private var allWarnings: [Entry] = []
    /// The problems of values that targets share, with their indexes.
    private var shared: [SharedCause: (problem: SharedProblem, index: Int)] = [:]
    /// Whether the settings have commands to run, valid or not: hooks, or `exec:` targets.
    var hasCommands = false
    /// Whether names may be defined that were not read: in an included file, or by a variable that is not set.
    var isIncomplete = false
    /// Whether variables and secrets without a value are no problems. Values that have them are not checked.
    let allowsUnset: Bool
    /// The variables and secrets without a value, if they are no problems.
    var unset: Set<String> = []
    /// The parts of the settings that are not shown in output.
    var redaction = Redaction()

    init(allowsUnset: Bool = false) {
        self.allowsUnset = allowsUnset
    }

    /// Adds a file, and returns its index.
    func add(file: String, text: String) -> Int {
        sources.append(Source(file: file, text: text))
        return sources.count - 1
    }

    /// The number of problems found so far.
    var count: Int { problems.count }

    /// Whether no problem was found so far.
    var isEmpty: Bool { problems.isEmpty }

    /// The positions of the keys of a file.
    func locator(ofFile index: Int) -> Locator { sources[index].locator }

    /// The path of a file, as messages show it.
    func name(ofFile index: Int) -> String { sources[index].file }

    /// The directory of a file with a trailing slash; empty for the current directory.
    func directory(ofFile index: Int) -> String {
        let file = sources[index].file
        return file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// Returns the position of a value. For a value that does not exist, it is that of the nearest enclosing table.
    func entryLocation(of path: SettingsPath) -> EntryLocation? {
        let entries = sources[path.file].locator.entries
        var key = path
        key.file = 0
        while true {
            if var location = entries[key] {
                (location.key.file, location.value.file) = (path.file, path.file)
                return location
            }
            guard !key.components.isEmpty else { return nil }
            key = key.parent
        }
    }

    /// A position in words, for a message at another position: `on line 12`, or `in conf.d/home.toml:12`.
    func words(for location: Location, from path: SettingsPath) -> String {
        location.file == path.file ? "on line \(location.line)" : "in \(sources[location.file].file):\(location.line)"
    }

    /// Adds a problem.
    ///
    /// - Parameter file: The index of the file, for a problem without a position.
    func report(
        _ message: String,
        hint: String? = nil,
        about keyPath: String = "",
        at location: Location? = nil,
        in file: Int = 0
    ) {
        problems.append(entry(message, hint: hint, about: keyPath, at: location, in: file))
    }

    /// Adds a warning: a part of the settings that is valid and has no effect.
    func warn(_ message: String, hint: String, about keyPath: String, at location: Location?) {
        var warning = entry(message, hint: hint, about: keyPath, at: location, in: 0)
        warning.problem.isWarning = true
        allWarnings.append(warning)
    }

    private func entry(_ message: String, hint: String?, about keyPath: String, at location: Location?, in file: Int)
        -> Entry
    {
        let file = location?.file ?? file
        let problem = SettingsProblem(
            file: sources[file].file,
            line: location?.line,
            column: location?.column,
            keyPath: keyPath,
            message: message,
            hint: hint
        )
        return (file, problem)
    }

    // MARK: Shared values

    /// A problem with a value that several targets share.
    struct SharedProblem {
        let message: String
        let hint: String
        /// The target and the key, if no other target has the problem.
        let keyPath: String
        /// The position, if no other target has the problem.
        let location: Location?
        /// The first target with the problem.
        let target: String
        /// The number of targets with the problem.
        var count = 1
        /// The largest valid value.
        var limit = Duration.zero
    }

    /// The key by which the problems of several targets are merged: the origin of the value, or else the message.
    private struct SharedCause: Hashable {
        let origin: ValueOrigin?
        let message: String
    }

    /// Reports a problem of a value that targets share, once for all of them. Of several problems with one value, it is the
    /// one with the lowest limit.
    ///
    /// - Parameter origin: Where the value is set; nil if each target has its own, as the name of a template.
    func report(_ problem: SharedProblem, of origin: ValueOrigin?) {
        let cause = SharedCause(origin: origin, message: origin == nil ? problem.message : "")
        guard let first = shared[cause] else {
            shared[cause] = (problem, problems.count)
            return report(problem.message, hint: problem.hint, about: problem.keyPath, at: problem.location)
        }
        var all = problem.limit < first.problem.limit ? problem : first.problem
        all.count = first.problem.count + problem.count
        shared[cause] = (all, first.index)
        let places = origin == nil ? "\(all.count) tables" : "\(all.count) targets, such as \(all.target)"
        problems[first.index] = entry(
            "\(all.message), in \(places)",
            hint: all.hint,
            about: origin?.name ?? all.keyPath,
            at: origin.flatMap { entryLocation(of: $0.path)?.value } ?? all.location,
            in: 0
        )
    }

    /// The problems in the order of their files and positions; those without a position come last in their file. Values of
    /// environment variables are redacted, since problems may be logged.
    var sorted: [SettingsProblem] { sorted(problems) }

    /// The warnings, like ``sorted``.
    var warnings: [SettingsProblem] { sorted(allWarnings) }

    private func sorted(_ entries: [Entry]) -> [SettingsProblem] {
        entries.enumerated()
            .sorted { left, right in
                let (first, second) = (left.element.problem, right.element.problem)
                return (left.element.file, first.line ?? .max, first.column ?? .max, left.offset)
                    < (right.element.file, second.line ?? .max, second.column ?? .max, right.offset)
            }
            .map { $0.element.problem.redacted(by: redaction) }
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

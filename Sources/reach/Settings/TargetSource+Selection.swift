import ReachMonitoring
import ReachSettings

/// The selection of targets by the arguments of the command line.
extension TargetSource {
    /// The targets that the arguments select.
    func selection(of settings: Settings) throws(StartupError) -> [Target] {
        var chosen = Selection()
        var problems: [String] = []
        for argument in arguments {
            do throws(StartupError) {
                let targets = try targets(for: argument, in: settings)
                for target in targets { chosen.add(target) }
            } catch {
                // The list of a source may have the target later.
                if argument.hasPrefix("@"), overrides.hasIntervals, !settings.sources.isEmpty { continue }
                problems += error.lines
            }
        }
        guard problems.isEmpty else { throw StartupError(lines: problems) }
        return chosen.targets
    }

    /// The targets of the arguments.
    private struct Selection {
        private(set) var targets: [Target] = []
        /// The question of each, by label.
        private var questions: [String: Question] = [:]

        /// Adds a target, unless another argument has selected it. Where another method has the same label, the new target is
        /// named by its whole URL, with a number if only hidden parts of the URLs differ.
        mutating func add(_ target: Target) {
            var (target, number) = (target, 1)
            while let other = questions[target.label] {
                guard other != target.question else { return }
                target.name = target.question.url + (number > 1 ? " \(number)" : "")
                number += 1
            }
            questions[target.label] = target.question
            targets.append(target)
        }
    }

    private func targets(for argument: String, in settings: Settings) throws(StartupError) -> [Target] {
        if argument == TargetList.argument, let list { return list.targets }
        if argument.hasPrefix("@group:") {
            return try select("group", argument, in: settings) { $0.group.map { [$0] } ?? [] }
        }
        if argument.hasPrefix("@tag:") {
            return try select("tag", argument, in: settings, by: \.tags)
        }
        if argument.hasPrefix("@") {
            let name = String(argument.dropFirst())
            let named = settings.targets.filter { $0.name == name }
            guard named.isEmpty else { return named }
            guard !settings.disabledTargets.contains(name) else {
                throw StartupError("target \"\(name)\" is not enabled – remove its enabled = false")
            }
            throw unknown("target", name, known: settings.targets.map(\.name), settings.redaction)
        }
        if argument.hasSuffix(".toml"), !argument.contains("://") {
            throw StartupError("\"\(argument)\" is a settings file – did you mean --config \(argument)?")
        }
        if let command = misspeltCommand(argument) {
            let (word, isKnown) = ("\"\(argument)\"", argument == command)
            let fix = isKnown ? " is a command – put it first." : " – did you mean \"\(command)\"?"
            let problem = "\(isKnown ? "" : "unknown command ")\(word)\(fix)"
            throw StartupError("\(problem) For a host of this name, use icmp://\(argument)")
        }
        return [try Target(argument: argument)]
    }

    /// Selects the targets with a word, such as `@group:Home`.
    ///
    /// - Parameters:
    ///   - kind: The word's kind, before the colon.
    ///   - words: Returns the words of this kind that a target has.
    private func select(
        _ kind: String,
        _ argument: String,
        in settings: Settings,
        by words: (Target) -> [String]
    ) throws(StartupError) -> [Target] {
        let word = String(argument.dropFirst(kind.count + 2))
        let targets = settings.targets.filter { words($0).contains(word) }
        guard targets.isEmpty else { return targets }
        throw unknown(kind, word, known: Set(settings.targets.flatMap(words)).sorted(), settings.redaction)
    }

    /// The problem of a word that selects nothing. The query of the suggestion is hidden, since other users see the output of
    /// plugins.
    private func unknown(_ kind: String, _ word: String, known: [String], _ redaction: Redaction) -> StartupError {
        let fix = word.nearest(of: known).map { " – did you mean \"\(redaction.text($0))\"?" } ?? ""
        return StartupError("no \(kind) \"\(word)\" in the settings\(fix)")
    }

    /// The programs whose work `path` does.
    private static let tracers = ["trace", "traceroute", "tracepath", "mtr"]

    /// The command to suggest for an argument that looks like a misspelt command name.
    private func misspeltCommand(_ argument: String) -> String? {
        if Self.tracers.contains(argument), commands.contains("path") { return "path" }
        guard argument.count > 3, argument.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        return argument.nearest(of: commands)
    }
}

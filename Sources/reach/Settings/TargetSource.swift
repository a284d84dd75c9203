import Monitoring
import SettingsFile

/// Where the targets come from: the settings file, URLs on the command line, or names of the file on the command line.
struct TargetSource: Sendable {
    private let words: [String]
    private let file: SettingsFile?
    private let environment: [String: String]
    /// The words that a misspelt one may have been meant for; none where a command stands before them.
    private let commands: [String]

    /// Finds the settings file, where the words of the command line need one.
    ///
    /// - Throws: ``TargetProblems`` when a file is needed and none is found.
    init(
        words: [String],
        config: String?,
        environment: [String: String],
        commands: [String] = []
    ) throws(TargetProblems) {
        self.words = words
        self.commands = commands
        self.environment = environment
        guard words.isEmpty || config != nil || words.contains(where: { $0.hasPrefix("@") }) else {
            file = nil
            return
        }
        do throws(SettingsFailure) {
            file = try SettingsFile.locate(config: config, environment: environment)
        } catch {
            throw TargetProblems(lines: error.lines)
        }
    }

    /// What the header of the screen names as the source.
    var name: String {
        guard words.isEmpty, let file else { return words.joined(separator: " ") }
        return file.path
    }

    /// Reads the settings, as often as the user asks for it.
    ///
    /// - Throws: ``TargetProblems``, with every problem there is.
    func settings() throws(TargetProblems) -> Settings {
        var settings = Settings(targets: [])
        if let file {
            do throws(SettingsFailure) {
                settings = try file.read(environment: environment)
            } catch {
                throw TargetProblems(lines: error.lines)
            }
        }
        guard !words.isEmpty else { return settings }

        var chosen: [Target] = []
        var problems: [String] = []
        for word in words {
            do throws(TargetProblems) {
                let targets = try targets(for: word, in: settings.targets)
                for target in targets { Self.add(target, to: &chosen) }
            } catch {
                problems += error.lines
            }
        }
        guard problems.isEmpty else { throw TargetProblems(lines: problems) }
        settings.targets = chosen
        settings.redaction.cover(chosen)
        return settings
    }

    /// Adds a target, unless another word has named it already. Where another is called the same, since it asks the same
    /// host in another way, this one is called by its whole URL.
    private static func add(_ target: Target, to chosen: inout [Target]) {
        let others = chosen.filter { $0.label == target.label }
        guard !others.contains(where: { $0.question == target.question }) else { return }
        var target = target
        if !others.isEmpty { target.name = target.question.url }
        guard !chosen.contains(where: { $0.label == target.label }) else { return }
        chosen.append(target)
    }

    private func targets(for word: String, in known: [Target]) throws(TargetProblems) -> [Target] {
        if word.hasPrefix("@group:") {
            let group = String(word.dropFirst("@group:".count))
            let members = known.filter { $0.group == group }
            guard members.isEmpty else { return members }
            let groups = Set(known.compactMap(\.group)).sorted()
            throw TargetProblems(lines: ["no group \"\(group)\" in the settings\(guess(group, of: groups))"])
        }
        if word.hasPrefix("@") {
            let name = String(word.dropFirst())
            let named = known.filter { $0.name == name }
            guard named.isEmpty else { return named }
            let guess = guess(name, of: known.map(\.name))
            throw TargetProblems(lines: ["no target \"\(name)\" in the settings\(guess)"])
        }
        if let command = misspeltCommand(word) {
            let lines = [
                "unknown command \"\(word)\" – did you mean \"\(command)\"? A host of that name is icmp://\(word)"
            ]
            throw TargetProblems(lines: lines)
        }
        let question: Question
        do throws(URLProblem) {
            question = try Question(word)
        } catch {
            throw TargetProblems(lines: ["\"\(word)\": \(error)"])
        }
        guard let title = question.title else {
            throw TargetProblems(lines: ["\"\(word)\": a command stands in the settings – name its target, as @NAME"])
        }
        return [Target(name: title, question: question)]
    }

    private func guess(_ word: String, of candidates: [String]) -> String {
        word.nearest(of: candidates).map { " – did you mean \"\($0)\"?" } ?? ""
    }

    /// The command that a word is nearly, for a word that looks like one.
    private func misspeltCommand(_ word: String) -> String? {
        guard word.count > 3, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        return word.nearest(of: commands)
    }
}

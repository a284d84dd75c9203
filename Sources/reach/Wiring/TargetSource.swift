import Monitoring
import SettingsFile

/// Where the targets come from: the settings file, URLs on the command line, or names of the file on the command line.
struct TargetSource: Sendable {
    private let words: [String]
    private let file: SettingsFile?
    private let environment: [String: String]

    /// Finds the settings file, where the words of the command line need one.
    ///
    /// - Throws: ``TargetProblems`` when a file is needed and none is found.
    init(words: [String], config: String?, environment: [String: String]) throws(TargetProblems) {
        self.words = words
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
                let targets = try Self.targets(for: word, in: settings.targets)
                // A target that two words name is the same target.
                chosen += targets.filter { target in !chosen.contains { $0.name == target.name } }
            } catch {
                problems += error.lines
            }
        }
        guard problems.isEmpty else { throw TargetProblems(lines: problems) }
        settings.targets = chosen
        return settings
    }

    private static func targets(for word: String, in known: [Target]) throws(TargetProblems) -> [Target] {
        if word.hasPrefix("@group:") {
            let group = String(word.dropFirst("@group:".count))
            let members = known.filter { $0.group == group }
            guard members.isEmpty else { return members }
            let groups = Set(known.compactMap(\.group)).sorted()
            throw TargetProblems(lines: ["no group \"\(group)\" in the settings\(guess(group, of: groups))"])
        }
        if word.hasPrefix("@") {
            let name = String(word.dropFirst())
            if let target = known.first(where: { $0.name == name }) { return [target] }
            let guess = guess(name, of: known.map(\.name))
            throw TargetProblems(lines: ["no target \"\(name)\" in the settings\(guess)"])
        }
        if let command = misspeltCommand(word) {
            let lines = [
                "unknown command \"\(word)\" – did you mean \"\(command)\"? A host of that name is icmp://\(word)"
            ]
            throw TargetProblems(lines: lines)
        }
        do throws(URLProblem) {
            let question = try Question(word)
            return [Target(name: question.authority, question: question)]
        } catch {
            throw TargetProblems(lines: ["\"\(word)\": \(error)"])
        }
    }

    private static func guess(_ word: String, of candidates: [String]) -> String {
        word.nearest(of: candidates).map { " – did you mean \"\($0)\"?" } ?? ""
    }

    /// The command that a word is nearly, for a word that looks like one.
    private static func misspeltCommand(_ word: String) -> String? {
        guard word.count > 3, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        return word.nearest(of: ["dashboard", "watch", "validate", "help"])
    }
}

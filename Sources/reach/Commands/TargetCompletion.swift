import Foundation
import Monitoring
import SettingsFile

/// The shell completions of targets: the names and groups of the settings file that the command line selects.
///
/// Without valid settings, there are no completions. The error is not reported: a completion cannot show it.
enum TargetCompletion {
    /// Returns `@NAME` for each target, `@group:NAME` for each group and `@tag:TAG` for each tag; nothing after `--`, where a command follows.
    ///
    /// - Parameters:
    ///   - words: The command line as the shell passes it, with quotes.
    ///   - index: The index of the word to complete.
    @Sendable static func targetArguments(_ words: [String], index: Int, prefix: String) -> [String] {
        guard !words.prefix(index).contains("--") else { return [] }
        let targets = targets(for: words)
        let groups = Set(targets.compactMap(\.group)).sorted()
        let tags = Set(targets.flatMap(\.tags)).sorted()
        return names(of: targets).map { "@\($0)" } + groups.map { "@group:\($0)" } + tags.map { "@tag:\($0)" }
    }

    /// Returns the name of each target.
    @Sendable static func targetNames(_ words: [String], index: Int, prefix: String) -> [String] {
        names(of: targets(for: words))
    }

    /// The distinct names: a target with `family = "both"` has two rows.
    private static func names(of targets: [Target]) -> [String] {
        Set(targets.map(\.name)).sorted()
    }

    private static func targets(for words: [String]) -> [Target] {
        let environment = ProcessInfo.processInfo.environment
        let config = words.firstIndex(of: "--config").flatMap { words.dropFirst($0 + 1).first }
        let file = try? SettingsFile.locate(config: config, environment: environment)
        let targets = (try? file?.read(environment: environment).targets) ?? []
        // The shell reads one completion per line: names with a newline cannot be offered.
        return targets.filter { !$0.name.contains(where: \.isNewline) }
    }
}

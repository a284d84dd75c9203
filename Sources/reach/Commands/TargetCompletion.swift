import Foundation
import Monitoring
import SettingsFile

/// What a shell may complete a target to: the names and groups of the settings that the command line reads.
///
/// Where there are no settings, or none without problems, there is nothing to offer, and nobody to tell why.
enum TargetCompletion {
    /// `@NAME` for each target and `@group:NAME` for each group; nothing behind `--`, where a command stands.
    ///
    /// - Parameters:
    ///   - words: the command line as the shell has it, quotes included.
    ///   - index: which of the words is completed.
    @Sendable static func words(_ words: [String], index: Int, prefix: String) -> [String] {
        guard !words.prefix(index).contains("--") else { return [] }
        let targets = targets(for: words)
        let groups = Set(targets.compactMap(\.group)).sorted()
        return names(of: targets).map { "@\($0)" } + groups.map { "@group:\($0)" }
    }

    /// The name of each target.
    @Sendable static func names(_ words: [String], index: Int, prefix: String) -> [String] {
        names(of: targets(for: words))
    }

    /// The names, once each: a target that is asked in both families has two rows.
    private static func names(of targets: [Target]) -> [String] {
        Set(targets.map(\.name)).sorted()
    }

    private static func targets(for words: [String]) -> [Target] {
        let environment = ProcessInfo.processInfo.environment
        let config = words.firstIndex(of: "--config").flatMap { words.dropFirst($0 + 1).first }
        let file = try? SettingsFile.locate(config: config, environment: environment)
        let targets = (try? file?.read(environment: environment).targets) ?? []
        // A line for each, for the shell to read: a name that is none cannot be offered.
        return targets.filter { !$0.name.contains(where: \.isNewline) }
    }
}

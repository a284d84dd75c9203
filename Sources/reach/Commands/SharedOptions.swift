import ArgumentParser
import Foundation
import LibC
import Monitoring
import SettingsFile

/// The targets and the settings file: what the commands with targets share.
///
/// The other shared options are groups of their own. In a debug build, each level of groups makes the argument parser's
/// checks of the commands take five times as long.
struct SharedOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            URL, HOST (icmp), HOST:PORT (tcp), - (standard input, one a line), or @NAME, @group:NAME or @tag:TAG of the settings. (default: \
            all targets of the settings; wait needs at least one)
            """,
            valueName: "target"
        ),
        completion: .custom(TargetCompletion.targetArguments)
    )
    var targets: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    /// Returns the source of the targets, after standard input was read if an argument stands for it. Signals should not be
    /// trapped yet: any of them must end that reading.
    ///
    /// - Parameters:
    ///   - probes: The options of all probes.
    ///   - interval: The interval of all targets; nil leaves them as they are.
    ///   - hasIntervals: Whether targets are probed at their intervals, which limit `--timeout`.
    ///   - commands: The command names to suggest for a misspelt argument.
    ///   - blackbox: A settings file of the blackbox exporter, with modules.
    ///   - mayLackFile: Whether ``FirstTargets`` are shown if there is no settings file.
    ///   - shard: The share of the targets that is probed; nil for all.
    ///   - needsParents: Whether targets of other shards are probed too if targets of this one depend on them.
    func source(
        probes: ProbeOptions,
        interval: Duration? = nil,
        hasIntervals: Bool = false,
        suggesting commands: [String] = [],
        blackbox: BlackboxFile? = nil,
        mayLackFile: Bool = false,
        mayLackTargets: Bool = false,
        shard: Shard? = nil,
        needsParents: Bool = true
    ) throws(StartupError) -> TargetSource {
        let inputs = targets.count { $0 == TargetList.argument }
        guard inputs <= 1 else { throw StartupError(lines: ["-: standard input can be read once – remove the others"]) }
        return try TargetSource(
            arguments: targets,
            config: config,
            interval: interval,
            options: try probes.targetOptions(),
            hasIntervals: hasIntervals,
            environment: ProcessInfo.processInfo.environment,
            commands: commands,
            list: inputs == 1 ? TargetList(readingFrom: STDIN_FILENO) : nil,
            blackbox: blackbox,
            mayLackFile: mayLackFile,
            mayLackTargets: mayLackTargets,
            shard: shard,
            needsParents: needsParents
        )
    }
}

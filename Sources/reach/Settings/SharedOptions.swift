import ArgumentParser
import Foundation
import ReachMonitoring
import ReachSettings
import ReachSystem

/// The arguments and options that select targets and the settings file.
///
/// The other shared options are groups of their own: nested groups make the argument parser's checks of a debug build slow.
struct SharedOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            URL, HOST (icmp), HOST:PORT (tcp), - (standard input, one a line), or @NAME, @group:NAME or @tag:TAG of the settings. (default: \
            all targets of the settings; wait and path need at least one)
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
    ///   - probes: The options of all probes; nil for a command without such options.
    ///   - overrides: The other options for all targets.
    ///   - commands: The command names to suggest for a misspelt argument.
    ///   - blackbox: A settings file of the blackbox exporter, with modules.
    func source(
        probes: ProbeOptions? = nil,
        overrides: TargetSource.Overrides = TargetSource.Overrides(),
        suggesting commands: [String] = [],
        mayLack: Set<TargetSource.Part> = [],
        blackbox: BlackboxFile? = nil
    ) throws(StartupError) -> TargetSource {
        let inputs = targets.count { $0 == TargetList.argument }
        guard inputs <= 1 else { throw StartupError("-: standard input can be read once – remove the others") }
        var overrides = overrides
        if let probes { overrides.options = try probes.targetOptions() }
        return try TargetSource(
            arguments: targets,
            list: inputs == 1 ? TargetList(readingFrom: STDIN_FILENO) : nil,
            commands: commands,
            config: config,
            environment: ProcessInfo.processInfo.environment,
            overrides: overrides,
            mayLack: mayLack,
            blackbox: blackbox
        )
    }
}

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

/// The option for a share of the targets.
struct ShardOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the targets of this shard, such as 2/5: each of five processes with the same list probes its own share.",
            valueName: "shard"
        ),
        transform: Self.shard
    )
    var shard: Shard?

    private static func shard(_ text: String) throws -> Shard {
        do throws(Shard.Problem) {
            return try Shard(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

/// The option for the interval of all targets.
struct IntervalOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Interval of all targets, such as 200ms or 5s, instead of that of the settings.",
            valueName: "time"
        ),
        transform: Self.time
    )
    var interval: Duration?

    private static func time(_ text: String) throws -> Duration {
        let time = try Duration.argument(text)
        let shortest = SettingsFile.shortestInterval
        guard time >= shortest, time <= .seconds(86_400) else {
            throw ValidationError("must be between \(shortest.settingsText) and 24h")
        }
        return time
    }
}

/// The options of the commands that run hooks.
struct HookOptions: ParsableArguments {
    @Flag(help: "Run the hooks even if another process with the same settings does. (default: the first one does)")
    var hooks = false

    @Flag(help: "Run no hooks, except commands that are armed on the screen.")
    var noHooks = false

    func validate() throws {
        guard !hooks || !noHooks else { throw ValidationError("--hooks and --no-hooks cannot be combined") }
    }

    /// Begins to decide whether this process runs the hooks of its settings.
    func election(of source: TargetSource) -> HookElection {
        HookElection(HookClaim(hooks ? .always : noHooks ? .never : .first, of: source.hookSet()))
    }
}

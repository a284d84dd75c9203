import ArgumentParser
import Foundation

/// The options that the commands with targets share.
struct SharedOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            URL, HOST (icmp), HOST:PORT (tcp), or @NAME or @group:NAME of the settings. (default: all targets \
            of the settings; wait needs at least one)
            """,
            valueName: "target"
        ),
        completion: .custom(TargetCompletion.targetArguments)
    )
    var targets: [String] = []

    @Option(
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @OptionGroup var logging: LogOptions

    /// Returns the source of the targets.
    ///
    /// - Parameter commands: The command names to suggest for a misspelt argument.
    func source(suggesting commands: [String] = []) throws(StartupError) -> TargetSource {
        try TargetSource(
            arguments: targets,
            config: config,
            environment: ProcessInfo.processInfo.environment,
            commands: commands
        )
    }
}

import ArgumentParser
import Foundation

/// What `dashboard` and `watch` have in common.
struct SharedOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            A URL, HOST (icmp), HOST:PORT (tcp), or @NAME or @group:NAME of the settings; none: all of the settings, but wait \
            needs one.
            """,
            valueName: "target"
        ),
        completion: .custom(TargetCompletion.words)
    )
    var targets: [String] = []

    @Option(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .file(extensions: ["toml"]))
    var config: String?

    @OptionGroup var logging: LogOptions

    /// Where the targets come from.
    ///
    /// - Parameter commands: the commands that the first of their words may have been meant for.
    func source(orOneOf commands: [String] = []) throws(TargetProblems) -> TargetSource {
        try TargetSource(
            words: targets,
            config: config,
            environment: ProcessInfo.processInfo.environment,
            commands: commands
        )
    }
}

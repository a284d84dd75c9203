import ArgumentParser

/// `reach`: shows the full-screen dashboard.
struct DashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Show the full-screen dashboard (the default).",
        usage: """
            reach                               all targets of dashboard.toml
            reach nas.local:445 [::1]:22        targets of the command line
            reach @NAS @group:Home              selected targets of dashboard.toml
            reach --svg status.svg --after 10s  write a picture; needs no terminal
            """,
        discussion: "The settings file is read again when it changes, and on SIGUSR1 and ^R."
    )

    @OptionGroup var options: SharedOptions

    @OptionGroup(title: "Probes") var probeOptions: ProbeOptions

    @OptionGroup var logging: LogOptions

    @OptionGroup var interval: IntervalOption

    @OptionGroup var screen: ScreenOptions

    @OptionGroup var share: ShardOption

    @OptionGroup var picture: PictureOptions

    @OptionGroup var historyOption: HistoryOption

    @OptionGroup var hookOptions: HookOptions

    func run() async throws {
        let program = DashboardProgram(
            screen: screen,
            picture: picture,
            historyOption: historyOption,
            hookOptions: hookOptions,
            logging: logging
        )
        try await program.run { () throws(StartupError) in
            try options.source(
                probes: probeOptions,
                interval: interval.interval,
                hasIntervals: true,
                suggesting: Reach.subcommands + ["help"],
                mayLackFile: true,
                mayLackTargets: true,
                shard: share.shard
            )
        }
    }
}

import ArgumentParser
import ReachMonitoring
import ReachScreen

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
                overrides: .init(interval: interval.interval, hasIntervals: true, shard: share.shard),
                suggesting: Reach.subcommands + ["help"],
                mayLack: [.file, .targets]
            )
        }
    }
}

/// The options for the look of the screen.
struct ScreenOptions: ParsableArguments {
    @Flag(help: "ASCII characters only.")
    var ascii = false

    @Flag(help: "No colours, as with NO_COLOR=1.")
    var noColor = false

    @Option(
        help: ArgumentHelp(
            "Theme, instead of that of the settings: \(Self.themes), or your own.",
            valueName: "theme"
        ),
        completion: .list(ThemeChoice.builtIn.map(\.name)),
        transform: ThemeChoice.init
    )
    var theme: ThemeChoice?

    private static let themes = ThemeChoice.builtIn.map(\.name).joined(separator: ", ")
}

/// The options that write a picture of the dashboard instead of showing it.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "SVG file to write the screen to after a while, instead of showing it (-: standard output); no hooks run.",
            valueName: "file"
        ),
        completion: .file(extensions: ["svg"])
    )
    var svg: String?

    @Option(help: ArgumentHelp("With --svg: time until the picture is written. (default: 10s)", valueName: "time"))
    var after: String?

    @Option(help: ArgumentHelp("With --svg: width of the screen. (default: 120)", valueName: "count"))
    var columns: Int?

    @Option(help: ArgumentHelp("With --svg: height of the screen. (default: 36)", valueName: "count"))
    var rows: Int?

    @Option(
        help: ArgumentHelp(
            "With --svg: keys to press before the picture is written, such as e for the events.",
            valueName: "keys"
        )
    )
    var press: String?

    /// The size of the screen.
    var size: Size {
        Size(columns: columns ?? 120, rows: rows ?? 36)
    }

    /// The time until the picture is written; nil if the text is not a duration.
    var duration: Duration? {
        Duration(text: after ?? "10s")
    }

    func validate() throws {
        guard svg != nil || (after == nil && columns == nil && rows == nil && press == nil) else {
            throw ValidationError("--after, --columns, --rows and --press: only allowed with --svg FILE")
        }
        guard let duration, duration <= .seconds(86_400) else {
            let invalid = "invalid duration \"\(after ?? "")\" – up to one day, such as 10s or 2m"
            throw ValidationError("--after: \(after?.durationProblem ?? invalid)")
        }
        guard (20...500).contains(size.columns) else {
            throw ValidationError("--columns \(size.columns): must be between 20 and 500")
        }
        guard (5...200).contains(size.rows) else {
            throw ValidationError("--rows \(size.rows): must be between 5 and 200")
        }
    }
}

import ArgumentParser
import Foundation

/// `reach fleet`: shows the targets of one or several Prometheus servers.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Show the targets of Prometheus servers, and from which vantage points they answer.",
        usage: """
            reach fleet http://prometheus:9090      what its probers and scrapes say
            reach fleet http://fra:9090 http://nyc:9090   each server is a vantage point
            reach fleet --probes 'probe_success{job="web"}' --target-label instance http://prometheus:9090
            reach fleet --token-file /run/secrets/token https://prometheus.example.com
            reach fleet --alertmanager http://alertmanager:9093 http://prometheus:9090
            reach fleet                             the [[prometheus]] of dashboard.toml
            """,
        discussion: """
            Reads the metrics of reach watch --listen, of blackbox_exporter and of smokeping_prober, or else up. Rows are \
            targets, and the view 5 has a column for each vantage point. Large fleets are counted by group: → reads a group \
            as a whole. With an Alertmanager, A silences the alerts about a target. Secrets are read from files only, and are \
            the same for all servers.
            """
    )

    @Argument(help: ArgumentHelp("URL of a server. (default: [[prometheus]] of the settings)", valueName: "url"))
    var urls: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file. (default: dashboard.toml, without a URL)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @OptionGroup(title: "Servers") var serverOptions: ServerOptions

    @OptionGroup(title: "Screen") var screen: ScreenOptions

    @OptionGroup var picture: PictureOptions

    @OptionGroup var historyOption: HistoryOption

    @OptionGroup var hookOptions: HookOptions

    @OptionGroup var logging: LogOptions

    func run() async throws {
        let servers = try serverOptions.servers(of: urls)
        let alertmanager = try serverOptions.alertmanagerSettings()
        let program = DashboardProgram(
            screen: screen,
            picture: picture,
            historyOption: historyOption,
            hookOptions: hookOptions,
            logging: logging
        )
        try await program.run { () throws(StartupError) in
            try TargetSource(
                config: config,
                environment: ProcessInfo.processInfo.environment,
                mayLack: [.targets],
                fleet: TargetSource.Fleet(servers: servers, alertmanager: alertmanager)
            )
        }
    }
}

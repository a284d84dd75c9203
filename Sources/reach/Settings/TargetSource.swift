import ReachDashboard
import ReachMonitoring
import ReachSettings

/// The source of the targets: the settings file, URLs of the command line or of standard input, or names on the command line
/// that select targets of the file. The dashboard shows ``DefaultTargets`` if there is none.
struct TargetSource: Sendable {
    /// The options of the command line that apply to all targets.
    struct Overrides: Sendable {
        /// The interval; nil leaves it as it is.
        var interval: Duration?
        /// The options of probes.
        var options = TargetOptions()
        /// Whether targets are probed at their intervals, which limit the timeout of ``options``.
        var hasIntervals = false
        /// The share of the targets that this process probes; nil for all.
        var shard: Shard?
        /// Whether targets of other shards are probed too if targets of this one depend on them.
        var needsParents = true
    }

    /// A part of the settings that may be missing.
    enum Part: Sendable {
        /// The settings file: ``DefaultTargets`` are shown without one.
        case file
        /// The targets in the settings file.
        case targets
    }

    /// The servers to show instead of targets.
    struct Fleet: Sendable {
        /// The servers of the command line; nil for those of the settings file.
        var servers: [PrometheusSettings]?
        var alertmanager: AlertmanagerSettings?
    }

    let arguments: [String]
    /// The targets of standard input, for the argument `-`. They are read once, so that a reload has them too.
    let list: TargetList?
    /// The command names to suggest for a misspelt argument; empty after a command.
    let commands: [String]
    let file: SettingsFile?
    /// Whether there is no settings file, and ``DefaultTargets`` are shown instead.
    let isFirstRun: Bool
    let environment: [String: String]
    private let currentDirectory: String
    let overrides: Overrides
    let mayLack: Set<Part>
    /// The settings file of the blackbox exporter, with further modules.
    let blackbox: BlackboxFile?
    /// The fleet, if only that is shown.
    let fleet: Fleet?
    /// The lists of the settings' sources. They are read by ``SourceRefresher`` or ``fetchLists(by:)``.
    let lists = SourceLists()

    /// Locates the settings file, if the arguments need one.
    ///
    /// - Parameters:
    ///   - list: The targets of standard input, if an argument stands for them.
    ///   - blackbox: With a settings file of the blackbox exporter, no other settings file is needed.
    ///   - fleet: The fleet, if only that is shown.
    /// - Throws: ``StartupError`` when a file is needed and not found.
    init(
        arguments: [String] = [],
        list: TargetList? = nil,
        commands: [String] = [],
        config: String?,
        environment: [String: String],
        currentDirectory: String = ".",
        overrides: Overrides = Overrides(),
        mayLack: Set<Part> = [],
        blackbox: BlackboxFile? = nil,
        fleet: Fleet? = nil
    ) throws(StartupError) {
        (self.arguments, self.list, self.commands) = (arguments, list, commands)
        (self.environment, self.currentDirectory) = (environment, currentDirectory)
        (self.overrides, self.mayLack) = (overrides, mayLack)
        (self.blackbox, self.fleet) = (blackbox, fleet)
        let needsFile = arguments.isEmpty && fleet?.servers == nil || arguments.contains { $0.hasPrefix("@") }
        guard needsFile || config != nil else {
            (file, isFirstRun) = (nil, false)
            return
        }
        do throws(SettingsFailure) {
            file = try SettingsFile.locate(
                config: config,
                environment: environment,
                currentDirectory: currentDirectory
            )
            isFirstRun = false
        } catch .notFound where blackbox != nil && config == nil {
            (file, isFirstRun) = (nil, false)
        } catch .notFound where mayLack.contains(.file) && arguments.isEmpty {
            (file, isFirstRun) = (nil, true)
        } catch .notFound where fleet != nil {
            let fix = "give the URL of a Prometheus server: reach fleet http://prometheus:9090"
            throw StartupError("no settings file – \(fix)")
        } catch {
            throw StartupError(lines: error.lines)
        }
    }

    /// The path of the settings file; nil if the arguments need none.
    var path: String? { file?.path }

    /// The name of the source in the header of the screen.
    var name: String {
        if isFirstRun { return DefaultTargets.name }
        if arguments.isEmpty, file == nil, let blackbox { return blackbox.path }
        if let servers = fleet?.servers { return servers.map(\.name).joined(separator: " ") }
        guard arguments.isEmpty, let file else {
            return arguments.map { $0 == TargetList.argument ? TargetList.source : $0.withoutUserInfo }
                .joined(separator: " ")
        }
        return file.path
    }

    /// The name for the screen, which shows the names of servers anyway.
    var screenName: String { fleet?.servers == nil ? name : "" }

    /// Reads the settings file and selects the targets. Each reload calls it again.
    ///
    /// - Throws: ``StartupError`` with all problems.
    func settings() throws(StartupError) -> Settings {
        var settings = try read(hasDocument: false).settings
        try chooseServers(in: &settings)
        try checkOptions(with: settings)
        applyOptions(to: &settings)
        try addModules(to: &settings)
        return settings
    }

    /// Reads the settings like ``settings()``, and returns their text for editing. Without arguments, it is that of the file;
    /// with URLs or without a file, one that a new file can have. It is nil if arguments select targets of the file.
    func load() throws(StartupError) -> (settings: Settings, document: SettingsDocument?) {
        var (settings, document) = try read(hasDocument: true)
        try chooseServers(in: &settings)
        try checkOptions(with: settings)
        applyOptions(to: &settings)
        return (settings, fleet == nil ? document : nil)
    }

    /// The sources in the settings file.
    func sources() throws(StartupError) -> [DiscoverySource] {
        guard let file = isFirstRun ? located : file else { return [] }
        do throws(SettingsFailure) {
            return try file.readText(environment: environment, mayLackTargets: true).settings.sources
        } catch {
            throw StartupError(lines: error.lines)
        }
    }

    /// - Parameter hasDocument: whether the text for editing is needed.
    private func read(hasDocument: Bool) throws(StartupError) -> (settings: Settings, document: SettingsDocument?) {
        var settings = Settings(targets: [])
        // In the first run, the file may have been written meanwhile.
        if let file = isFirstRun ? located : file {
            do throws(SettingsFailure) {
                let text: String
                (text, settings) = try file.readText(
                    environment: environment,
                    mayLackTargets: mayLack.contains(.targets)
                )
                discover(in: &settings)
                if arguments.isEmpty {
                    return (settings, SettingsDocument(file: file.path, text: text, mode: file.mode))
                }
            } catch {
                throw StartupError(lines: error.lines)
            }
        } else if isFirstRun {
            return withoutFile(DefaultTargets.targets(), hasDocument: hasDocument)
        }

        let chosen = try selection(of: settings)
        if file == nil { return withoutFile(chosen, hasDocument: hasDocument) }
        settings.targets = chosen
        settings.redaction.cover(chosen)
        return (settings, nil)
    }

    /// Settings of these targets, with a text that a new file can have.
    private func withoutFile(
        _ targets: [Target],
        hasDocument: Bool
    ) -> (settings: Settings, document: SettingsDocument?) {
        var settings = Settings(targets: targets)
        settings.redaction.cover(targets)
        if let interval = overrides.interval { settings.setInterval(interval) }
        // A new file could not have the options.
        let text =
            hasDocument
            ? SettingsEditor.text(
                with: overrides.options.applied(to: settings.targets),
                interval: overrides.interval
            ) : nil
        return (settings, text.map { SettingsDocument(file: nil, text: $0) })
    }

    /// The settings file in the usual folders; nil if there is none.
    private var located: SettingsFile? {
        try? SettingsFile.locate(config: nil, environment: environment, currentDirectory: currentDirectory)
    }
}

import Foundation
import ReachMonitoring
import ReachProbing
import ReachSettings

extension TargetSource {
    /// The first settings file without text; nil if there is none.
    var blankFile: String? { path.flatMap { WatchedFiles(path: $0, environment: environment).blankFile } }

    /// Returns the settings for a command that probes nothing; nil without a file in the usual folders if none is given.
    ///
    /// - Throws: ``StartupError`` when a given file is not found, or the file is invalid.
    static func settings(of config: String?) throws(StartupError) -> Settings? {
        try located(config)?.settings()
    }

    /// Returns the source of a command that probes nothing; nil without a file in the usual folders if none is given.
    ///
    /// - Throws: ``StartupError`` when a given file is not found.
    static func located(_ config: String?) throws(StartupError) -> TargetSource? {
        let source = try TargetSource(
            config: config,
            environment: ProcessInfo.processInfo.environment,
            mayLack: config == nil ? [.file, .targets] : [.targets]
        )
        return source.isFirstRun ? nil : source
    }
}

/// The changes of the settings of the file by the command line and the lists of sources.
extension TargetSource {
    /// Keeps only the fleet, if nothing else is shown.
    func chooseServers(in settings: inout Settings) throws(StartupError) {
        guard let fleet else {
            let mayBeEmpty = overrides.hasIntervals || mayLack.contains(.targets) || settings.prometheus.isEmpty
            guard mayBeEmpty || !settings.targets.isEmpty else {
                throw StartupError("\(name): no targets to probe – reach fleet shows those of [[prometheus]]")
            }
            return
        }
        settings.targets = []
        if let servers = fleet.servers { (settings.prometheus, settings.alertmanager) = (servers, fleet.alertmanager) }
        guard settings.prometheus.isEmpty else { return }
        throw StartupError("\(name): no [[prometheus]] – add one, or give the URL of a server")
    }

    /// Makes the targets of the sources' lists again, and selects among them as before.
    ///
    /// - Parameter sources: The sources with new lists; nil for all. The others keep theirs until their reports follow.
    /// - Returns: The settings, and the targets that cannot be made, by source.
    func updated(
        _ settings: Settings,
        with sources: [DiscoverySource]? = nil
    ) -> (settings: Settings, leftOut: [DiscoverySource: Settings.LeftOut]) {
        guard !settings.sources.isEmpty else { return (settings, [:]) }
        var settings = settings
        let leftOut = settings.discover(sources.map(lists.use) ?? lists.useAll())
        if !arguments.isEmpty, let chosen = try? selection(of: settings) {
            settings.targets = chosen
            settings.redaction.cover(chosen)
        }
        applyOptions(to: &settings)
        return (settings, leftOut)
    }

    /// Adds the targets of the sources' lists. Lists in files are read now if they were not before.
    func discover(in settings: inout Settings) {
        lists.readFiles(of: settings.sources)
        _ = settings.discover(lists.useAll())
    }

    /// Adds the modules of the blackbox exporter's file.
    func addModules(to settings: inout Settings) throws(StartupError) {
        guard let blackbox else { return }
        let content: BlackboxFile.Content
        do throws(SettingsFailure) {
            content = try blackbox.content()
        } catch {
            throw StartupError(lines: error.lines)
        }
        for module in content.modules where settings.modules.contains(where: { $0.name == module.name }) {
            throw StartupError("\(blackbox.path): module \"\(module.name)\" is also in \(name) – rename one")
        }
        settings.modules += content.modules
        settings.moduleWarnings = content.warnings.map(\.description)
    }

    /// Checks that the options of the command line are valid for the targets. The methods of a source's targets may not be
    /// known yet.
    func checkOptions(with settings: Settings) throws(StartupError) {
        guard settings.sources.isEmpty else { return }
        var settings = settings
        if let interval = overrides.interval { settings.setInterval(interval) }
        let problems = overrides.options.problems(with: settings.targets, hasIntervals: overrides.hasIntervals)
        guard problems.isEmpty else { throw StartupError(lines: problems) }
    }

    /// Applies the options of the command line, and keeps the targets of the shard.
    func applyOptions(to settings: inout Settings) {
        if let interval = overrides.interval { settings.setInterval(interval) }
        settings.targets = overrides.options.applied(to: settings.targets)
        let servers = LocalServers()
        (settings.sides.gateways, settings.sides.resolvers) = (servers.gateways, servers.resolvers)
        settings.sides.addresses = LocalAddress.all()
        guard let shard = overrides.shard else { return }
        if !overrides.needsParents {
            for index in settings.targets.indices { settings.targets[index].dependsOn = [] }
        }
        settings.keep(shard)
    }
}

extension Settings {
    /// Sets the interval of all targets.
    mutating func setInterval(_ interval: Duration) {
        for index in targets.indices { targets[index].setInterval(interval) }
    }
}

extension Target {
    /// Sets the interval, and the times that are derived from it unless they were set.
    mutating func setInterval(_ new: Duration) {
        let old = Target(name: name, question: question, interval: interval)
        let other = Target(name: name, question: question, interval: new)
        let longest = new * question.method.longestTimeoutInIntervals
        if timeout == old.timeout || timeout > longest { timeout = other.timeout }
        if retryInterval == old.retryInterval || retryInterval > new { retryInterval = other.retryInterval }
        if downInterval == old.downInterval { downInterval = other.downInterval }
        interval = new
    }
}

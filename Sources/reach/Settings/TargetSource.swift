import ReachDashboard
import ReachMonitoring
import ReachSettings

/// The source of the targets: the settings file, URLs of the command line or of standard input, or names on the command line
/// that select targets of the file. The dashboard shows ``FirstTargets`` if there is none.
struct TargetSource: Sendable {
    let arguments: [String]
    /// The targets that the argument `-` stands for. They are read once, so that a reload has them too.
    private let list: TargetList?
    let file: SettingsFile?
    /// The modules besides those of the settings file.
    private let blackbox: BlackboxFile?
    /// Whether there is no settings file, and ``FirstTargets`` are shown instead.
    let isFirstRun: Bool
    /// The interval of all targets; nil leaves them as they are.
    let interval: Duration?
    /// The options of the command line for all targets.
    let options: TargetOptions
    /// Whether targets are probed at their intervals, which limit the timeout of ``options``.
    private let hasIntervals: Bool
    private let currentDirectory: String
    let environment: [String: String]
    /// The command names to suggest for a misspelt argument; empty after a command.
    private let commands: [String]
    /// Whether a settings file without targets is valid.
    private let mayLackTargets: Bool
    /// The share of the targets that this process probes; nil for all.
    let shard: Shard?
    /// Whether targets of other shards are probed too if targets of this one depend on them.
    let needsParents: Bool
    /// The lists of the settings' sources. They are read by ``SourceRefresher`` or ``fetchLists(by:until:)``.
    let lists = SourceLists()

    /// Whether only the fleet is shown, and its servers if they are given on the command line.
    let isFleet: Bool
    private let servers: [PrometheusSettings]?
    private let alertmanager: AlertmanagerSettings?

    /// The servers of the command line; or, if that is nil, those of the settings file, without its targets.
    init(
        servers: [PrometheusSettings]?,
        alertmanager: AlertmanagerSettings? = nil,
        config: String?,
        environment: [String: String],
        currentDirectory: String = "."
    ) throws(StartupError) {
        try self.init(
            arguments: [],
            config: config,
            environment: environment,
            currentDirectory: currentDirectory,
            mayLackTargets: true,
            isFleet: true,
            servers: servers,
            alertmanager: alertmanager
        )
    }

    /// Locates the settings file, if the arguments need one.
    ///
    /// - Parameters:
    ///   - interval: the interval of all targets; nil leaves them as they are.
    ///   - list: the targets of standard input, if an argument stands for them.
    ///   - options: options of the command line for all targets.
    ///   - hasIntervals: whether targets are probed at their intervals, which limit the timeout of `options`.
    ///   - blackbox: a settings file of the blackbox exporter, with modules. With one, no settings file is needed.
    ///   - mayLackFile: whether ``FirstTargets`` are shown if no file is found in the usual folders.
    ///   - mayLackTargets: whether a settings file without targets is valid.
    ///   - shard: the share of the targets that is probed; nil for all.
    ///   - needsParents: whether targets of other shards are probed too if targets of this one depend on them.
    /// - Throws: ``StartupError`` when a file is needed and not found.
    init(
        arguments: [String],
        config: String?,
        interval: Duration? = nil,
        options: TargetOptions = TargetOptions(),
        hasIntervals: Bool = false,
        environment: [String: String],
        currentDirectory: String = ".",
        commands: [String] = [],
        list: TargetList? = nil,
        blackbox: BlackboxFile? = nil,
        mayLackFile: Bool = false,
        mayLackTargets: Bool = false,
        shard: Shard? = nil,
        needsParents: Bool = true,
        isFleet: Bool = false,
        servers: [PrometheusSettings]? = nil,
        alertmanager: AlertmanagerSettings? = nil
    ) throws(StartupError) {
        (self.isFleet, self.servers, self.alertmanager) = (isFleet, servers, alertmanager)
        self.mayLackTargets = mayLackTargets
        self.shard = shard
        self.needsParents = needsParents
        self.blackbox = blackbox
        self.currentDirectory = currentDirectory
        self.interval = interval
        self.options = options
        self.hasIntervals = hasIntervals
        self.arguments = arguments
        self.list = list
        self.commands = commands
        self.environment = environment
        guard arguments.isEmpty && servers == nil || config != nil || arguments.contains(where: { $0.hasPrefix("@") })
        else {
            file = nil
            isFirstRun = false
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
            file = nil
            isFirstRun = false
        } catch .notFound where mayLackFile && arguments.isEmpty {
            file = nil
            isFirstRun = true
        } catch .notFound where isFleet {
            throw StartupError(lines: [
                "no settings file – give the URL of a Prometheus server: reach fleet http://prometheus:9090"
            ])
        } catch {
            throw StartupError(lines: error.lines)
        }
    }

    /// The path of the settings file; nil if the arguments need none.
    var path: String? { file?.path }

    /// The name of the source in the header of the screen.
    var name: String {
        if isFirstRun { return FirstTargets.name }
        if arguments.isEmpty, file == nil, let blackbox { return blackbox.path }
        if let servers { return servers.map(\.name).joined(separator: " ") }
        guard arguments.isEmpty, let file else {
            return arguments.map { $0 == TargetList.argument ? TargetList.source : $0.withoutUserInfo }
                .joined(separator: " ")
        }
        return file.path
    }

    /// The name for the screen, which shows the names of servers anyway.
    var screenName: String { servers == nil ? name : "" }

    /// Reads the settings file and selects the targets. Each reload calls it again.
    ///
    /// - Throws: ``StartupError`` with all problems.
    func settings() throws(StartupError) -> Settings {
        var settings = try read(hasDocument: false).settings
        try chooseServers(in: &settings)
        try applyOptions(to: &settings)
        try addModules(to: &settings)
        return settings
    }

    /// Reads the settings like ``settings()``, and returns their text for editing. Without arguments, it is that of the file;
    /// with URLs or without a file, one that a new file can have. It is nil if arguments select targets of the file.
    func load() throws(StartupError) -> (settings: Settings, document: SettingsDocument?) {
        var (settings, document) = try read(hasDocument: true)
        try chooseServers(in: &settings)
        try applyOptions(to: &settings)
        return (settings, isFleet ? nil : document)
    }

    /// Keeps only the fleet, if nothing else is shown.
    private func chooseServers(in settings: inout Settings) throws(StartupError) {
        guard isFleet else {
            guard hasIntervals || mayLackTargets || !settings.targets.isEmpty || settings.prometheus.isEmpty else {
                throw StartupError(lines: ["\(name): no targets to probe – reach fleet shows those of [[prometheus]]"])
            }
            return
        }
        settings.targets = []
        if let servers { (settings.prometheus, settings.alertmanager) = (servers, alertmanager) }
        guard settings.prometheus.isEmpty else { return }
        throw StartupError(lines: ["\(name): no [[prometheus]] – add one, or give the URL of a server"])
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
        if let interval { settings.setInterval(interval) }
        settings.targets = options.applied(to: settings.targets)
        keepShard(of: &settings)
        return (settings, leftOut)
    }

    /// Adds the targets of the sources' lists. Lists in files are read now if they were not before.
    func discover(in settings: inout Settings) {
        lists.readFiles(of: settings.sources)
        _ = settings.discover(lists.useAll())
    }

    /// Adds the modules of the blackbox exporter's file.
    private func addModules(to settings: inout Settings) throws(StartupError) {
        guard let blackbox else { return }
        let content: BlackboxFile.Content
        do throws(SettingsFailure) {
            content = try blackbox.content()
        } catch {
            throw StartupError(lines: error.lines)
        }
        for module in content.modules where settings.modules.contains(where: { $0.name == module.name }) {
            throw StartupError(lines: ["\(blackbox.path): module \"\(module.name)\" is also in \(name) – rename one"])
        }
        settings.modules += content.modules
        settings.moduleWarnings = content.warnings.map(\.description)
    }

    private func applyOptions(to settings: inout Settings) throws(StartupError) {
        if let interval { settings.setInterval(interval) }
        // The methods of a source's targets may not be known yet.
        if settings.sources.isEmpty {
            let problems = options.problems(with: settings.targets, hasIntervals: hasIntervals)
            guard problems.isEmpty else { throw StartupError(lines: problems) }
        }
        settings.targets = options.applied(to: settings.targets)
        keepShard(of: &settings)
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
                (text, settings) = try file.readText(environment: environment, mayLackTargets: mayLackTargets)
                discover(in: &settings)
                if arguments.isEmpty {
                    return (settings, SettingsDocument(file: file.path, text: text, mode: file.mode))
                }
            } catch {
                throw StartupError(lines: error.lines)
            }
        } else if isFirstRun {
            return withoutFile(FirstTargets.targets(), hasDocument: hasDocument)
        }

        let chosen = try selection(of: settings)
        if file == nil { return withoutFile(chosen, hasDocument: hasDocument) }
        settings.targets = chosen
        settings.redaction.cover(chosen)
        return (settings, nil)
    }

    /// The targets that the arguments select.
    private func selection(of settings: Settings) throws(StartupError) -> [Target] {
        var chosen = Selection()
        var problems: [String] = []
        for argument in arguments {
            do throws(StartupError) {
                let targets = try targets(for: argument, in: settings)
                for target in targets { chosen.add(target) }
            } catch {
                // The list of a source may have the target later.
                if argument.hasPrefix("@"), hasIntervals, !settings.sources.isEmpty { continue }
                problems += error.lines
            }
        }
        guard problems.isEmpty else { throw StartupError(lines: problems) }
        return chosen.targets
    }

    /// Settings of these targets, with a text that a new file can have.
    private func withoutFile(
        _ targets: [Target],
        hasDocument: Bool
    ) -> (settings: Settings, document: SettingsDocument?) {
        var settings = Settings(targets: targets)
        settings.redaction.cover(targets)
        if let interval { settings.setInterval(interval) }
        // A new file could not have the options.
        let text =
            hasDocument ? SettingsEditor.text(with: options.applied(to: settings.targets), interval: interval) : nil
        return (settings, text.map { SettingsDocument(file: nil, text: $0) })
    }

    /// The settings file in the usual folders; nil if there is none.
    private var located: SettingsFile? {
        try? SettingsFile.locate(config: nil, environment: environment, currentDirectory: currentDirectory)
    }

    /// The targets of the arguments.
    private struct Selection {
        private(set) var targets: [Target] = []
        /// The question of each, by label.
        private var questions: [String: Question] = [:]

        /// Adds a target, unless another argument has selected it. Where another method has the same label, the new target is
        /// named by its whole URL, with a number if only hidden parts of the URLs differ.
        mutating func add(_ target: Target) {
            var (target, number) = (target, 1)
            while let other = questions[target.label] {
                guard other != target.question else { return }
                target.name = target.question.url + (number > 1 ? " \(number)" : "")
                number += 1
            }
            questions[target.label] = target.question
            targets.append(target)
        }
    }

    private func targets(for argument: String, in settings: Settings) throws(StartupError) -> [Target] {
        if argument == TargetList.argument, let list { return list.targets }
        if argument.hasPrefix("@group:") {
            return try select("group", argument, in: settings) { $0.group.map { [$0] } ?? [] }
        }
        if argument.hasPrefix("@tag:") {
            return try select("tag", argument, in: settings, by: \.tags)
        }
        if argument.hasPrefix("@") {
            let name = String(argument.dropFirst())
            let named = settings.targets.filter { $0.name == name }
            guard named.isEmpty else { return named }
            guard !settings.disabledTargets.contains(name) else {
                throw StartupError(lines: ["target \"\(name)\" is not enabled – remove its enabled = false"])
            }
            throw unknown("target", name, known: settings.targets.map(\.name), settings.redaction)
        }
        if argument.hasSuffix(".toml"), !argument.contains("://") {
            throw StartupError(lines: ["\"\(argument)\" is a settings file – did you mean --config \(argument)?"])
        }
        if let command = misspeltCommand(argument) {
            let (word, isKnown) = ("\"\(argument)\"", argument == command)
            let fix = isKnown ? " is a command – put it first." : " – did you mean \"\(command)\"?"
            let problem = "\(isKnown ? "" : "unknown command ")\(word)\(fix)"
            throw StartupError(lines: ["\(problem) For a host of this name, use icmp://\(argument)"])
        }
        let question: Question
        do throws(URLProblem) {
            question = try Question(argument)
        } catch {
            throw StartupError(lines: ["\"\(argument.withoutSecretsOfInvalidURL)\": \(error)"])
        }
        guard let title = question.title else {
            throw StartupError(lines: [
                "\"\(argument)\": commands are only allowed in the settings file – select the target by @NAME"
            ])
        }
        return [Target(name: title.withNames(typedIn: argument), question: question)]
    }

    /// Selects the targets with a word, such as `@group:Home`.
    ///
    /// - Parameters:
    ///   - kind: The word's kind, before the colon.
    ///   - words: Returns the words of this kind that a target has.
    private func select(
        _ kind: String,
        _ argument: String,
        in settings: Settings,
        by words: (Target) -> [String]
    ) throws(StartupError) -> [Target] {
        let word = String(argument.dropFirst(kind.count + 2))
        let targets = settings.targets.filter { words($0).contains(word) }
        guard targets.isEmpty else { return targets }
        throw unknown(kind, word, known: Set(settings.targets.flatMap(words)).sorted(), settings.redaction)
    }

    /// The problem with a word that selects nothing. The query of the suggestion is hidden: others see the line of a plugin.
    private func unknown(_ kind: String, _ word: String, known: [String], _ redaction: Redaction) -> StartupError {
        let fix = word.nearest(of: known).map { " – did you mean \"\(redaction.text($0))\"?" } ?? ""
        return StartupError(lines: ["no \(kind) \"\(word)\" in the settings\(fix)"])
    }

    /// The command to suggest for an argument that looks like a misspelt command name.
    private func misspeltCommand(_ argument: String) -> String? {
        guard argument.count > 3, argument.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        return argument.nearest(of: commands)
    }
}

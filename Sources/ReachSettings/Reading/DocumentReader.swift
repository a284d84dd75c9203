import ReachMonitoring

/// Reads the settings from the parsed documents of all files, and reports all problems.
///
/// Targets and hooks can be in any of the files. Any other table can be in any one of them.
struct DocumentReader {
    let log: ProblemLog
    var documents: [TableReader]
    private(set) var defaults: Layer?
    private(set) var templates: [String: SharedSettings] = [:]
    private(set) var groups: [String: SharedSettings] = [:]
    /// The keys that the defaults, groups and targets share.
    private var sharedKeys: [String] = []
    private(set) var hooksForAll: [HookRule] = []
    var dependencies = DependencyCheck()
    /// The groups that have targets.
    var members: Set<String> = []
    /// The keys that define each name.
    var names: [String: SettingsPath] = [:]
    /// The targets with a former name.
    var renamedTargets: [RenamedTarget] = []
    /// The names of the templates that targets use.
    var usedTemplates: Set<String> = []
    /// The names of the targets that are not enabled, in order.
    var disabledTargets: [String] = []
    /// The elements of lists of URLs with a duplicate that was reported.
    var reportedLists: Set<SettingsPath> = []
    /// The number of targets in lists of URLs.
    var listedCount = 0
    /// The largest number of them. More would take minutes to read and gigabytes of memory.
    static let listedLimit = 65_536
    /// The tables of the targets that were read.
    var targetDeclarations: [TargetDeclaration] = []
    /// Whether the groups of a source's targets are known only from its list.
    var hasOpenGroups = false

    /// - Parameter schema: Records the keys.
    init(
        _ documents: [IncludedFiles.Document],
        environment: [String: String],
        log: ProblemLog,
        schema: TableSchema? = nil
    ) {
        self.log = log
        self.documents = documents.map { document in
            TableReader(
                document.values,
                title: "",
                at: SettingsPath(file: document.file),
                substitution: Substitution(
                    environment: environment,
                    directory: log.directory(ofFile: document.file)
                ),
                log: log,
                schema: schema
            )
        }
    }

    /// Reads the settings. They are valid only if the log is empty afterwards.
    mutating func settings(mayLackTargets: Bool) -> Settings {
        // The includes were read before.
        for index in documents.indices {
            documents[index].describe("include", as: .strings)
            _ = documents[index].value("include")
        }
        var settings = Settings(targets: [])
        settings.userThemes = userThemes()
        readProgram(into: &settings)
        readAlerts(into: &settings.alerts)
        readMetrics(into: &settings)
        readHistory(into: &settings)
        readPaths(into: &settings)
        settings.modules = modules()
        readDefaults()
        readTemplates()
        readGroups()
        for index in documents.indices { hooksForAll += documents[index].hooks("hook", header: "[[hook]]") }
        var tables: [TableReader] = []
        for index in documents.indices {
            tables += documents[index].tables("target", header: "[[target]]") { "target \($0): " }
        }
        settings.targets = tables.flatMap { targets($0) }
        checkFormerNames()
        readSources(into: &settings)
        readPrometheus(into: &settings)
        readAlertmanager(into: &settings)
        readMaintenance(into: &settings)
        readSides(into: &settings)
        dependencies.report(to: log)
        if log.isEmpty { warnOfUnusedTables() }
        if !documents.contains(where: { $0.has("prometheus") }), !log.isIncomplete {
            reportNoTargets(tables, settings, isWarning: mayLackTargets)
        }
        settings.disabledTargets = disabledTargets
        for index in settings.targets.indices { removeDisabled(from: &settings.targets[index].dependsOn) }
        if !settings.sources.isEmpty { settings.ownTargets = settings.targets }
        var elsewhere = ["hooks": "[[hook]] is for all targets"]
        for key in sharedKeys { elsewhere[key] = "write it below [defaults], [group.NAME] or [[target]]" }
        for document in documents { document.reportUnknownKeys(elsewhere: elsewhere) }
        settings.redaction = log.redaction
        settings.redaction.cover(settings.targets)
        return settings
    }

    /// Hints for methods that have no table of options with their name.
    static let withoutOptions = [
        "https": "its options are http = { … } and tls = { … }",
        "rediss": "its options are redis = { … } and tls = { … }",
        "mysql": "mysql has no options",
        "link": "link has no options",
        "route": "route has no options",
    ]

    /// All `[[maintenance]]` tables, those of included files too.
    mutating func maintenanceTables() -> [TableReader] {
        documents.indices.flatMap { index in
            documents[index].tables("maintenance", header: "[[maintenance]]") { "maintenance \($0): " }
        }
    }

    private func reportNoTargets(_ tables: [TableReader], _ settings: Settings, isWarning: Bool) {
        // The list of a source may be empty.
        guard !documents.contains(where: { $0.has("source") }) else { return }
        func report(_ message: String, hint: String) {
            if !isWarning {
                log.report(message, hint: hint)
            } else if settings.modules.isEmpty {
                log.warn(message, hint: hint, about: "", at: nil)
            }
        }
        if tables.isEmpty, documents.indices.allSatisfy(hasNoTargets) {
            report("no targets", hint: "add [[target]] and, below it, such as url = \"icmp://192.0.2.1\"")
        } else if settings.targets.isEmpty, log.isEmpty, !disabledTargets.isEmpty {
            report("no target is enabled", hint: "remove enabled = false from one")
        }
    }

    /// Removes dependencies on targets that are not enabled: they have no health.
    private func removeDisabled(from dependencies: inout [Dependency]) {
        dependencies.removeAll {
            if case .target(let name) = $0 { self.dependencies.disabled.contains(name) } else { false }
        }
    }

    /// Whether a document has no targets, and no invalid ones.
    private func hasNoTargets(_ index: Int) -> Bool {
        documents[index].array(at: "target")?.isEmpty ?? !documents[index].has("target")
    }

    private mutating func readSources(into settings: inout Settings) {
        for index in documents.indices {
            let tables = documents[index].tables("source", header: "[[source]]") { "source \($0): " }
            settings.sources += tables.compactMap { source($0) }
        }
    }

    /// Reads a table that only one of the files may have.
    mutating func table(_ key: String, example: String) -> TableReader {
        let tables = documents.indices.map { documents[$0].table(key, example: example) }
        let found = documents.indices.filter { documents[$0].has(key) }
        for index in found.dropFirst() { reportTwice("[\(key)]", tables[found[0]].path, tables[index].path) }
        return tables[found.first ?? 0]
    }

    /// Reports a table that two files have.
    func reportTwice(_ name: String, _ first: SettingsPath, _ second: SettingsPath) {
        guard let place = log.entryLocation(of: first)?.key else { return }
        log.report(
            "\(name) is also \(log.words(for: place, from: second))",
            hint: "join the two",
            at: log.entryLocation(of: second)?.key,
            in: second.file
        )
    }

    /// Reads the tables `[theme.NAME]`. A theme with problems is included, so that its name is not reported as unknown.
    private mutating func userThemes() -> [String: UserTheme] {
        let tables = namedTables(
            "theme",
            example: "[theme.mine]; theme = \"NAME\" belongs below [dashboard]",
            hint: "a theme begins with [theme.NAME]; the theme in use is theme = \"NAME\" below [dashboard]",
            reserved: ThemeChoice.builtIn.map(\.name)
        )
        return tables.reduce(into: [:]) { themes, named in
            var table = named.table
            themes[named.name] = table.userTheme()
        }
    }

    /// Reads the tables of a key that each have a name, as in `[group.NAME]`, from all files, and reports a name that two
    /// files have.
    ///
    /// - Parameters:
    ///   - example: The notation of such a table, for the hint.
    ///   - hint: The hint for a value that is not a table.
    ///   - reserved: The names that the program itself uses.
    mutating func namedTables(
        _ key: String,
        example: String,
        hint: String,
        reserved: [String] = []
    ) -> [(name: String, table: TableReader)] {
        var tables: [(name: String, table: TableReader)] = []
        var paths: [String: SettingsPath] = [:]
        for index in documents.indices {
            var all = documents[index].table(key, example: example)
            for name in all.keys {
                if let problem = TableReader.problem(inName: name) {
                    all.report(problem, about: name.quoted, at: name)
                } else if reserved.contains(name) {
                    all.report("\(name.quoted) is a \(key) of the program", hint: "rename yours", about: name)
                }
                guard let value = all.value(name) else { continue }
                guard case .table(let values) = value else {
                    all.reportType(of: name, found: value, expected: "a table", hint: hint)
                    continue
                }
                let title = "\(key) \(name.quoted)"
                let table = all.reader(of: values, title: "\(title): ", at: all.path.appending(name))
                if let first = paths[name] { reportTwice(title, first, table.path) }
                paths[name] = table.path
                tables.append((name, table))
            }
        }
        return tables
    }

    private mutating func readProgram(into settings: inout Settings) {
        var table = table("dashboard", example: "[dashboard]")
        if let theme = table.theme("theme", userThemes: settings.userThemes.keys.sorted()) { settings.theme = theme }
        if let refresh = table.choice("refresh", of: Refresh.self) { settings.refresh = refresh }
        if let count = table.integer("max_hooks", in: 1...64) { settings.maxHooks = count }
        if let history = table.duration("history", in: .seconds(1)...(.seconds(7 * 86_400))) {
            settings.history = history
        }
        if let columns = table.columns("columns") { settings.columns = columns }
        table.reportUnknownKeys()
    }

    private mutating func readAlerts(into alerts: inout AlertSettings) {
        var table = table("alerts", example: "[alerts]")
        if let bell = table.flag("bell") { alerts.bell = bell }
        if let title = table.flag("title") { alerts.title = title }
        if let notify = table.flag("notify") { alerts.notify = notify }
        table.reportUnknownKeys()
    }

    private mutating func readMetrics(into settings: inout Settings) {
        var table = table("metrics", example: "[metrics]")
        if let buckets = table.buckets("buckets") { settings.buckets = buckets }
        table.reportUnknownKeys()
    }

    private mutating func readPaths(into settings: inout Settings) {
        var table = table("path", example: "[path]")
        settings.paths = table.pathsSettings()
    }

    /// Reads `history = "off"`, or the table `[history]`. Only one of the files may have it.
    private mutating func readHistory(into settings: inout Settings) {
        let found = documents.indices.filter { documents[$0].has("history") }
        for index in found.dropFirst() {
            let paths = [found[0], index].map { documents[$0].path.appending("history") }
            reportTwice("history", paths[0], paths[1])
            _ = documents[index].value("history")
        }
        settings.stored = documents[found.first ?? 0].historySettings()
    }

    /// Reads `[[prometheus]]`. Any group may have targets of the fleet.
    private mutating func readPrometheus(into settings: inout Settings) {
        let groupHooks = groups.mapValues { group in
            group.hooks + (group.template.flatMap { templates[$0]?.hooks } ?? [])
        }
        for index in documents.indices {
            let tables = documents[index].tables("prometheus", header: "[[prometheus]]") { "prometheus \($0): " }
            for var table in tables {
                guard
                    let server = table.prometheus(
                        hooks: hooksForAll,
                        groupHooks: groupHooks.filter { !$0.value.isEmpty }
                    )
                else { continue }
                if settings.prometheus.contains(where: { $0.name == server.name }) {
                    table.report("another server has the name \(server.name.quoted)", hint: "name = \"…\"")
                }
                settings.prometheus.append(server)
            }
        }
        if !settings.prometheus.isEmpty { members.formUnion(groups.keys) }
    }

    private mutating func readAlertmanager(into settings: inout Settings) {
        let isPresent = documents.contains { $0.has("alertmanager") }
        var table = table("alertmanager", example: "[alertmanager]")
        if isPresent || table.isDescribing { settings.alertmanager = table.alertmanager() }
    }

    private mutating func readDefaults() {
        var table = table("defaults", example: "[defaults]")
        defaults = Layer(&table)
        sharedKeys = table.readKeys
        let elsewhere = Self.withoutOptions.merging(["hooks": "[[hook]] is for all targets"]) { first, _ in first }
        table.reportUnknownKeys(elsewhere: elsewhere)
    }

    private mutating func readTemplates() {
        templates = sharedTables("template") { table in
            guard table.has("template") else { return nil }
            _ = table.value("template")
            table.report("a template cannot have another one", hint: "write its keys here", about: "template")
            return nil
        }
    }

    private mutating func readGroups() {
        groups = sharedTables("group") { [templates] table in
            table.template(of: templates)?.name
        }
    }

    /// Reads the tables `[group.NAME]` or `[template.NAME]`.
    ///
    /// - Parameter template: Reads the name of the template of a table.
    private mutating func sharedTables(
        _ key: String,
        template: (inout TableReader) -> String?
    ) -> [String: SharedSettings] {
        let header = "[\(key).NAME]"
        let tables = namedTables(key, example: header, hint: "a \(key) begins with \(header)")
        return tables.reduce(into: [:]) { found, named in
            var (name, table) = named
            let layer = Layer(&table)
            let template = template(&table)
            let hooks = table.hooks("hooks", header: "[[\(key).NAME.hooks]]")
            table.reportUnknownKeys(elsewhere: Self.withoutOptions)
            found[name] = SharedSettings(name: name, layer: layer, hooks: hooks, template: template, path: table.path)
        }
    }

    /// Warns of each group with settings and without targets, and of each template without a use.
    private func warnOfUnusedTables() {
        let used = Set(groups.values.compactMap(\.template)).union(usedTemplates)
        for template in templates.values where !used.contains(template.name) {
            log.warn(
                "nothing uses this template",
                hint: "write template = \(template.name.quoted) below a [[target]], or remove the template",
                about: "template \(template.name.quoted)",
                at: log.entryLocation(of: template.path)?.key
            )
        }
        for name in groups.keys.sorted() where !members.contains(name) && !hasOpenGroups {
            log.warn(
                "no target is in this group",
                hint: "write group = \(name.quoted) below a [[target]], or remove the group",
                about: "group \(name.quoted)",
                at: groups[name].flatMap { log.entryLocation(of: $0.path)?.key }
            )
        }
    }
}

extension TableReader {
    /// Reads `history = "off"`, or the table `[history]`.
    mutating func historySettings() -> HistorySettings {
        var settings = HistorySettings()
        if string(at: "history") != nil {
            if let choice = choice("history", of: HistoryChoice.self) { settings.isOn = choice == .on }
            return settings
        }
        var table = self.table("history", example: "[history], or history = \"off\" above all tables")
        let longest = Duration.seconds(3_650 * 86_400)
        let reason = "the figures of minutes are the source of the others"
        if let events = table.duration("events", in: .seconds(86_400)...longest) { settings.events = events }
        if let minutes = table.duration("minutes", in: .seconds(7_200)...longest, because: reason) {
            settings.minutes = minutes
        }
        if let hours = table.duration("hours", in: .seconds(86_400)...longest) { settings.hours = hours }
        table.reportUnknownKeys(elsewhere: ["file": "the file is always $XDG_STATE_HOME/reach/history.sqlite"])
        schema?.add(.choice(HistoryChoice.allCases.map(\.rawValue)), to: "history")
        return settings
    }
}

/// The values of `history`.
private enum HistoryChoice: String, CaseIterable {
    case on
    case off
}

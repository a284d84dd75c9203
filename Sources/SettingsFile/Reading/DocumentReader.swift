import Monitoring

/// Reads the settings from the parsed documents of all files, and reports all problems.
///
/// Targets and hooks can be in any of the files. Any other table can be in any one of them.
struct DocumentReader {
    private let log: ProblemLog
    private var documents: [TableReader]
    private var defaults: Layer?
    private var groups: [String: (layer: Layer, hooks: [HookRule])] = [:]
    private var groupPaths: [String: SettingsPath] = [:]
    /// The keys that the defaults, groups and targets share.
    private var sharedKeys: [String] = []
    private var hooksForAll: [HookRule] = []
    private var dependencies = DependencyCheck()
    /// The first target of each group.
    private var members: [String: String] = [:]
    /// The keys that define each name.
    private var names: [String: SettingsPath] = [:]
    /// The tables of the targets that were read.
    private(set) var targetTables: [TargetTable] = []

    init(_ documents: [IncludedFiles.Document], environment: [String: String], log: ProblemLog) {
        self.log = log
        self.documents = documents.map { document in
            TableReader(
                document.values,
                title: "",
                at: SettingsPath(file: document.file),
                substitution: Substitution(environment: environment),
                log: log
            )
        }
    }

    /// Reads the settings. They are valid only if the log is empty afterwards.
    mutating func settings(mayLackTargets: Bool) -> Settings {
        // The includes were read before.
        for index in documents.indices { _ = documents[index].value("include") }
        var settings = Settings(targets: [])
        settings.userThemes = userThemes()
        readProgram(into: &settings)
        readAlerts(into: &settings.alerts)
        readMetrics(into: &settings)
        readDefaults()
        readGroups()
        for index in documents.indices { hooksForAll += documents[index].hooks("hook", header: "[[hook]]") }
        var tables: [TableReader] = []
        for index in documents.indices {
            tables += documents[index].tables("target", header: "[[target]]") { "target \($0): " }
        }
        settings.targets = tables.flatMap { targets($0) }
        dependencies.report(to: log)
        if log.isEmpty { warnOfEmptyGroups() }
        if !mayLackTargets, tables.isEmpty, !log.isIncomplete, documents.indices.allSatisfy(hasNoTargets) {
            log.report("no targets", hint: "add [[target]] and, below it, such as url = \"icmp://192.0.2.1\"")
        }
        var elsewhere = ["hooks": "[[hook]] is for all targets"]
        for key in sharedKeys { elsewhere[key] = "write it below [defaults], [group.NAME] or [[target]]" }
        for document in documents { document.reportUnknownKeys(elsewhere: elsewhere) }
        settings.redaction = log.redaction
        settings.redaction.cover(settings.targets)
        return settings
    }

    /// Hints for methods that have no table of options with their name.
    private static let withoutOptions = [
        "https": "its options are http = { … } and tls = { … }",
        "link": "link has no options",
        "route": "route has no options",
    ]

    /// Whether a document has no targets, and no invalid ones.
    private func hasNoTargets(_ index: Int) -> Bool {
        documents[index].array(at: "target")?.isEmpty ?? !documents[index].has("target")
    }

    /// Reads a table that only one of the files may have.
    private mutating func table(_ key: String, example: String) -> TableReader {
        let tables = documents.indices.map { documents[$0].table(key, example: example) }
        let found = documents.indices.filter { documents[$0].has(key) }
        for index in found.dropFirst() { reportTwice("[\(key)]", tables[found[0]].path, tables[index].path) }
        return tables[found.first ?? 0]
    }

    /// Reads the tables of a key that are named by the next key, as in `[group.NAME]`, from all files.
    private mutating func namedTables(_ key: String, example: String) -> [TableReader] {
        documents.indices.map { documents[$0].table(key, example: example) }
    }

    /// Reports a table that two files have.
    private func reportTwice(_ name: String, _ first: SettingsPath, _ second: SettingsPath) {
        guard let place = log.entryLocation(of: first)?.key else { return }
        log.report(
            "\(name) is also \(log.words(for: place, from: second))",
            hint: "join the two",
            at: log.entryLocation(of: second)?.key,
            in: second.file
        )
    }

    private mutating func userThemes() -> [String: UserTheme] {
        var themes: [String: UserTheme] = [:]
        var paths: [String: SettingsPath] = [:]
        for index in documents.indices {
            let path = documents[index].path.appending("theme")
            for (name, theme) in documents[index].userThemes() {
                if let first = paths[name] { reportTwice("theme \(name.quoted)", first, path.appending(name)) }
                paths[name] = path.appending(name)
                themes[name] = theme
            }
        }
        return themes
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
        var table = document.table("metrics", example: "[metrics]")
        if let buckets = table.buckets("buckets") { settings.buckets = buckets }
        table.reportUnknownKeys()
    }

    private mutating func readDefaults() {
        var table = table("defaults", example: "[defaults]")
        defaults = Layer(&table)
        sharedKeys = table.readKeys
        let elsewhere = Self.withoutOptions.merging(["hooks": "[[hook]] is for all targets"]) { first, _ in first }
        table.reportUnknownKeys(elsewhere: elsewhere)
    }

    private mutating func readGroups() {
        var paths: [String: SettingsPath] = [:]
        for var all in namedTables("group", example: "[group.NAME]") {
            for name in all.keys {
                if let problem = TableReader.problem(inName: name) {
                    all.report(problem, about: name.quoted, at: name)
                }
                guard case .table(let values) = all.value(name) else {
                    if let value = all.value(name) {
                        all.reportType(
                            of: name,
                            found: value,
                            expected: "a table",
                            hint: "a group begins with [group.NAME]"
                        )
                    }
                    continue
                }
                var table = all.reader(of: values, title: "group \"\(name)\": ", at: all.path.appending(name))
                let layer = Layer(&table)
                let hooks = table.hooks("hooks", header: "[[group.NAME.hooks]]")
                table.reportUnknownKeys(elsewhere: Self.withoutOptions)
                if let first = paths[name] { reportTwice("group \(name.quoted)", first, table.path) }
                paths[name] = table.path
                groups[name] = (layer, hooks)
            }
        }
        groupPaths = paths
    }

    /// Warns of each group with settings and without targets. Its name may be misspelt, here or in a target.
    private func warnOfEmptyGroups() {
        for name in groups.keys.sorted() where members[name] == nil {
            let others = members.keys.filter { groups[$0] == nil }.sorted()
            let near = name.nearest(of: others)
            let hint = near.map { "did you mean \($0.quoted), the group of target \((members[$0] ?? "").quoted)?" }
            log.warn(
                "no target is in this group",
                hint: hint ?? "write group = \(name.quoted) below a [[target]], or remove the group",
                about: "group \(name.quoted)",
                at: groupPaths[name].flatMap { log.entryLocation(of: $0)?.key }
            )
        }
    }

    /// Reads the targets of one table: one target, or one for each address family.
    private mutating func targets(_ table: TableReader) -> [Target] {
        var table = table
        let name = table.name("name")
        if let name { table.title = "target \"\(name)\": " }
        let question = table.question("url")
        let title = name ?? (table.has("name") ? nil : question?.title)
        if let title {
            table.title = "target \"\(title)\": "
            registerName(title, for: table)
            if let question { redact(title, question, in: table) }
        }

        let layer = Layer(&table)
        let own = TargetDraft([layer])
        let group = table.name("group")
        if let group, members[group] == nil { members[group] = title ?? "" }
        let hooks =
            [table.hookWhenReachable()].compactMap(\.self)
            + table.hooks("hooks", header: "[[target.hooks]]")
        table.reportUnknownKeys(elsewhere: Self.withoutOptions)

        let groupSettings = group.flatMap { groups[$0] }
        let draft = TargetDraft([defaults, groupSettings?.layer, layer].compactMap(\.self))
        let method = question?.method ?? table.string(at: "url").flatMap { Method(ofURL: $0) }
        TargetCheck(table: table, question: question, method: method, own: own, draft: draft).report()
        if title == nil, question != nil, !table.has("name") {
            table.reportMissing("name", hint: "a command needs one, such as name = \"Disk\"")
        }
        let isOwn = own.dependsOn != nil
        let references = (draft.dependsOn ?? []).map { reference in
            var reference = reference
            reference.isOwn = isOwn
            return reference
        }
        guard let question, let title else {
            let name = title ?? table.title
            dependencies.add(name, labels: draft.labels(of: name), dependsOn: references)
            return []
        }
        let targets = draft.targets(
            name: title,
            question: question,
            group: group,
            hooks: hooks + (groupSettings?.hooks ?? []) + hooksForAll
        )
        for target in targets where target.probesBothFamilies { registerName(target.label, for: table) }
        dependencies.add(title, labels: targets.map(\.label), dependsOn: references)
        let file = table.path.file
        targetTables.append(
            TargetTable(file: log.name(ofFile: file), isInFirstFile: file == 0, names: [title])
        )
        return targets
    }

    /// Registers how the name, URL and group of a target are shown if they contain environment variables.
    private func redact(_ name: String, _ question: Question, in table: TableReader) {
        if let template = table.template("name") { log.redaction.note(name: name, as: template) }
        if let group = table.string(at: "group"), let template = table.template("group"),
            let value = try? table.substitution(group)
        {
            log.redaction.note(group: value, as: template)
        }
        guard let template = table.template("url"), let text = table.string(at: "url"),
            let value = try? table.substitution(text)
        else { return }
        let cut = question.method == .dns ? template : template.withoutQuery.withoutURLSecrets
        let hasScheme = value.contains("://") || question.method == .link
        log.redaction.note(urlOf: name, as: hasScheme ? cut : "\(question.method.rawValue)://\(cut)")
        guard !table.has("name") else { return }
        let title = cut.firstRange(of: "://").map { cut[$0.upperBound...] } ?? cut[...]
        log.redaction.note(name: name, as: String(title))
    }

    /// Registers the name of a target, or reports it if another target has the same name.
    private mutating func registerName(_ name: String, for table: TableReader) {
        let key = table.has("name") ? "name" : "url"
        guard let existing = names[name] else {
            names[name] = table.path.appending(key)
            return
        }
        let other =
            log.entryLocation(of: existing).map { "also the target \(log.words(for: $0.value, from: table.path))" }
            ?? "also another target"
        let line = table.location(of: key).map { "the one on line \($0.line)" } ?? "this one"
        table.report("duplicate name, \(other)", hint: "rename \(line)", about: "name", at: key)
    }
}

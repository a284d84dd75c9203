import Monitoring

/// Makes settings of a document that is sound TOML, and reports all that stands in the way.
struct DocumentReader {
    private let log: ProblemLog
    private var document: TableReader
    private var defaults: Layer?
    private var groups: [String: (layer: Layer, hooks: [HookRule])] = [:]
    private var hooksForAll: [HookRule] = []
    /// The lines that names are taken on; absent where the line is not known.
    private var names: [String: Int?] = [:]

    init(_ document: [String: Value], environment: [String: String], log: ProblemLog) {
        self.log = log
        self.document = TableReader(
            document,
            title: "",
            substitution: Substitution(environment: environment),
            log: log
        )
    }

    /// The settings, which are sound only if the log is empty afterwards.
    mutating func settings() -> Settings {
        var settings = Settings(targets: [])
        readProgram(into: &settings)
        readDefaults()
        readGroups()
        hooksForAll = document.hooks("hook", header: "[[hook]]")
        let tables = document.tables("target", header: "[[target]]") { "target \($0): " }
        settings.targets = tables.compactMap { target($0) }
        if tables.isEmpty, !document.has("target") || isEmptyArray("target") {
            log.report("no targets", hint: "add [[target]] and, below it, such as url = \"icmp://192.0.2.1\"")
        }
        var elsewhere = ["hooks": "[[hook]] is for all targets"]
        for key in Self.sharedKeys { elsewhere[key] = "write it below [defaults], [group.NAME] or [[target]]" }
        document.finish(unsupported: Unsupported.targetKeys, elsewhere: elsewhere)
        return settings
    }

    private static let sharedKeys = [
        "interval", "timeout", "retry_interval", "rise", "fall", "slow", "lossy", "spread", "icmp", "tcp",
    ]

    private mutating func isEmptyArray(_ key: String) -> Bool {
        if case .array(let elements) = document.value(key) { elements.isEmpty } else { false }
    }

    private mutating func readProgram(into settings: inout Settings) {
        var table = document.table("dashboard", such: "[dashboard]")
        if let theme = table.choice("theme", of: ThemeChoice.self) { settings.theme = theme }
        if let count = table.integer("max_hooks", in: 1...64) { settings.maxHooks = count }
        if let history = table.duration("history", in: .seconds(1)...(.seconds(7 * 86_400))) {
            settings.history = history
        }
        table.finish()
    }

    private mutating func readDefaults() {
        var table = document.table("defaults", such: "[defaults]")
        defaults = Layer(&table)
        table.finish(unsupported: Unsupported.targetKeys, elsewhere: ["hooks": "[[hook]] is for all targets"])
    }

    private mutating func readGroups() {
        var all = document.table("group", such: "[group.NAME]")
        for name in all.keys {
            if let fault = TableReader.fault(ofName: name) {
                all.report(fault, about: name.quoted, at: name)
            }
            guard case .table(let values) = all.value(name) else {
                if let value = all.value(name) {
                    all.report(name, is: value, insteadOf: "a table", hint: "a group begins with [group.NAME]")
                }
                continue
            }
            var table = all.reader(of: values, title: "group \"\(name)\": ", at: all.path.appending(name))
            let layer = Layer(&table)
            let hooks = table.hooks("hooks", header: "[[group.NAME.hooks]]")
            table.finish(unsupported: Unsupported.targetKeys)
            groups[name] = (layer, hooks)
        }
    }

    private mutating func target(_ table: TableReader) -> Target? {
        var table = table
        let name = table.name("name")
        if let name { table.title = "target \"\(name)\": " }
        let question = table.question("url")
        let title = name ?? (table.has("name") ? nil : question?.authority)
        if let title {
            table.title = "target \"\(title)\": "
            claim(title, for: table)
        }

        let own = Layer(&table)
        let group = table.name("group")
        let hooks =
            [table.hookWhenReachable()].compactMap(\.self)
            + table.hooks("hooks", header: "[[target.hooks]]")
        table.finish(unsupported: Unsupported.targetKeys)

        guard let title, let question else { return nil }
        reportUselessOptions(of: table, for: question.method)
        let home = group.flatMap { groups[$0] }
        reportTimeout(under: [own, home?.layer, defaults].compactMap(\.self), for: question.method, of: table)
        return own.over(home?.layer).over(defaults).target(
            name: title,
            question: question,
            group: group,
            hooks: hooks + (home?.hooks ?? []) + hooksForAll
        )
    }

    /// Reports a name that another target has.
    private mutating func claim(_ name: String, for table: TableReader) {
        let key = table.has("name") ? "name" : "url"
        guard let taken = names[name] else {
            names[name] = .some(table.location(of: key)?.line)
            return
        }
        let other = taken.map { "the target on line \($0)" } ?? "another target"
        let line = table.location(of: key).map { "line \($0.line)" } ?? "this one"
        table.report(
            "\(other) has this name too",
            hint: "give the one on \(line) a name of its own",
            about: "name",
            at: key
        )
    }

    /// Reports options of a method that the target is not asked by. In a group or the defaults they wait for others.
    private func reportUselessOptions(of table: TableReader, for method: Method) {
        for other in Method.allCases where other != method && table.has(other.rawValue) {
            table.report(
                "options of \(other.rawValue) for a target that is asked by \(method.rawValue)",
                hint: "remove them",
                about: other.rawValue
            )
        }
    }

    /// Reports a timeout that is too long for the interval, at the key that is nearest to the target.
    private func reportTimeout(under layers: [Layer], for method: Method, of table: TableReader) {
        guard !layers.contains(where: \.isTimingBroken) else { return }
        let interval = layers.lazy.compactMap(\.interval).first?.duration ?? method.defaultInterval
        guard let timeout = layers.lazy.compactMap(\.timeout).first?.duration else { return }
        let longest = Layer.longestTimeout(of: method, interval: interval)
        guard timeout > longest else { return }
        let nearest = layers.lazy.compactMap { $0.timeout ?? $0.interval }.first?.location
        let limit =
            method.longestTimeoutInIntervals == 1
            ? "the interval" : "\(method.longestTimeoutInIntervals) intervals"
        log.report(
            "\(timeout.settingsText) is longer than \(limit) of \(interval.settingsText)",
            hint: "at most \"\(longest.settingsText)\", or a longer interval",
            about: table.title + "timeout",
            at: nearest
        )
    }
}

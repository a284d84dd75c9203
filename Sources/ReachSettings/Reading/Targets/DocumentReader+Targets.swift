import ReachMonitoring

/// Reads the tables of targets.
extension DocumentReader {
    /// A target of a table.
    private struct Row {
        let name: String
        let question: Question
    }

    /// Reads the targets of one table: one for each URL, and of these one for each address family.
    mutating func targets(_ table: TableReader) -> [Target] {
        var table = table
        let name = table.name("name")
        if let name { table.title = "target \"\(name)\": " }
        let hasList = table.has("urls")
        let question = hasList ? nil : table.question("url")
        let typed = typedURL(of: table)
        let title = hasList ? nil : name ?? (table.has("name") ? nil : question?.title?.withNames(typedIn: typed))
        if name == nil, let title, isTooLong(title) {
            reportTooLong(title, of: table, about: "url", hint: "add a shorter one, such as name = \"Shop\"")
        }
        if let title {
            let shown = name ?? question?.publicTitle?.withNames(typedIn: typed) ?? title
            table.title = "target \"\(shown)\": "
            registerName(title, shown: shown, for: table, at: table.path.appending(table.has("name") ? "name" : "url"))
            if let question {
                log.redaction.register(secretsOf: question)
                redact(title, question, in: table)
            }
        }
        table.schema?.requireOne(of: ["url", "urls"])
        let listed = listedRows(of: &table, name: name)

        let layer = Layer(&table)
        let own = TargetDraft([layer])
        let template = table.template(of: templates)
        if let template { usedTemplates.insert(template.name) }
        let formerly = table.name("formerly")
        if formerly != nil, hasList {
            table.report("applies to one target only", hint: "remove it", about: "formerly")
        }
        if let formerly, let title {
            renamedTargets.append(RenamedTarget(formerly: formerly, name: title, url: question?.url, table: table))
        }
        let group = table.group(of: groups)
        if let group { members.insert(group) }
        let hooks =
            [table.hookWhenReachable()].compactMap(\.self)
            + table.hooks("hooks", header: "[[target.hooks]]")
        table.reportUnknownKeys(elsewhere: Self.withoutOptions)

        let groupSettings = group.flatMap { groups[$0] }
        let groupTemplate = groupSettings?.template.flatMap { templates[$0] }
        let layers = [defaults, groupTemplate?.layer, groupSettings?.layer, template?.layer, layer]
        var draft = TargetDraft(layers.compactMap(\.self))
        // An unknown template may have set the other one.
        if table.has("template"), template == nil, own.interval == nil || own.timeout == nil {
            draft.hasInvalidInterval = true
        }
        check(table, question, listed, own: own, draft: draft)
        if title == nil, question != nil, !table.has("name") {
            table.reportMissing("name", hint: "a command needs one, such as name = \"Disk\"")
        }
        let isOwn = own.dependsOn != nil
        let references = (draft.dependsOn ?? []).map { reference in
            var reference = reference
            reference.isOwn = isOwn
            return reference
        }
        let isEnabled = draft.isEnabled ?? true
        var rows = listed
        if let question, let title { rows.append(Row(name: title, question: question)) }
        guard !rows.isEmpty else {
            let known = title ?? name ?? table.title
            dependencies.add(known, labels: draft.labels(of: known), dependsOn: references, isEnabled: isEnabled)
            return []
        }
        let shared = [template, groupSettings, groupTemplate].compactMap(\.self)
        let allHooks = hooks + shared.flatMap(\.hooks) + hooksForAll
        var all: [Target] = []
        for row in rows {
            var targets = draft.targets(name: row.name, question: row.question, group: group, hooks: allHooks)
            for index in targets.indices { targets[index].formerly = formerly }
            for target in targets where target.probesBothFamilies {
                registerName(target.label, for: table, at: table.path.appending(table.has("name") ? "name" : "url"))
            }
            dependencies.add(row.name, labels: targets.map(\.label), dependsOn: references, isEnabled: isEnabled)
            all += targets
        }
        let file = table.path.file
        targetDeclarations.append(
            TargetDeclaration(
                file: log.name(ofFile: file),
                isInFirstFile: file == 0,
                hasList: hasList,
                names: Set(rows.map(\.name))
            )
        )
        guard isEnabled else {
            disabledTargets += rows.map(\.name)
            return []
        }
        return all
    }

    /// Reads the list of URLs, and names a target for each: with a name, `{}` in it is the host; without `{}`, the host
    /// follows the name.
    private mutating func listedRows(of table: inout TableReader, name: String?) -> [Row] {
        guard listedCount <= Self.listedLimit else {
            _ = table.value("urls")
            return []
        }
        let hasURL = table.has("url")
        let questions = table.questions("urls")
        if hasURL, table.has("urls") {
            table.report("cannot be combined with url", hint: "add the URL to the list", about: "urls")
            _ = table.value("url")
        }
        listedCount += questions.count
        if listedCount > Self.listedLimit {
            table.report("more than \(Self.listedLimit) targets in lists", hint: "narrower ranges", about: "urls")
        }
        return questions.map { question, url, element in
            let title = question.title?.withNames(typedIn: url) ?? ""
            func named(_ title: String, by name: String?) -> String {
                guard let name else { return title }
                return name.contains("{}") ? name.replacing("{}", with: title) : "\(name) \(title)"
            }
            let rowName = named(title, by: name)
            log.redaction.register(secretsOf: question)
            let shown = named(question.publicTitle?.withNames(typedIn: url) ?? title, by: name)
            // One line is enough for a list.
            if isTooLong(rowName), reportedLists.insert(table.path).inserted {
                let hint = name == nil ? "write url, with a shorter name" : "a shorter name"
                reportTooLong(rowName, of: table, about: "urls", at: element.path, hint: hint)
            }
            registerName(rowName, shown: shown, for: table, at: element.path)
            if let template = element.template {
                let url = publicURL(template, of: question, value: element.text)
                log.redaction.register(urlOf: rowName, as: url)
                let nameTemplate = table.template("name") ?? name
                log.redaction.register(name: rowName, as: named(url.withoutScheme, by: nameTemplate))
            } else if let nameTemplate = table.template("name") {
                log.redaction.register(name: rowName, as: named(title, by: nameTemplate))
            }
            redactGroup(in: table)
            return Row(name: rowName, question: question)
        }
    }

    /// The URL of a table with its variables; empty if it has only ASCII characters.
    private func typedURL(of table: TableReader) -> String {
        guard let text = table.string(at: "url"), text.contains("${") || !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return ""
        }
        return (try? table.substitution(text)) ?? ""
    }

    private func isTooLong(_ name: String) -> Bool { name.utf8.count > Target.maxNameLength }

    /// Reports a name that is too long, and is not written as such.
    private func reportTooLong(
        _ name: String,
        of table: TableReader,
        about key: String,
        at path: SettingsPath? = nil,
        hint: String
    ) {
        let message = "the name from the URL has \(name.utf8.count) bytes, at most \(Target.maxNameLength) are allowed"
        let location = log.entryLocation(of: path ?? table.path.appending(key))?.value
        log.report(message, hint: hint, about: table.title + key, at: location)
    }

    /// Checks the table of one target, or of a list with the first URL of each method.
    private func check(
        _ table: TableReader,
        _ question: Question?,
        _ listed: [Row],
        own: TargetDraft,
        draft: TargetDraft
    ) {
        guard !listed.isEmpty else {
            let method = question?.method ?? table.string(at: "url").flatMap { Method(ofURL: $0) }
            return TargetCheck(table: table, question: question, method: method, own: own, draft: draft).report()
        }
        var methods: Set<Method> = []
        for row in listed where methods.insert(row.question.method).inserted {
            let check = TargetCheck(
                table: table,
                count: listed.count { $0.question.method == row.question.method },
                question: row.question,
                method: row.question.method,
                own: own,
                draft: draft
            )
            check.report()
        }
    }

    /// Registers how the name, URL and group of a target are shown if they contain environment variables.
    private func redact(_ name: String, _ question: Question, in table: TableReader) {
        if let template = table.template("name") { log.redaction.register(name: name, as: template) }
        redactGroup(in: table)
        guard let template = table.template("url"), let text = table.string(at: "url"),
            let value = try? table.substitution(text)
        else { return }
        let url = publicURL(template, of: question, value: value)
        log.redaction.register(urlOf: name, as: url)
        guard !table.has("name") else { return }
        let cut = question.method == .dns ? template : template.withoutQuery.withoutURLSecrets
        log.redaction.register(name: name, as: cut.withoutScheme)
    }

    private func redactGroup(in table: TableReader) {
        if let group = table.string(at: "group"), let template = table.template("group"),
            let value = try? table.substitution(group)
        {
            log.redaction.register(group: value, as: template)
        }
    }

    /// The URL of a target as it is shown in output.
    ///
    /// - Parameters:
    ///   - template: The text in the settings with the names of its variables.
    ///   - value: The text with their values.
    private func publicURL(_ template: String, of question: Question, value: String) -> String {
        let cut = question.method == .dns ? template : template.withoutQuery.withoutURLSecrets
        let hasScheme = value.contains("://") || question.method == .link
        return hasScheme ? cut : "\(question.method.rawValue)://\(cut)"
    }

    /// Registers the name of a target, or reports it if another target has the same name.
    ///
    /// - Parameters:
    ///   - shown: The name in messages.
    ///   - path: The name or URL that it is from.
    private mutating func registerName(
        _ name: String,
        shown: String? = nil,
        for table: TableReader,
        at path: SettingsPath
    ) {
        guard let existing = names[name] else {
            names[name] = path
            return
        }
        let other =
            log.entryLocation(of: existing).map { "also the target \(log.words(for: $0.value, from: table.path))" }
            ?? "also another target"
        let location = log.entryLocation(of: path)?.value
        guard !table.has("urls") else {
            // One line is enough for ranges that overlap.
            guard reportedLists.insert(path).inserted else { return }
            let key = table.title + "urls"
            let message = "duplicate name \((shown ?? name).quoted), \(other)"
            return log.report(message, hint: "remove one of the two", about: key, at: location)
        }
        let line = location.map { "the one on line \($0.line)" } ?? "this one"
        log.report("duplicate name, \(other)", hint: "rename \(line)", about: table.title + "name", at: location)
    }

    /// Reports former names that do not identify the history of a target.
    ///
    /// The name of another target does, if that one was renamed too, as where two targets swap their names. The history
    /// knows targets by name and URL, so their URLs must differ.
    func checkFormerNames() {
        let urls = Dictionary(renamedTargets.map { ($0.name, $0.url) }) { first, _ in first }
        var first: [String: String] = [:]
        for target in renamedTargets {
            let (formerly, name, table) = (target.formerly, target.name, target.table)
            let hasMoved = urls[formerly].map { $0 != target.url } ?? false
            if formerly == name {
                table.report("the present name", hint: "write the name before, or remove it", about: "formerly")
            } else if names[formerly] != nil, !hasMoved {
                let hint = "remove it, or rename that target"
                table.report("\(formerly.quoted) is the name of another target", hint: hint, about: "formerly")
            } else if let other = first[formerly] {
                let problem = "\(formerly.quoted) is also that of the target \(other.quoted)"
                table.report(problem, hint: "remove one of the two", about: "formerly")
            }
            first[formerly] = first[formerly] ?? name
        }
    }
}

extension String {
    /// The text after `://`; all of it if there is none.
    fileprivate var withoutScheme: String {
        firstRange(of: "://").map { String(self[$0.upperBound...]) } ?? self
    }
}

/// The table of a target, for the editor.
struct TargetDeclaration: Sendable {
    /// The path of the file that has the table.
    let file: String
    /// Whether it is the first file, which the others are included by.
    let isInFirstFile: Bool
    /// Whether the table has a list of URLs.
    let hasList: Bool
    /// The names of its targets: one, or one for each URL.
    let names: Set<String>
}

/// A target with a former name.
struct RenamedTarget {
    /// The former name.
    let formerly: String
    let name: String
    /// The URL; nil if it is invalid.
    let url: String?
    let table: TableReader
}

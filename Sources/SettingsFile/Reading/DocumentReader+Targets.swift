import Monitoring

/// Reads the tables of targets.
extension DocumentReader {
    /// Reads the targets of one table: one target, or one for each address family.
    mutating func targets(_ table: TableReader) -> [Target] {
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
        let template = table.template(of: templates)
        if let template { usedTemplates.insert(template.name) }
        let group = table.group(of: groups)
        if let group, members[group] == nil { members[group] = title ?? "" }
        let hooks =
            [table.hookWhenReachable()].compactMap(\.self)
            + table.hooks("hooks", header: "[[target.hooks]]")
        table.reportUnknownKeys(elsewhere: Self.withoutOptions)

        let groupSettings = group.flatMap { groups[$0] }
        let groupTemplate = groupSettings?.template.flatMap { templates[$0] }
        let layers = [defaults, groupTemplate?.layer, groupSettings?.layer, template?.layer, layer]
        let draft = TargetDraft(layers.compactMap(\.self))
        let shared = [template, groupSettings, groupTemplate].compactMap(\.self)
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
            let labels = draft.labels(of: name)
            dependencies.add(name, labels: labels, dependsOn: references, isEnabled: draft.isEnabled ?? true)
            return []
        }
        let targets = draft.targets(
            name: title,
            question: question,
            group: group,
            hooks: hooks + shared.flatMap(\.hooks) + hooksForAll
        )
        for target in targets where target.probesBothFamilies { registerName(target.label, for: table) }
        let isEnabled = draft.isEnabled ?? true
        dependencies.add(title, labels: targets.map(\.label), dependsOn: references, isEnabled: isEnabled)
        let file = table.path.file
        targetTables.append(
            TargetTable(file: log.name(ofFile: file), isInFirstFile: file == 0, names: [title])
        )
        guard isEnabled else {
            disabledTargets.append(title)
            return []
        }
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

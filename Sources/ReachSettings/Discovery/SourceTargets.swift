import ReachMonitoring

/// Makes the targets of a source: the keys of its table, its groups and templates, filled with the labels of each target.
struct SourceTargets: Sendable {
    /// The largest number of tags from labels.
    private static let tagLimit = 32
    /// The label that is the group by default.
    private static let jobLabel = "job"

    let defaults: Layer?
    let groups: [String: SharedSettings]
    let templates: [String: SharedSettings]
    /// The template of the source.
    let template: SharedSettings?
    /// The keys of the source.
    let layer: Layer
    /// The hooks of the source, and of all targets.
    let hooks: [HookRule]
    let hooksForAll: [HookRule]
    let url: LabelTemplate?
    let name: LabelTemplate?
    let group: LabelTemplate?
    let tags: [LabelTemplate]

    /// Makes the targets of an entry of the list: two if both families are probed, and none if it is not enabled.
    func targets(of target: DiscoveredTarget) throws(DiscoveryProblem) -> [Target] {
        let text = if let url { try Self.filled(url, target) } else { try Self.url(of: target) }
        let question = try Self.question(text)
        guard let title = question.title?.withNames(typedIn: text) else {
            throw DiscoveryProblem("commands are only allowed in the settings file")
        }
        let name = try Self.checked(
            try name.map { name throws(DiscoveryProblem) in try Self.filled(name, target) } ?? title
        )
        let group = try groupName(of: target)
        let groupSettings = group.flatMap { groups[$0] }
        let groupTemplate = groupSettings?.template.flatMap { templates[$0] }
        let layers = [defaults, groupTemplate?.layer, groupSettings?.layer, template?.layer, layer]
        var draft = TargetDraft(layers.compactMap(\.self))
        guard draft.isEnabled ?? true else { return [] }
        draft.add(tagNames(of: target))
        let shared = [template, groupSettings, groupTemplate].compactMap(\.self)
        let allHooks = hooks + shared.flatMap(\.hooks) + hooksForAll
        let targets = draft.targets(name: name, question: question, group: group, hooks: allHooks)
        let longest = question.method.longestTimeoutInIntervals
        if let target = targets.first, target.timeout > target.interval * longest {
            let (timeout, interval) = (target.timeout.settingsNotation, target.interval.settingsNotation)
            throw DiscoveryProblem("the timeout of \(timeout) is too long for the interval of \(interval)")
        }
        return targets
    }

    /// The address of a target, with the method of its module of blackbox_exporter. A module that checks more than the method
    /// does needs options, which a list cannot have.
    private static func url(of target: DiscoveredTarget) throws(DiscoveryProblem) -> String {
        let address = target.address
        guard let module = target["__param_module"], !address.contains("://") else { return address }
        guard let probe = NamedModule(ofModule: module), probe.options.isEmpty, probe.difference == nil else {
            let shown = address.withoutSecretsOfInvalidURL.onOneLine.quoted
            throw DiscoveryProblem("\(shown): its module \(module.onOneLine.quoted) is not read – set url")
        }
        return probe.url(of: address)
    }

    private static func question(_ text: String) throws(DiscoveryProblem) -> Question {
        do throws(URLProblem) {
            return try Question(text)
        } catch {
            let shown = text.withoutSecretsOfInvalidURL.onOneLine.quoted
            throw DiscoveryProblem("\(shown): \(error.description.onOneLine)")
        }
    }

    private func groupName(of target: DiscoveredTarget) throws(DiscoveryProblem) -> String? {
        let text = if let group { try? group.filled(from: target) } else { target[Self.jobLabel] }
        guard let text, !text.isEmpty else { return nil }
        return try Self.checked(text)
    }

    /// The tags. Characters that a tag cannot have become hyphens.
    private func tagNames(of target: DiscoveredTarget) -> [String] {
        let texts = tags.compactMap { try? $0.filled(from: target) }
        let names = texts.map { text in
            String(text.prefix(64).map { String($0).isTag ? $0 : "-" })
        }
        return Array(names.filter { !$0.isEmpty }.prefix(Self.tagLimit))
    }

    private static func filled(
        _ template: LabelTemplate,
        _ target: DiscoveredTarget
    ) throws(DiscoveryProblem) -> String {
        do throws(LabelTemplate.MissingLabel) {
            return try template.filled(from: target)
        } catch {
            throw DiscoveryProblem("no label \(error.name) – ${label:\(error.name):-fallback} has a value without it")
        }
    }

    /// Returns a name of a target or a group, if it is valid.
    private static func checked(_ name: String) throws(DiscoveryProblem) -> String {
        if let problem = TableReader.problem(inName: name) { throw DiscoveryProblem(problem) }
        return name
    }
}

/// Reads the tables of sources.
extension DocumentReader {
    /// Hints for keys of targets that a source does not have.
    private static let optionHints = Dictionary(
        uniqueKeysWithValues: Method.allOptionTables.map {
            ($0, "options of methods are in a template: template = \"NAME\", and [template.NAME] with them")
        }
    ).merging([
        "urls": "the targets are those of the list", "formerly": "applies to a [[target]] only",
    ]) { first, _ in first }

    /// Reads the table of a source; nil if it is invalid, or not enabled.
    mutating func source(_ table: TableReader) -> DiscoverySource? {
        var table = table
        let kind = table.sourceKind()
        if let kind { table.title = "source \(kind.name.quoted): " }
        let longest = Duration.seconds(86_400)
        let refresh = table.duration("refresh", in: .seconds(1)...longest) ?? kind?.refresh ?? longest
        let defaultTimeout = min(.seconds(10), refresh)
        let timeout = table.duration("refresh_timeout", in: .milliseconds(1)...refresh) ?? defaultTimeout
        let headers = table.sourceHeaders(for: kind)

        let (url, name, group) = (
            table.labelTemplate("url"), table.labelTemplate("name"), table.labelTemplate("group")
        )
        if table.has("url"), url?.hasLabels == false {
            table.report(
                "no label in the URL: all targets would be the same",
                hint: "such as \"https://${label:__address__}/health\"",
                about: "url"
            )
        }
        let tags = table.tagTemplates("tags")
        let layer = Layer(ofSource: &table)
        let template = table.template(of: templates)
        let hooks =
            [table.hookWhenReachable()].compactMap(\.self) + table.hooks("hooks", header: "[[source.hooks]]")
        table.reportUnknownKeys(elsewhere: Self.optionHints)

        if let template { usedTemplates.insert(template.name) }
        if let group, !group.hasLabels, let name = try? group.filled(from: DiscoveredTarget([:])) {
            members.insert(name)
        } else {
            hasOpenGroups = true
        }
        let own = TargetDraft([layer])
        checkDependencies(own.dependsOn ?? [], of: table)
        guard let kind, own.isEnabled ?? true else { return nil }
        let made = SourceTargets(
            defaults: defaults,
            groups: groups,
            templates: templates,
            template: template,
            layer: layer,
            hooks: hooks,
            hooksForAll: hooksForAll,
            url: url,
            name: name,
            group: group,
            tags: tags
        )
        var source = DiscoverySource(kind.withHeaders(headers.texts), refresh: refresh, timeout: timeout) {
            target throws(DiscoveryProblem) in try made.targets(of: target)
        }
        source.headers = headers.read
        return source
    }

    /// Checks that the dependencies of a source's targets exist.
    private mutating func checkDependencies(_ references: [DependencyReference], of table: TableReader) {
        guard !references.isEmpty else { return }
        // A name that no target can have, so that none depends on it.
        dependencies.add("\u{0}\(table.title)", labels: [], dependsOn: references)
    }
}

extension DiscoverySource.Kind {
    /// The default interval of refreshes. Files are read only if they have changed; DNS records are requested again when they
    /// expire.
    fileprivate var refresh: Duration {
        switch self {
        case .files: .seconds(5)
        case .http, .command, .prometheus: .seconds(60)
        case .services: .seconds(300)
        }
    }

    fileprivate func withHeaders(_ texts: [String]) -> Self {
        switch self {
        case .http(var request):
            request.headerTexts = texts
            return .http(request)
        case .prometheus(var request):
            request.headerTexts = texts
            return .prometheus(request)
        case .files, .command, .services:
            return self
        }
    }
}

import Monitoring

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

    /// Checks that the targets exist which those of a source depend on.
    private mutating func checkDependencies(_ references: [DependencyReference], of table: TableReader) {
        guard !references.isEmpty else { return }
        // No target has this name, so that none can depend on it.
        dependencies.add("\u{0}\(table.title)", labels: [], dependsOn: references)
    }
}

extension DiscoverySource.Kind {
    /// The default interval of refreshes. Files are only looked at; records are asked for again when they expire.
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

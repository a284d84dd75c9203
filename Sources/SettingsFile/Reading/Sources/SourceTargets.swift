import Monitoring

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

    /// Makes the targets of one target of the list: two if both families are probed, and none if it is not enabled.
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
        guard let probe = BlackboxProbe(ofModule: module), probe.options.isEmpty, probe.difference == nil else {
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

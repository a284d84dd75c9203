import ReachMonitoring
import ReachScreen

/// The target's settings in the syntax of the settings file, including defaults; and its hooks, a line each.
struct SettingsPart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Settings"
    private var appearance: Appearance { context.appearance }

    func lines(width: Int) -> [[Segment]] {
        let target = state.target
        let thresholds = target.thresholds
        let values: [(key: String, value: String?)] = [
            ("interval", duration(target.interval)), ("timeout", duration(target.timeout)),
            ("retry_interval", duration(target.retryInterval)),
            ("down_interval", duration(target.downInterval)), ("rise", "\(thresholds.rise)"),
            ("fall", "\(thresholds.fall)"), ("slow", thresholds.slow.map(duration)),
            ("lossy", thresholds.lossy.map { "\($0)" }), ("flapping", target.mayFlap ? nil : "false"),
            ("spread", "\(target.spread)"),
            ("family", target.probesBothFamilies ? "both".quoted : target.family.rawValue.quoted),
            ("addresses", target.addresses == .any ? nil : "each".quoted),
            ("source", target.source.map(\.quoted)),
            ("depends_on", target.dependsOn.isEmpty ? nil : list(target.dependsOn.map(\.settingsName))),
        ]
        let fleet: [(key: String, value: String?)]? =
            if case .fleet(let question) = target.question {
                [
                    ("quorum", question.quorum.settingsText.quoted), ("stale_after", duration(question.staleAfter)),
                    ("rise", "\(thresholds.rise)"), ("fall", "\(thresholds.fall)"),
                    ("slow", thresholds.slow.map(duration)),
                ]
            } else {
                nil
            }
        let pieces = (fleet ?? values).compactMap { key, value in value.map { setting(key, $0) } }
        return pieces.flowing(width: width) + target.hooks.flatMap { hook($0).flowing(width: width) }
    }

    private func setting(_ key: String, _ value: String) -> [Segment] {
        [Segment("\(key) = ", appearance[.faint]), Segment(value, appearance[.text])]
    }

    /// Returns the settings of a hook that differ from the defaults.
    private func hook(_ rule: HookRule) -> [[Segment]] {
        let defaults = HookRule(on: rule.events, run: rule.action)
        let events = HookEvent.settable.filter(rule.events.contains).map(\.rawValue)
        let action: (String, String) =
            switch rule.action {
            case .command(.shell(let line)): ("run", line.quoted)
            case .command(.program(let name, let arguments)): ("run", list([name] + arguments))
            case .request(let webhook): ("request", webhook.description.quoted)
            }
        let values: [(key: String, value: String?)] = [
            ("hook: on", events.count == 1 ? events[0].quoted : list(events)), action,
            ("once", rule.isOnce ? "true" : nil), ("at_start", rule.firesAtStart ? "true" : nil),
            ("within", rule.within.map(duration)),
            ("min_down", rule.minDown == defaults.minDown ? nil : duration(rule.minDown)),
            ("cooldown", rule.cooldown == defaults.cooldown ? nil : duration(rule.cooldown)),
            ("timeout", rule.timeout == defaults.timeout ? nil : duration(rule.timeout)),
            ("retries", rule.retries == defaults.retries ? nil : "\(rule.retries)"),
            ("unless_acknowledged", rule.skipsAcknowledged ? "true" : nil),
            ("unless_explained", rule.skipsExplained ? "true" : nil),
            ("while_flapping", rule.runsWhileFlapping ? "true" : nil),
            ("allow_cellular", rule.allowsCellular ? nil : "false"),
        ]
        return values.compactMap { key, value in value.map { setting(key, $0) } }
    }

    private func duration(_ value: Duration) -> String {
        value.settingsText.quoted
    }

    private func list(_ texts: [String]) -> String {
        "[\(texts.map(\.quoted).joined(separator: ", "))]"
    }
}

extension Dependency {
    /// The name in `depends_on`.
    fileprivate var settingsName: String {
        switch self {
        case .target(let name): name
        case .link: Self.linkName
        }
    }
}

extension String {
    /// The text as a TOML basic string. The frame replaces control characters when it is drawn.
    fileprivate var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

import Monitoring
import Screen

/// The target's settings as the file writes them, the defaults too; and its hooks, a line each.
struct SettingsPart: DetailPart {
    let model: Model
    let standing: Standing

    let title = "Settings"
    private var look: Look { model.look }

    func lines(width: Int) -> [[Segment]] {
        let target = standing.target
        let thresholds = target.thresholds
        let values: [(key: String, value: String?)] = [
            ("interval", duration(target.interval)), ("timeout", duration(target.timeout)),
            ("retry_interval", duration(target.retryInterval)),
            ("down_interval", duration(target.downInterval)), ("rise", "\(thresholds.rise)"),
            ("fall", "\(thresholds.fall)"), ("slow", thresholds.slow.map(duration)),
            ("lossy", thresholds.lossy.map { "\($0)" }), ("flapping", target.mayFlap ? nil : "false"),
            ("spread", "\(target.spread)"),
            ("family", target.isOneOfBoth ? "both".quoted : target.family.rawValue.quoted),
            ("addresses", target.addresses == .any ? nil : "each".quoted),
            ("source", target.source.map(\.quoted)),
            ("depends_on", target.dependsOn.isEmpty ? nil : list(target.dependsOn.map(\.settingsName))),
        ]
        let pieces = values.compactMap { key, value in value.map { setting(key, $0) } }
        return pieces.flowing(width: width) + target.hooks.flatMap { hook($0).flowing(width: width) }
    }

    private func setting(_ key: String, _ value: String) -> [Segment] {
        [Segment("\(key) = ", look[.faint]), Segment(value, look[.text])]
    }

    /// A rule, of which only what differs from the defaults is worth a word.
    private func hook(_ rule: HookRule) -> [[Segment]] {
        let plain = HookRule(on: rule.events, run: rule.action)
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
            ("min_down", rule.minDown == plain.minDown ? nil : duration(rule.minDown)),
            ("cooldown", rule.cooldown == plain.cooldown ? nil : duration(rule.cooldown)),
            ("timeout", rule.timeout == plain.timeout ? nil : duration(rule.timeout)),
            ("retries", rule.retries == plain.retries ? nil : "\(rule.retries)"),
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
    /// What `depends_on` calls it.
    fileprivate var settingsName: String {
        switch self {
        case .target(let name): name
        case .link: Self.linkWord
        }
    }
}

extension String {
    /// The text as a basic string of TOML; its control characters are made harmless where it is drawn.
    fileprivate var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

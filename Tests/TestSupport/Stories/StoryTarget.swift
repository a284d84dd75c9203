import ReachMonitoring

/// A target of a story: its name and the settings that differ from the defaults.
struct StoryTarget {
    var target: Target

    init(_ words: [String]) throws {
        target = .make(words[0])
        target.retryInterval = target.interval
        target.downInterval = target.interval
        var events: [Substring] = []
        var common = HookRule.make()
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw StoryError("not key=value: \(word)") }
            let value = String(parts[1])
            switch parts[0] {
            case "interval": target.interval = try StoryError.duration(value)
            case "retry_interval": target.retryInterval = try StoryError.duration(value)
            case "down_interval": target.downInterval = try StoryError.duration(value)
            case "timeout": target.timeout = try StoryError.duration(value)
            case "slow": target.thresholds.slow = try StoryError.duration(value)
            case "lossy": target.thresholds.lossy = Double(value)
            case "fall": target.thresholds.fall = Int(value) ?? 0
            case "flapping": target.mayFlap = value != "false"
            case "rise": target.thresholds.rise = Int(value) ?? 0
            case "group": target.group = value
            case "depends_on":
                target.dependsOn = value.split(separator: ",").map { $0 == "link" ? .link : .target(String($0)) }
            case "quorum": try watchFromVantagePoints { $0 = FleetQuestion(value, staleAfter: $0.staleAfter) }
            case "stale_after":
                let span = try StoryError.duration(value)
                try watchFromVantagePoints { $0 = FleetQuestion($0.quorum.settingsText, staleAfter: span) }
            case "hook": events.append(parts[1])
            case "cooldown": common.cooldown = try StoryError.duration(value)
            case "within": common.within = try StoryError.duration(value)
            case "min_down": common.minDown = try StoryError.duration(value)
            default: throw StoryError("unknown key \(parts[0])")
            }
        }
        target.hooks = try events.map { text in
            let words = text.split(separator: ".").map(String.init)
            let names = (words.first ?? "").split(separator: "+").map(String.init)
            let known = names.compactMap(HookEvent.init(rawValue:))
            guard known.count == names.count else { throw StoryError("unknown event \(text)") }
            var rule = common
            rule.events = Set(known)
            rule.action = .shell(String(text))
            rule.isOnce = words.contains("once")
            rule.firesAtStart = words.contains("start")
            rule.skipsAcknowledged = words.contains("unless_acknowledged")
            rule.runsWhileFlapping = words.contains("while_flapping")
            return rule
        }
    }

    /// Makes the target one of the fleet, unless it is, and changes its question.
    private mutating func watchFromVantagePoints(_ change: (inout FleetQuestion?) -> Void) throws {
        var question: FleetQuestion? = FleetQuestion("majority", staleAfter: FleetQuestion.defaultStaleAfter)
        if case .fleet(let before) = target.question {
            question = before
        } else {
            (target.thresholds.fall, target.thresholds.slowStreak) = (1, 1)
        }
        change(&question)
        guard let question else { throw StoryError("invalid quorum") }
        target.question = .fleet(question)
    }
}

extension FleetQuestion? {
    fileprivate var staleAfter: Duration { self?.staleAfter ?? FleetQuestion.defaultStaleAfter }
    fileprivate var quorum: Quorum { self?.quorum ?? .majority }
}

extension FleetQuestion {
    /// A question by the text of its quorum; nil if that is invalid.
    fileprivate init?(_ quorum: String, staleAfter: Duration) {
        guard let quorum = Quorum(quorum) else { return nil }
        self.init(instance: "https://shop.example.com", quorum: quorum, staleAfter: staleAfter)
    }
}

extension RosterEvent {
    /// The text of the event in a story.
    func storyText(in roster: Roster) -> String {
        let names = targets.map { roster[$0]?.target.label ?? "removed target" }.joined(separator: ", ")
        return switch kind {
        case .transition(let transition): "\(names) \(transition.from.rawValue)→\(transition.to.rawValue)"
        case .fault(let fault): "\(names) fault \(fault.problem.rawValue)"
        case .faultCleared: "\(names) fault over"
        case .addressChanged(let old, let new): "\(names) address \(old)→\(new)"
        case .armed(let hook): "\(names) armed \(hook.action)"
        case .disarmed(let hook, let name, let drop): "\(name) disarmed \(hook.action): \(drop.summary)"
        case .hookSkipped(let rule, let drop): "\(names) skips \(rule.action): \(drop.summary)"
        case .flapping(let isFlapping, let share):
            "\(names) \(isFlapping ? "flaps" : "flaps no longer"), \(share.percentText)"
        case .scheduleMissed, .scheduleKept, .stalled: summary
        default: "\(names) \(summary)"
        }
    }
}

extension ProbeRequest {
    /// The text of the request in a story.
    func storyText(in roster: Roster) -> String {
        let name = { (id: Target.ID) -> String in roster[id]?.target.label ?? "removed target" }
        let names = { (ids: [Target.ID]) in ids.map(name).joined(separator: ", ") }
        return switch self {
        case .watch(let assignments): "· watch \(names(assignments.map(\.id)))"
        case .forget(let ids): "· forget \(names(ids))"
        case .now(let ids): "· probe \(names(ids)) now"
        case .pace(let id, let interval, let isUrgent):
            "· probe \(name(id)) every \(interval.spanText)\(isUrgent ? ", urgent" : "")"
        }
    }
}

extension TargetState {
    /// The text of the state in a story.
    func storyText(at now: Duration) -> String {
        var parts = [isPaused ? "paused" : isBlocked ? "blocked" : health.rawValue]
        if let blockedBy, !isPaused {
            parts.append(isBlocked ? "by \(blockedBy.name)" : "since before \(blockedBy.name)")
        }
        if let pending { parts.append("\(pending.streak)/\(pending.threshold) toward \(pending.toward.rawValue)") }
        if isFlapping { parts.append("flapping") }
        parts.append("for \((now - since).spanText)")
        parts.append("availability \(availability(at: now)?.percentText ?? "unknown")")
        if totals.outages > 0 { parts.append("\(totals.outages) \(totals.outages == 1 ? "outage" : "outages")") }
        parts.append("\(history.count) samples")
        return "\(target.label): \(parts.joined(separator: ", "))"
    }
}

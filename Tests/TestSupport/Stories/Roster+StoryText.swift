import Monitoring

extension RosterEvent {
    /// The text of the event in a story.
    func storyText(in roster: Roster) -> String {
        let name = { (id: Target.ID) -> String in roster[id]?.target.label ?? "removed target" }
        let names = { (ids: [Target.ID]) in ids.map(name).joined(separator: ", ") }
        return switch self {
        case .transition(let id, let transition):
            "\(name(id)) \(transition.from.rawValue)→\(transition.to.rawValue)"
        case .fault(let id, let fault): "\(name(id)) fault \(fault.problem.rawValue)"
        case .faultCleared(let id): "\(name(id)) fault over"
        case .addressChanged(let id, let old, let new): "\(name(id)) address \(old)→\(new)"
        case .armed(let id, let hook): "\(name(id)) armed \(hook.action)"
        case .disarmed(_, let hook, let name, let drop): "\(name) disarmed \(hook.action): \(drop.summary)"
        case .hookSkipped(let id, let rule, let drop): "\(name(id)) skips \(rule.action): \(drop.summary)"
        case .flapping(let id, let isFlapping, let share, _):
            "\(name(id)) \(isFlapping ? "flaps" : "flaps no longer"), \(share.percentText)"
        case .scheduleMissed, .scheduleKept, .stalled: summary
        default: "\(names(targets)) \(summary)"
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
        if let blockedBy, !isPaused { parts.append(isBlocked ? "by \(blockedBy.name)" : blockedBy.precedence) }
        if let pending { parts.append("\(pending.streak)/\(pending.threshold) toward \(pending.toward.rawValue)") }
        if isFlapping { parts.append("flapping") }
        parts.append("for \((now - since).spanText)")
        parts.append("availability \(availability(at: now)?.percentText ?? "unknown")")
        if totals.outages > 0 { parts.append("\(totals.outages) \(totals.outages == 1 ? "outage" : "outages")") }
        parts.append("\(history.count) samples")
        return "\(target.label): \(parts.joined(separator: ", "))"
    }
}

import ReachMonitoring
import ReachScreen

/// The header of the detail view: the target and its state. It does not scroll.
///
/// ```
/// ◐ Shop   https://shop.example.com/health   Cloud   every 15s
/// degraded for 4m02s: 912ms over 500ms   1 of 3 losses to down   ⚑ armed: mount /mnt/nas
/// ```
struct DetailHeader {
    let context: ViewContext
    let state: TargetState
    /// The target at the time cursor; nil without a cursor.
    let sample: CursorSample?

    private var appearance: Appearance { context.appearance }

    func lines(width: Int) -> [[Segment]] {
        let target = state.target
        let identity = [
            [
                Segment("\(state.glyph(appearance.glyphs)) ", appearance[state.role]),
                Segment(target.label, appearance[.title]),
            ],
            [Segment(url, appearance[.text])],
            target.group.map { [Segment($0, appearance[.faint])] },
            target.tags.isEmpty ? nil : [Segment(target.tags.joined(separator: ", "), appearance[.faint])],
            [Segment(pace, appearance[.faint])],
        ]
        let column = sample.map { [$0.values(slow: target.thresholds.slow, appearance: appearance)] } ?? []
        let status = [cursorTime + stateText] + column + notes
        return identity.compactMap(\.self).flowing(width: width) + status.flowing(width: width)
    }

    /// How often the target is probed; for one of the fleet, by which rule it is judged.
    private var pace: String {
        guard case .fleet(let question) = state.target.question else {
            return "every \(state.target.interval.settingsText)"
        }
        return "quorum: \(question.quorum.settingsText)"
    }

    private var cursorTime: [Segment] {
        sample.map { [Segment("at \(context.wall.timeOfDay(at: $0.time)) ", appearance[.accent])] } ?? []
    }

    /// The URL; for a command, the command itself.
    private var url: String {
        if case .exec = state.target.question { return "exec: \(state.target.question.authority)" }
        return state.target.question.url
    }

    /// The health, its age and its cause.
    private var stateText: [Segment] {
        let age = " for \((context.now - state.since).spanText)"
        if state.isPaused { return [Segment("paused", appearance[.waiting]), Segment(age, appearance[.faint])] }
        if state.isBlocked, let blocker = state.blockedBy {
            return [
                Segment(blocker.summary, context.style(.waiting, of: .figure(.health, state.id))),
                Segment(age, appearance[.faint]),
                Segment("; was \(state.health.rawValue) before", appearance[.faint]),
            ]
        }
        let health = Segment(state.health.rawValue, context.style(state.role, of: .figure(.health, state.id)))
        if let vantage = VantageText(state, at: context.now), vantage.verdict.health == state.health {
            let rest = vantage.rest(fitting: .max)
            if !rest.isEmpty { return [health, Segment(rest, appearance[.text])] }
        }
        return [health, Segment(age, appearance[.faint])]
            + (cause.map { [Segment(": \($0)", appearance[.text])] } ?? [])
    }

    /// The cause of the health, or the problem of a target that is up.
    private var cause: String? {
        if state.health != .degraded, state.isLosing { return loss }
        if let loss = state.excessLoss, let limit = state.target.thresholds.lossy {
            return "\(loss.percentText) loss over \(limit.percentText)"
        }
        if let concern = state.lastReply?.concern { return concern }
        guard let limit = state.target.thresholds.slow, let last = state.statistics.last, last > limit else {
            return transitionCause
        }
        return "\(last.roundTripText) over \(limit.roundTripText)"
    }

    /// Why the newest probe was lost.
    private var loss: String { state.lossDetail ?? "timeout" }

    /// The cause of the last transition, for when the newest probe does not show one.
    private var transitionCause: String? {
        guard state.health != .up else { return nil }
        let label = state.target.label
        return context.log.entries.reversed().lazy.compactMap { entry -> Transition? in
            guard case .health(label, let transition) = entry.subject else { return nil }
            return transition
        }.first?.detail
    }

    /// Further notes on the state: acknowledged, in maintenance, pending, shifts, the end of the path,
    /// flapping, blocked, faulty, armed, running.
    private var notes: [[Segment]] {
        var notes: [[Segment]] = []
        if let acknowledgement = state.acknowledgement {
            let text = "\(appearance.glyphs.acknowledged) \(acknowledgement.summary(at: context.now))"
            notes.append([Segment(text, appearance[.accent])])
        }
        if let maintenance = state.maintenance {
            let text = "\(appearance.glyphs.maintenance) \(maintenance.summary(at: context.now))"
            notes.append([Segment(text, appearance[.accent])])
        }
        if let pending = state.pending {
            let what =
                switch pending.toward {
                case .down: "losses"
                case .degraded: "degraded replies"
                case .up, .unknown: "replies"
                }
            // A degraded target has another cause.
            let cause = state.health == .degraded && state.isLosing ? ": \(loss)" : ""
            let text = "\(pending.streak) of \(pending.threshold) \(what) toward \(pending.toward.rawValue)\(cause)"
            notes.append([Segment(text, appearance[.degraded])])
        }
        for news in state.lastingShifts(at: context.now) {
            let role: Role = news.change.isProblem ? .degraded : .text
            notes.append([Segment(news.sentence { context.wall.minuteOfDay(at: $0) }, appearance[role])])
        }
        if let path = state.outagePath, path.end.isFault {
            notes.append([Segment(PathNews.ended(path).summary, appearance[.text])])
        }
        if state.isFlapping {
            let share = state.flappingShare.percentText
            let text = "\(appearance.glyphs.flapping) changes too often (\(share)): its reports wait"
            notes.append([Segment(text, appearance[.degraded])])
        }
        if let blocker = state.blockedBy, !state.isBlocked, !state.isPaused {
            let time = context.wall.minuteOfDay(at: state.since)
            notes.append([Segment("down \(blocker.precedence(since: time)), not probed now", appearance[.waiting])])
        }
        if let fault = state.fault {
            let text = "\(appearance.glyphs.fault) \(RosterEvent.faultSummary(fault.detail))"
            notes.append([Segment(text, appearance[.down])])
        }
        if let first = state.armed.first {
            let others = state.armed.count == 1 ? "" : " and \(state.armed.count - 1) more"
            let text = "\(appearance.glyphs.hook) armed: \(first.action.description.truncated(toColumns: 40))\(others)"
            notes.append([Segment(text, appearance[.accent])])
        }
        if context.shown.runningHooks[state.id] != nil {
            notes.append([Segment("\(appearance.glyphs.hook) hook running", appearance[.accent])])
        }
        return notes
    }
}
